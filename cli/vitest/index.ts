// `rackproof/vitest`: the cases as tests of an implementer's own Vitest project.
import type {} from "vitest";

export interface ConformanceOptions {
  /** Base URL of the gateway, such as `https://192.0.2.10`. */
  readonly url: string;
  /** Profile file of the gateway. */
  readonly profile: string;
  /** Case ids, requirement ids, groups or tags, as for `rackproof run --select`; default all cases. */
  readonly select?: string;
  /** Depth of the campaign; default `nightly`. */
  readonly level?: "smoke" | "nightly" | "certification";
  /** Seed of the random inputs; default a random one. */
  readonly seed?: number;
  /** Folder for record and reports; default a new folder below `runs/`. */
  readonly out?: string;
  /** Name of the group of tests; default `Core 2.3.0`. */
  readonly name?: string;
}

/** What reporters find in a test's `meta.rackproof`. */
export interface ConformanceMeta {
  readonly case: string;
  readonly requirements: readonly string[];
  readonly verdict: "pass" | "advice" | "fail" | "inconclusive" | "error" | "not-applicable";
  readonly durationMs: number;
}

declare module "vitest" {
  interface TaskMeta {
    rackproof?: ConformanceMeta;
  }
}

const neededNode = 24;
if (Number(process.versions.node.split(".")[0]) < neededNode) {
  throw new Error(
    `rackproof/vitest needs Node ${neededNode}, found ${process.version}. ` +
      "Fix: start Vitest with npx or an npm script, which use the Node that rackproof installs",
  );
}
// Loaded after the check: an older Node cannot parse it.
const { registerCases } = await import("./registerCases.ts");

/** Registers every selected case as a Vitest test; call it at the top level of a test file. */
export function conformance(options: ConformanceOptions): void {
  registerCases(options);
}

// Packages that no gateway may install: the job fails with the reason, and the version stays.
import { readFile } from "node:fs/promises";
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
import type { makeSystemPackage } from "../support/systemPackage.ts";
import { onlyForCertification } from "../support/smoke.ts";
import {
  endOf,
  install,
  ownSystem,
  sharedByInstallations,
  type System,
  systemsOf,
  versionAfter,
} from "./systems.ts";

type Wish = Partial<Parameters<typeof makeSystemPackage>[0]>;

const bombBytes = 32 * 1024 * 1024;
const changedByte = (file: Buffer): Buffer => {
  const changed = Buffer.from(file);
  const at = Math.floor(changed.length / 2);
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  return changed;
};
const firstHalf = (file: Buffer): Buffer => file.subarray(0, Math.floor(file.length / 2));

/** What is wrong with a package of the reference gateway. */
const wrongPackages: Readonly<Record<string, Wish>> = {
  "without a signature": { signature: "none" },
  "signed by another key": { signature: "strange" },
  "with a changed byte": { spoil: changedByte },
  "with a changed manifest": {
    spoil: (file) =>
      Buffer.from(file.toString("latin1").replace('"name":"system"', '"name":"System"'), "latin1"),
  },
  "cut in the middle": { spoil: firstHalf },
  "with a larger size than allowed": { claims: { payloadBytes: 2 ** 40 } },
  "longer than its manifest tells": { spoil: (file) => Buffer.concat([file, Buffer.alloc(1024)]) },
  "for another model": { model: "another-model" },
  "with a path that leaves its folder": { more: [{ name: "../escaped", content: Buffer.from("escaped") }] },
  "with an absolute path": { more: [{ name: "/rackproof-escaped", content: Buffer.from("escaped") }] },
  "with a link": { more: [{ name: "link", type: "symlink", linkname: "/etc/passwd" }] },
  "that expands to 32 MiB": { more: [{ name: "zeros.bin", content: Buffer.alloc(bombBytes) }] },
};

function wrongSystems(context: CaseContext, other: System): ReadonlyMap<string, System> {
  const { packages } = context.profile.upgrade;
  if (packages === "reference")
    return new Map(
      Object.entries(wrongPackages).map(([what, wish], index) => [
        what,
        ownSystem(context, `0.0.${index + 1}-rejected`, wish),
      ]),
    );
  const file = packages?.find(({ version }) => version === other.version)?.file ?? "";
  const spoiled = (spoil: (bytes: Buffer) => Buffer): System => ({
    version: other.version,
    load: async () => spoil(await readFile(file)),
  });
  return new Map([
    ["with a changed byte", spoiled(changedByte)],
    ["cut in the middle", spoiled(firstHalf)],
  ]);
}

export const rejectedPackageCases: readonly TestCase[] = [
  testCase({
    ...sharedByInstallations,
    id: "upgrade/rejected-packages",
    title: "Unsigned, changed, truncated, oversized and malicious packages are not installed",
    requirements: ["CORE-UPGRADE-81", "CORE-UPGRADE-82"],
    async run(context) {
      onlyForCertification(context);
      const { verify } = context;
      const { present, other } = await systemsOf(context);
      let silence: Unmet | undefined;
      for (const [what, system] of wrongSystems(context, other)) {
        // A gateway that reboots without an order may boot one of the packages: the version decides.
        await using installation = await install(context, system, 0).catch((thrown: unknown) => {
          if (!(thrown instanceof Unmet)) throw thrown;
          silence = thrown;
          return undefined;
        });
        if (installation === undefined) break;
        const job = await endOf(context, installation.job.id);
        verify("CORE-UPGRADE-81").equal(
          job?.state === "succeed",
          false,
          `success of the job with a package ${what}`,
        );
        const { state, error = "" } = job ?? {};
        verify("CORE-UPGRADE-82").that(state === "failed" && error !== "", {
          what: `job with a package ${what}`,
          expected: "`state` failed, with an `errorMessage`",
          observed: `\`state\` ${state ?? "unknown"}, \`errorMessage\` "${error}"`,
        });
      }
      verify("CORE-UPGRADE-81").equal(
        await versionAfter(context, present.version),
        present.version,
        "version after the rejected packages",
      );
      if (silence !== undefined) throw silence;
    },
  }),
];

// Facts about the gateway that one case finds and later cases of the same run reuse, mostly to end a wait earlier.
import type { CaseContext } from "../../harness/index.ts";

/** What one entry of a category of its own shows. */
export interface Categories {
  /** The categories of the catalogue, where only these are taken; none otherwise. */
  readonly fixed: readonly string[];
  /** Whether a query by the category lists the entry; a broken filter fails the cases about filters, not others. */
  readonly isListed: boolean;
}

interface RunFacts {
  /** Whether a created upgrade job starts its download by itself. */
  startsJobsByItself?: boolean;
  /** Whether downloads complete whatever the file contains. */
  takesAnyFile?: boolean;
  /** Whether downloads come over HTTPS from a server with a self-signed certificate that `ca` has. */
  loadsOverHttps?: boolean;
  /** Which categories log entries can have, and whether a query by one lists them. */
  categories?: Categories;
  /** Whether resets restart the gateway: of the scope all, of many other scopes together, and of few. */
  readonly restartsAfterReset: Map<"all" | "many" | "few", boolean>;
  /** The longest time from a reset to the restart of the gateway by it. */
  restartAfterResetMs?: number;
  /** When an apply of a file that was never uploaded was last asked for: a reboot may follow in a later case. */
  unknownApplied?: { readonly startedMs: number; readonly durationMs: number };
}

const byProfile = new WeakMap<object, RunFacts>();

/** The facts found so far; a run has one profile. A replayed case has the facts that it had in its run. */
export function runFacts({ profile, outside }: Pick<CaseContext, "profile" | "outside">): RunFacts {
  return outside.read("facts of the run", () => {
    const known = byProfile.get(profile) ?? { restartsAfterReset: new Map() };
    byProfile.set(profile, known);
    return known;
  });
}

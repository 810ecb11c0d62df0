// Which faults a self-test injects.
import type { FaultEntry } from "../../alterations/faults/index.ts";
import { fitsPattern, seededRandom } from "../../harness/index.ts";
import { UsageError } from "../../record/index.ts";

export interface FaultChoice {
  /** Patterns of fault ids or requirements, joined by commas. */
  readonly select?: string;
  readonly derived?: boolean;
  readonly sample?: number;
}

/** One of this many faults of a sample is a derived one. */
const derivedShare = 10;

/** The faults that take part without a selection: the written ones, or with `derived` the derived ones. */
export function poolOf(all: readonly FaultEntry[], { derived = false }: FaultChoice): readonly FaultEntry[] {
  return all.filter(({ origin }) => origin === originOf(derived));
}

/** Faults that show only in a soak or on a bad line are injected by their id alone. */
function originOf(derived: boolean): FaultEntry["origin"] {
  return derived ? "derived" : "written";
}

/** The faults of the choice; throws a UsageError for a selection that matches none. */
export function faultsFor(
  all: readonly FaultEntry[],
  choice: FaultChoice,
  seed: number,
): readonly FaultEntry[] {
  const { select, sample, derived = false } = choice;
  const faults = select === undefined ? poolOf(all, choice) : chosen(all, select, derived);
  if (sample === undefined) return faults;
  const shuffled = (from: readonly FaultEntry[], stream: string): FaultEntry[] =>
    seededRandom(seed, stream).shuffle(from);
  if (select !== undefined || derived) return shuffled(faults, "faults").slice(0, sample);
  const fromDerived = Math.floor(sample / derivedShare);
  return [
    ...shuffled(faults, "faults").slice(0, sample - fromDerived),
    ...shuffled(poolOf(all, { derived: true }), "derived faults").slice(0, fromDerived),
  ];
}

/** A requirement selects derived faults only with `derived`; an id selects any fault. */
function chosen(all: readonly FaultEntry[], words: string, derived: boolean): readonly FaultEntry[] {
  const patterns = words.split(",").map((word) => word.trim());
  const found = all.filter(({ id, requirement, origin }) =>
    patterns.some(
      (pattern) =>
        fitsPattern(id, pattern) || (origin === originOf(derived) && fitsPattern(requirement, pattern)),
    ),
  );
  if (found.length === 0)
    throw new UsageError(
      "FAULT_UNKNOWN",
      `--select ${words}: expected ids or requirements of faults, found none that match`,
    );
  return found;
}

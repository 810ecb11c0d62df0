// The coverage of a campaign: the cells that all of its cases observed, and why the others were not.
import { type Cell, cellKinds } from "../interface/coverage/cell.ts";
import { cells } from "../interface/coverage/index.ts";
import type { Coverage } from "../record/index.ts";
import { isOffered } from "../interface/operations/capabilities.ts";
import type { ObservedProfile } from "./observed.ts";

const notObserved = "no check of this run observed it";

export class CampaignCoverage {
  readonly #observed = new Set<string>();

  take(found: Iterable<string>): void {
    for (const id of found) this.#observed.add(id);
  }

  /** The record of the cells, for a gateway with this profile. */
  record(profile: ObservedProfile): Coverage {
    const excluded = new Map<string, Cell[]>();
    const counted: Cell[] = [];
    for (const cell of cells) {
      const reason = whyExcluded(cell, profile);
      if (reason === undefined || this.#observed.has(cell.id)) counted.push(cell);
      else excluded.set(reason, [...(excluded.get(reason) ?? []), cell]);
    }
    const isObserved = ({ id }: Cell): boolean => this.#observed.has(id);
    const unobserved = counted.filter((cell) => !isObserved(cell));
    const observed = counted.filter(isObserved);
    return {
      all: counted.length,
      observed: observed.length,
      byGroup: tally(counted, isObserved, ({ group }) => group),
      byKind: tally(counted, isObserved, ({ kind }) => kind),
      cells: nested(observed),
      unobserved: [
        ...(unobserved.length === 0
          ? []
          : [{ reason: notObserved, counts: true, cells: nested(unobserved) }]),
        ...[...excluded].map(([reason, some]) => ({ reason, counts: false, cells: nested(some) })),
      ],
    };
  }
}

/** Why this gateway need not show the cell; undefined when it must. */
function whyExcluded(cell: Cell, profile: ObservedProfile): string | undefined {
  if (cell.excluded !== undefined) return cell.excluded.text;
  const absent = cell.operations.filter((id) => !isOffered(profile, id));
  if (absent.length > 0) return `the profile declares ${absent.join(", ")} as not offered`;
  const service = /^service:(\w+)\//.exec(cell.subject)?.[1];
  if (service !== undefined && !profile.switchableServices.some((id) => id === service))
    return "the profile does not list the service in switchableServices";
  return undefined;
}

function tally(
  all: readonly Cell[],
  isObserved: (cell: Cell) => boolean,
  by: (cell: Cell) => string,
): Coverage["byGroup"] {
  return [...Map.groupBy(all, by)].map(([id, some]) => ({
    id,
    all: some.length,
    observed: some.filter(isObserved).length,
  }));
}

/** Kind -> subject -> aspects, which is shorter than a list of ids. */
function nested(some: readonly Cell[]): Coverage["cells"] {
  const kinds: Record<string, Record<string, string[]>> = {};
  for (const kind of Object.keys(cellKinds)) {
    const subjects: Record<string, string[]> = {};
    for (const cell of some) if (cell.kind === kind) (subjects[cell.subject] ??= []).push(cell.aspect);
    if (Object.keys(subjects).length > 0) kinds[kind] = subjects;
  }
  return kinds;
}

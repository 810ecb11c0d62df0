// Faults that are written by hand, as rows of a table.
import type { Fault, Subtlety } from "../mechanism/fault.ts";

export type { Fault } from "../mechanism/fault.ts";

type Row = readonly [
  id: string,
  requirement: string,
  subtlety: Subtlety,
  what: string,
  install: Fault["install"],
];

/** Faults from a table. */
export function faults(rows: readonly Row[]): readonly Fault[] {
  return rows.map(([id, requirement, subtlety, what, install]) => ({
    id,
    requirement,
    subtlety,
    what,
    install,
  }));
}

/** The faults, of which cases of level certification detect these. */
export function inCertification(rows: readonly Fault[], ...ids: readonly string[]): readonly Fault[] {
  return rows.map((fault) => (ids.includes(fault.id) ? { ...fault, level: "certification" } : fault));
}

// The vocabulary of coverage: a cell is one observation that the interface makes possible.
import type { OperationId } from "../operations/index.ts";
import type { GroupId } from "../vocabulary/groups.ts";

/** Kinds of cells, with their meaning. */
export const cellKinds = {
  param: "parameter of a request x class of its value",
  member: "member of a response x how its value came about",
  list: "list x count, filter, page and order",
  stream: "stream x length, filter, order and end",
  action: "state x action of upgrade jobs, apps and services",
  call: "operation x caller",
} as const;
export type CellKind = keyof typeof cellKinds;

/** Why a cell is not counted. */
const exclusionKinds = ["not-stated", "not-observable", "needs"] as const;
type ExclusionKind = (typeof exclusionKinds)[number];

export interface Exclusion {
  readonly kind: ExclusionKind;
  readonly text: string;
}

export interface Cell {
  /** `<kind>/<subject>/<class>`; stable. */
  readonly id: string;
  readonly kind: CellKind;
  /** What is observed: an operation, a parameter, a member of an answer, an object. */
  readonly subject: string;
  /** In which respect. */
  readonly aspect: string;
  readonly group: GroupId;
  /** Operations without which the cell cannot be observed. */
  readonly operations: readonly OperationId[];
  /** Place in the interface document from which the cell follows. */
  readonly place: string;
  /** Why the cell is not counted; absent for a cell that the interface determines and a black box can observe. */
  readonly excluded?: Exclusion;
}

export function cellId(kind: CellKind, subject: string, aspect: string): string {
  return `${kind}/${subject}/${aspect}`;
}
/** Makes a cell; its id follows from kind, subject and aspect. */
export function cell(definition: Omit<Cell, "id">): Cell {
  return { ...definition, id: cellId(definition.kind, definition.subject, definition.aspect) };
}

export const notStated = (text: string): { excluded: Exclusion } => ({
  excluded: { kind: "not-stated", text },
});
export const notObservable = (text: string): { excluded: Exclusion } => ({
  excluded: { kind: "not-observable", text },
});

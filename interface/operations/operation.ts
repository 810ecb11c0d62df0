import type { TObject, TSchema } from "typebox";
import type { GroupId } from "../vocabulary/groups.ts";

/** What calling an operation does to a gateway, mildest first; the planner runs cases in this order. */
export const sideEffects = [
  "read-only",
  "reversible",
  "ends-sign-ins",
  "reboots",
  "resets",
  "changes-firmware",
] as const;
export type SideEffect = (typeof sideEffects)[number];

/** An operation of Core 2.3.0 as the interface document describes it: purpose, inputs and answer, no path. */
export interface OperationDefinition {
  /** Also the capability by which a profile declares the group; "general" has no operations. */
  readonly group: Exclude<GroupId, "general">;
  readonly purpose: string;
  /** Path parameters, all strings on the wire. */
  readonly path?: TObject;
  readonly query?: TObject;
  /** Headers with a meaning of their own; sign-in is not among them. */
  readonly headers?: TObject;
  readonly json?: TSchema;
  readonly form?: TObject;
  /** Body of a successful answer; absent where the document does not show it. */
  readonly answer?: TSchema;
  readonly effect: SideEffect;
}

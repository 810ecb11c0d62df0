import type { TObject, TSchema } from "typebox";
import type { GroupId } from "../vocabulary/groups.ts";

/** Effect of an operation on the gateway, mildest first; cases run in this order. */
export const sideEffects = [
  "read-only",
  "reversible",
  "ends-sign-ins",
  "reboots",
  "resets",
  "changes-firmware",
] as const;
export type SideEffect = (typeof sideEffects)[number];

/** An operation of Core 2.3.0 as the interface document describes it: purpose, inputs and response, no path. */
export interface OperationDefinition {
  /** Also the capability by which a profile declares the group; "general" has no operations. */
  readonly group: Exclude<GroupId, "general">;
  readonly purpose: string;
  /** Path parameters, all strings on the wire. */
  readonly path?: TObject;
  readonly query?: TObject;
  /** Headers of this operation other than the sign-in token. */
  readonly headers?: TObject;
  readonly json?: TSchema;
  readonly form?: TObject;
  /** Body of a successful response; absent where the interface does not show it. */
  readonly answer?: TSchema;
  readonly effect: SideEffect;
}

// The interface ties every operation to permission ids and does not show which. This is the default assignment;
// a profile may declare another.
import { operationIds, operations, type OperationId } from "./operations/index.ts";
import type { ObservedPermissionId } from "./resources/roles.ts";

/** Ways to be permitted, of which one suffices; a way asks for all of its permission ids together. */
export type PermissionWays = readonly (readonly string[])[];

/** Who may call an operation: everyone, everyone who is signed in, or who holds all permissions of one of the ways. */
export type Authorisation = "none" | "signed-in" | PermissionWays;

/** An authorisation as people write it: `none`, `signed-in`, one permission id, or ways of which those of one id need no brackets. */
export type RequiredPermission = string | readonly (string | readonly string[])[];

export function authorisationOf(required: RequiredPermission): Authorisation {
  if (typeof required !== "string") return required.map((way) => [way].flat());
  return required === "none" || required === "signed-in" ? required : [[required]];
}

/** Whether somebody who is signed in may call, with the permissions that they hold. */
export function permits(authorisation: Authorisation, held: ReadonlySet<string>): boolean {
  if (typeof authorisation === "string") return true;
  return authorisation.some((way) => way.every((one) => held.has(one)));
}

/** The authorisation in words: `a and b or c`. */
export function authorisationText(authorisation: Authorisation): string {
  if (typeof authorisation === "string") return authorisation;
  return authorisation.map((way) => way.join(" and ")).join(" or ");
}

type DefaultPermission = "none" | "signed-in" | ObservedPermissionId;

const exceptions: Partial<Record<OperationId, DefaultPermission>> = {
  signIn: "none",
  getWebsocketToken: "signed-in",
  getCurrentUser: "signed-in",
  updateCurrentUser: "signed-in",
  updateCurrentUserPassword: "signed-in",
  listTags: "signed-in",
  monitorTags: "signed-in",
  readTag: "signed-in",
};

/** Permission of each operation for which a profile declares none. */
export const defaultAuthorisation: Readonly<Record<OperationId, DefaultPermission>> = Object.fromEntries(
  operationIds.map((id) => [id, exceptions[id] ?? byGroup(id)]),
) as Record<OperationId, DefaultPermission>;

function byGroup(id: OperationId): DefaultPermission {
  const { group } = operations[id];
  return group === "users" || group === "roles" ? "SYS_USER_RW" : "SYS_MAINTENANCE_RW";
}

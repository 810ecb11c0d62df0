// The interface ties every operation to permission ids and does not show which. This is the default assignment;
// a profile may declare another.
import { operationIds, operations, type OperationId } from "./operations/index.ts";
import type { ObservedPermissionId } from "./resources/roles.ts";

/** `none`: no sign-in needed; `signed-in`: any valid token; otherwise the caller must hold the permission, or one of them. */
export type RequiredPermission = DefaultPermission | readonly ObservedPermissionId[];

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

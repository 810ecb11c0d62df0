// The document says that every operation carries an authorisation requirement tied to the permission ids and
// leaves the assignment open. This is the assignment a profile declares unless it says otherwise.
import { operationIds, operations, type OperationId } from "./operations/index.ts";
import type { ObservedPermissionId } from "./resources/roles.ts";

/** `none`: no sign-in needed; `signed-in`: any valid token; otherwise the permission the caller must hold. */
export type RequiredPermission = "none" | "signed-in" | ObservedPermissionId;

const exceptions: Partial<Record<OperationId, RequiredPermission>> = {
  signIn: "none",
  getWebsocketToken: "signed-in",
  getCurrentUser: "signed-in",
  updateCurrentUser: "signed-in",
  updateCurrentUserPassword: "signed-in",
  listTags: "signed-in",
  monitorTags: "signed-in",
  readTag: "signed-in",
};

/** Assignment of permissions to operations that holds where a profile declares none. */
export const defaultAuthorisation: Readonly<Record<OperationId, RequiredPermission>> = Object.fromEntries(
  operationIds.map((id) => [id, exceptions[id] ?? byGroup(id)]),
) as Record<OperationId, RequiredPermission>;

function byGroup(id: OperationId): RequiredPermission {
  const { group } = operations[id];
  return group === "users" || group === "roles" ? "SYS_USER_RW" : "SYS_MAINTENANCE_RW";
}

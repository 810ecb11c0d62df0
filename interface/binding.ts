// The default binding: method, path and authentication of every operation as published for such gateways.
// A profile may override every row; no row is a requirement of Core 2.3.0.
import type { OperationId } from "./operations/index.ts";

type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export interface OperationBinding {
  readonly method: HttpMethod;
  /** Below the path prefix, with `{name}` for path parameters. */
  readonly path: string;
}

export const publishedPathPrefix = "/api/v1";

export const publishedBinding: Readonly<Record<OperationId, OperationBinding>> = {
  exportConfiguration: { method: "GET", path: "/system/configuration" },
  uploadConfiguration: { method: "PUT", path: "/system/configuration" },
  applyConfiguration: { method: "PATCH", path: "/system/configuration/{filename}" },
  getHttpServer: { method: "GET", path: "/system/httpserver" },
  updateHttpServer: { method: "PATCH", path: "/system/httpserver" },
  setHttpServer: { method: "PUT", path: "/system/httpserver" },
  getProvision: { method: "GET", path: "/system/provision" },
  setProvision: { method: "PUT", path: "/system/provision" },
  getLog: { method: "GET", path: "/system/log" },
  setLog: { method: "PUT", path: "/system/log" },
  getReboot: { method: "GET", path: "/system/reboot" },
  setReboot: { method: "PUT", path: "/system/reboot" },
  getResetCapabilities: { method: "GET", path: "/system/reset-default" },
  resetToDefault: { method: "PUT", path: "/system/reset-default" },
  listServices: { method: "GET", path: "/system/services" },
  enableService: { method: "PUT", path: "/system/services/{id}/enable" },
  disableService: { method: "PUT", path: "/system/services/{id}/disable" },
  getSsh: { method: "GET", path: "/system/sshserver" },
  setSsh: { method: "PUT", path: "/system/sshserver" },
  listPermissions: { method: "GET", path: "/permissions" },
  listRoles: { method: "GET", path: "/roles" },
  createRole: { method: "POST", path: "/roles" },
  getRole: { method: "GET", path: "/roles/{id}" },
  updateRole: { method: "PUT", path: "/roles/{id}" },
  listUsers: { method: "GET", path: "/users" },
  addUser: { method: "POST", path: "/users" },
  getUser: { method: "GET", path: "/users/{id}" },
  updateUser: { method: "PUT", path: "/users/{id}" },
  updateUserPassword: { method: "PUT", path: "/users/{id}/password" },
  getCurrentUser: { method: "GET", path: "/users/me" },
  updateCurrentUser: { method: "PUT", path: "/users/me" },
  updateCurrentUserPassword: { method: "PUT", path: "/users/me/password" },
  signIn: { method: "POST", path: "/auth" },
  getWebsocketToken: { method: "PUT", path: "/auth/websocket-token" },
  getEvents: { method: "GET", path: "/events" },
  createEvent: { method: "POST", path: "/events" },
  getEventConfiguration: { method: "GET", path: "/events/configuration" },
  setEventConfiguration: { method: "PUT", path: "/events/configuration" },
  getEventCatalogue: { method: "GET", path: "/events/profile" },
  updateEventKinds: { method: "PATCH", path: "/events/profile" },
  listApps: { method: "GET", path: "/apps" },
  getApp: { method: "GET", path: "/apps/{appname}" },
  operateApp: { method: "PUT", path: "/apps/{appname}/{action}" },
  listJobs: { method: "GET", path: "/jobs" },
  getUpgradeConfiguration: { method: "GET", path: "/system/upgrade" },
  updateUpgradeConfiguration: { method: "PATCH", path: "/system/upgrade" },
  setUpgradeConfiguration: { method: "PUT", path: "/system/upgrade" },
  listUpgradeJobs: { method: "GET", path: "/upgrades" },
  createUpgradeJob: { method: "POST", path: "/upgrades" },
  getUpgradeJob: { method: "GET", path: "/upgrades/{id}" },
  operateUpgradeJob: { method: "PUT", path: "/upgrades/{id}/{action}" },
  listTags: { method: "GET", path: "/tags/list" },
  monitorTags: { method: "GET", path: "/tags/monitor/{provider}/{source}" },
  readTag: { method: "GET", path: "/tags/access/{provider}/{source}/{tag}" },
  writeTag: { method: "PUT", path: "/tags/access/{provider}/{source}/{tag}" },
  createVirtualTag: { method: "POST", path: "/tags/virtual" },
  updateVirtualTag: { method: "PUT", path: "/tags/virtual" },
  deleteVirtualTag: { method: "DELETE", path: "/tags/virtual" },
};

/** Operations of the published documents that Core 2.3.0 does not have; a profile may declare them. */
export const publishedExtensions = {
  clearEvents: { method: "DELETE", path: "/events" },
  deleteRole: { method: "DELETE", path: "/roles/{id}" },
  deleteUser: { method: "DELETE", path: "/users/{id}" },
  deleteUpgradeJob: { method: "DELETE", path: "/upgrades/{id}" },
  checkToken: { method: "GET", path: "/auth" },
  getDiscovery: { method: "GET", path: "/system/discovery" },
  setDiscovery: { method: "PUT", path: "/system/discovery" },
  getSerialConsole: { method: "GET", path: "/system/serialconsole" },
  setSerialConsole: { method: "PUT", path: "/system/serialconsole" },
} as const satisfies Record<string, OperationBinding>;
export type ExtensionId = keyof typeof publishedExtensions;
export const extensionIds = Object.keys(publishedExtensions) as ExtensionId[];

/** What a session can call: an operation of Core 2.3.0, or an extension that the profile declares. */
export type CallId = OperationId | ExtensionId;

export function isExtensionId(text: string): text is ExtensionId {
  return Object.hasOwn(publishedExtensions, text);
}

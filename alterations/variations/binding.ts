// How operations are called: other prefixes, methods, paths, token headers, forms of inputs, permissions. The declared
// binding is all of most of these variations.
import { type OperationBinding, publishedBinding } from "../../interface/binding.ts";
import { operation, operationIds, type OperationId } from "../../interface/operations/index.ts";
import { observedPermissionIds } from "../../interface/resources/roles.ts";
import type { Variations } from "./variation.ts";

const openBinding = "Endpoints: methods and paths of groups 1 to 12 are open, except for the upload";

/** The interface itself gives these a method or a path. */
const hasStatedPath = (id: OperationId): boolean =>
  id === "uploadConfiguration" || operation(id).group === "tags";

function rebind(
  change: (id: OperationId, published: OperationBinding) => OperationBinding | undefined,
): Record<string, OperationBinding> {
  return Object.fromEntries(
    operationIds.flatMap((id) => {
      const binding = change(id, publishedBinding[id]);
      return binding === undefined ? [] : [[id, binding]];
    }),
  );
}

const otherMethods: Readonly<Record<string, "PUT" | "POST" | "PATCH">> = {
  PUT: "POST",
  PATCH: "PUT",
  POST: "PATCH",
  DELETE: "POST",
};

export const bindingVariations = {
  "path-prefix": {
    differs: "All paths have another prefix, those of the tag service included",
    freedom: "Endpoints: the prefix is open, and the address of the service may have a path of its own",
    aspect: "prefix",
    profile: {
      binding: { pathPrefix: "/gateways/7/api/v1", tagPathPrefix: "/gateways/7/api/v1" },
      websocket: { path: "/gateways/7/api/v1/websocket?token={token}" },
    },
  },
  "prefix-without-tags": {
    differs: "Paths of groups 1 to 12 have another prefix, those of the tag service the stated one",
    freedom: "Endpoints: the prefix of groups 1 to 12 is open; 13: the address of the tag service is stated",
    aspect: "prefix",
    profile: {
      binding: { pathPrefix: "/mgmt/v2" },
      websocket: { path: "/mgmt/v2/websocket?token={token}" },
    },
  },
  "no-prefix": {
    differs: "Paths of groups 1 to 12 have no prefix",
    freedom: "Endpoints: the prefix of groups 1 to 12 is open; 13: the address of the tag service is stated",
    aspect: "prefix",
    profile: {
      binding: { pathPrefix: "" },
      websocket: { path: "/websocket?token={token}" },
    },
  },
  "below-a-path": {
    differs: "The address of the gateway has a path of its own, as behind a reverse proxy",
    freedom: "Conventions: {base_url} is the address of the service",
    install: (at) => at.below("/dev/gw-7"),
  },
  "post-for-changes": {
    differs: "Every change is a POST, and the path ends with the kind of change",
    freedom: openBinding,
    aspect: "binding",
    profile: {
      binding: {
        operations: rebind((id, { method, path }) =>
          method === "GET" || hasStatedPath(id)
            ? undefined
            : { method: "POST", path: `${path}/-${method.toLowerCase()}` },
        ),
      },
    },
  },
  "calls-by-name": {
    differs: "Every operation is POST /call/<operation>, with path parameters in the query",
    freedom: openBinding,
    aspect: "binding",
    profile: {
      binding: {
        operations: rebind((id, { path }) => {
          if (hasStatedPath(id)) return undefined;
          const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}={${name}}`);
          return { method: "POST", path: `/call/${id}${names.length === 0 ? "" : `?${names.join("&")}`}` };
        }),
      },
    },
  },
  "other-methods": {
    differs: "PUT, PATCH and POST are exchanged",
    freedom: `${openBinding}; 13: the methods of the tag service are open, except for monitor`,
    aspect: "binding",
    profile: {
      binding: {
        operations: rebind((id, { method, path }) => {
          const other = otherMethods[method];
          return other === undefined || id === "uploadConfiguration" || method === "DELETE"
            ? undefined
            : { method: other, path };
        }),
      },
    },
  },
  "closing-slashes": {
    differs: "Paths end with a slash",
    freedom: openBinding,
    aspect: "binding",
    profile: {
      binding: {
        operations: rebind((id, { method, path }) =>
          hasStatedPath(id) ? undefined : { method, path: `${path}/` },
        ),
      },
    },
  },
  "token-header": {
    differs: "The sign-in token is sent in a header of its own",
    freedom: "Authentication 7: the place of the sign-in token is open for groups 1 to 12",
    aspect: "token header",
    profile: { binding: { token: { header: "x-session", prefix: "" } } },
  },
  "token-scheme": {
    differs: "The sign-in token follows another word than Bearer",
    freedom: "Authentication 7: the place of the sign-in token is open for groups 1 to 12",
    aspect: "token header",
    profile: { binding: { token: { header: "authorization", prefix: "Token " } } },
  },
  "role-objects": {
    differs: "Roles of a user are sent as objects with an id",
    freedom: "Endpoints 8: declared as integers, shown as objects in the example",
    profile: { binding: { roleReferences: "objects" } },
  },
  "upgrade-forms": {
    differs: "Upgrade jobs and upgrade configurations are sent as forms",
    freedom: "Endpoints 12: the media type of these requests is open",
    profile: {
      binding: {
        operations: { setUpgradeConfiguration: { media: "form" }, createUpgradeJob: { media: "form" } },
      },
    },
  },
  "other-permissions": {
    differs: "Some operations need another permission, some only a sign-in",
    freedom: "Authentication 2: the permission that an operation needs is not assigned",
    profile: {
      binding: {
        operations: {
          listApps: { permission: "signed-in" },
          getApp: { permission: "signed-in" },
          getEvents: { permission: "signed-in" },
          getEventCatalogue: { permission: "SYS_USER_RW" },
          listServices: { permission: "SYS_USER_RW" },
          getLog: { permission: "SYS_USER_RW" },
          listTags: { permission: "SYS_MAINTENANCE_RW" },
          readTag: { permission: "SYS_MAINTENANCE_RW" },
        },
      },
    },
  },
  "either-permission": {
    differs: "Either permission suffices for looking at users, roles, events and services",
    freedom: "Authentication 2: the permissions that an operation needs are not assigned",
    profile: {
      binding: {
        operations: Object.fromEntries(
          ["listUsers", "getUser", "listRoles", "getRole", "getEvents", "listServices", "resetToDefault"].map(
            (id) => [id, { permission: [...observedPermissionIds] }],
          ),
        ),
      },
    },
  },
  "permissions-together": {
    differs: "Some operations need both permissions together",
    freedom: "Authentication 2: the permissions that an operation needs are not assigned",
    profile: {
      binding: {
        operations: Object.fromEntries(
          ["getReboot", "setReboot", "enableService", "disableService", "createRole", "getUser"].map((id) => [
            id,
            { permission: [[...observedPermissionIds]] },
          ]),
        ),
      },
    },
  },
} as const satisfies Variations;

// Groups 7 to 9 of "Endpoints": permissions and roles, users, sign in and websocket token.
import Type from "typebox";
import { Permission, Role } from "../resources/roles.ts";
import { CurrentUser, minPasswordLength, SignedInUser, User } from "../resources/users.ts";
import { DataOf, field, ListOf, Timestamp } from "../schema/schema.ts";
import type { OperationDefinition } from "./operation.ts";

const byId = Type.Object({ id: Type.Integer() });
const roleBody = Type.Object({
  name: Type.String(),
  description: Type.Optional(Type.String()),
  permissions: Type.Array(Type.String()),
});
/** Declared as integers, sampled as objects with an id ("Endpoints 8"): both forms are sent and accepted. */
const roleReferences = Type.Union([
  Type.Array(Type.Integer()),
  Type.Array(Type.Object({ id: Type.Integer() })),
]);
const userUpdate = Type.Object({
  email: Type.Optional(Type.String()),
  expiredAfter: Type.Optional(Timestamp),
  isActive: Type.Optional(Type.Boolean()),
  roles: Type.Optional(roleReferences),
});
const passwordChange = Type.Object({ newPassword: Type.String(), oldPassword: Type.Optional(Type.String()) });

export const accountOperations = {
  listPermissions: {
    group: "roles",
    purpose: "List the permissions",
    answer: field("CORE-ROLE-12", ListOf(Permission)),
    effect: "read-only",
  },
  listRoles: {
    group: "roles",
    purpose: "List the roles",
    answer: field("CORE-ROLE-14", ListOf(Role)),
    effect: "read-only",
  },
  createRole: {
    group: "roles",
    purpose: "Create a role",
    json: roleBody,
    answer: field("CORE-ROLE-17", DataOf(Role)),
    effect: "reversible",
  },
  getRole: {
    group: "roles",
    purpose: "Get a role by its id",
    path: byId,
    answer: field("CORE-ROLE-24", DataOf(Role)),
    effect: "read-only",
  },
  updateRole: {
    group: "roles",
    purpose: "Update a role by its id",
    path: byId,
    json: roleBody,
    answer: field("CORE-ROLE-26", DataOf(Role)),
    effect: "reversible",
  },
  listUsers: {
    group: "users",
    purpose: "List the users",
    answer: field("CORE-USER-14", ListOf(User)),
    effect: "read-only",
  },
  addUser: {
    group: "users",
    purpose: "Add a user",
    json: Type.Object({
      name: Type.String(),
      password: Type.String({ minLength: minPasswordLength }),
      isActive: Type.Boolean(),
      expiredAfter: Timestamp,
      roles: roleReferences,
      email: Type.Optional(Type.String()),
    }),
    answer: field("CORE-USER-17", DataOf(User)),
    effect: "reversible",
  },
  getUser: {
    group: "users",
    purpose: "Get a user by its id",
    path: byId,
    answer: field("CORE-USER-32", DataOf(User)),
    effect: "read-only",
  },
  updateUser: {
    group: "users",
    purpose: "Update a user by its id",
    path: byId,
    json: userUpdate,
    answer: field("CORE-USER-34", DataOf(User)),
    effect: "reversible",
  },
  updateUserPassword: {
    group: "users",
    purpose: "Update a user's password by its id",
    path: byId,
    json: passwordChange,
    answer: field("CORE-USER-42", DataOf(User)),
    effect: "ends-sign-ins",
  },
  getCurrentUser: {
    group: "users",
    purpose: "Get the current user",
    answer: field("CORE-USER-47", DataOf(CurrentUser)),
    effect: "read-only",
  },
  updateCurrentUser: {
    group: "users",
    purpose: "Update the current user",
    json: userUpdate,
    answer: field("CORE-USER-49", DataOf(User)),
    effect: "reversible",
  },
  updateCurrentUserPassword: {
    group: "users",
    purpose: "Update the current user's password",
    json: passwordChange,
    answer: field("CORE-USER-52", DataOf(User)),
    effect: "ends-sign-ins",
  },
  signIn: {
    group: "auth",
    purpose: "Sign in",
    json: Type.Object({
      name: Type.String(),
      password: Type.String(),
      acceptEULA: Type.Optional(Type.Boolean()),
    }),
    answer: field(
      "CORE-AUTH-01",
      DataOf(
        Type.Object({
          token: field("CORE-AUTH-02", Type.String()),
          user: field("CORE-AUTH-03", SignedInUser),
        }),
      ),
    ),
    effect: "read-only",
  },
  getWebsocketToken: {
    group: "auth",
    purpose: "Get a one-shot websocket token",
    answer: field("CORE-AUTH-12", DataOf(Type.Object({ token: field("CORE-AUTH-13", Type.String()) }))),
    effect: "read-only",
  },
} as const satisfies Record<string, OperationDefinition>;

// Effects of the operations of groups 7 to 9 on permissions, roles and users.
import { Permission, Role } from "../resources/roles.ts";
import { CurrentUser, SignedInUser, User } from "../resources/users.ts";
import type { Behaviour, Thing } from "./behaviour.ts";

export const accountThings = {
  permission: { schema: Permission, key: "id", keyFrom: "interface", open: ["name", "description"] },
  role: {
    schema: Role,
    key: "id",
    keyFrom: "gateway",
    refers: { users: "user" },
    follows: { users: { how: "inverse", kind: "user", through: "roles", requirement: "CORE-ROLE-11" } },
  },
  user: {
    schema: User,
    key: "id",
    keyFrom: "gateway",
    refers: { roles: "role" },
    follows: {
      permissions: {
        how: "union",
        kind: "role",
        through: "roles",
        field: "permissions",
        requirement: "CORE-USER-57",
      },
    },
  },
} as const satisfies Partial<Record<string, Thing>>;

const user = [{ at: "/data", kind: "user" }] as const;
const role = [{ at: "/data", kind: "role" }] as const;

export const accountBehaviours = {
  listPermissions: {
    kind: "permission",
    does: "list",
    answers: [{ at: "/data", kind: "permission" }],
    complete: "CORE-ROLE-12",
    counted: "CORE-ROLE-13",
  },
  listRoles: {
    kind: "role",
    does: "list",
    answers: role,
    shows: "CORE-ROLE-16",
    complete: "CORE-ROLE-16",
    counted: "CORE-ROLE-15",
  },
  createRole: {
    kind: "role",
    does: "create",
    answers: role,
    stores: { name: "CORE-ROLE-18", description: "CORE-ROLE-18", permissions: "CORE-ROLE-19" },
    keeps: "CORE-ROLE-20",
  },
  getRole: {
    kind: "role",
    does: "show",
    names: "path/id",
    answers: role,
    shows: "CORE-ROLE-25",
    missing: "CORE-ROLE-25",
  },
  updateRole: {
    kind: "role",
    does: "change",
    names: "path/id",
    answers: role,
    stores: { name: "CORE-ROLE-27", description: "CORE-ROLE-27", permissions: "CORE-ROLE-28" },
    keeps: "CORE-ROLE-29",
    missing: "CORE-ROLE-32",
  },
  listUsers: {
    kind: "user",
    does: "list",
    answers: user,
    shows: "CORE-USER-16",
    complete: "CORE-USER-16",
    counted: "CORE-USER-15",
  },
  addUser: {
    kind: "user",
    does: "create",
    answers: user,
    stores: {
      name: "CORE-USER-18",
      email: "CORE-USER-18",
      isActive: "CORE-USER-20",
      expiredAfter: "CORE-USER-21",
      roles: "CORE-USER-22",
      // No response shows it; a sign-in verifies it.
      password: "CORE-AUTH-11",
    },
    sets: { loginAt: ["never", "CORE-USER-09"] },
    keeps: "CORE-USER-23",
  },
  getUser: {
    kind: "user",
    does: "show",
    names: "path/id",
    answers: user,
    shows: "CORE-USER-33",
    missing: "CORE-USER-33",
  },
  updateUser: {
    kind: "user",
    does: "change",
    names: "path/id",
    answers: user,
    stores: {
      email: "CORE-USER-35",
      expiredAfter: "CORE-USER-36",
      isActive: "CORE-USER-37",
      roles: "CORE-USER-38",
    },
    keeps: "CORE-USER-39",
    missing: "CORE-USER-40",
  },
  updateUserPassword: {
    kind: "user",
    does: "change",
    names: "path/id",
    answers: user,
    stores: { newPassword: "CORE-USER-43" },
    unsettles: ["changedPasswordAt"],
    keeps: "CORE-USER-44",
    keepsOmitted: true,
    taken: "CORE-USER-45",
  },
  getCurrentUser: {
    kind: "user",
    does: "show",
    names: "caller",
    answers: [{ at: "/data", kind: "user", schema: CurrentUser }],
    shows: "CORE-USER-48",
  },
  updateCurrentUser: {
    kind: "user",
    does: "change",
    names: "caller",
    answers: user,
    stores: {
      email: "CORE-USER-50",
      expiredAfter: "CORE-USER-50",
      isActive: "CORE-USER-50",
      roles: "CORE-USER-50",
    },
    keeps: "CORE-USER-51",
  },
  signIn: {
    kind: "user",
    does: "change",
    names: "json/name",
    answers: [{ at: "/data/user", kind: "user", schema: SignedInUser }],
    sets: { loginAt: ["set", "CORE-USER-09"] },
    shows: "CORE-AUTH-03",
    keepsOmitted: true,
  },
  // Extensions: Core 2.3.0 does not state their effects, and none of them is a requirement.
  deleteUser: { kind: "user", does: "remove", names: "path/id", taken: false },
  deleteRole: { kind: "role", does: "remove", names: "path/id", taken: false },
} as const satisfies Record<string, Behaviour>;

/** Rules for accepting or rejecting a sign-in. */
export const signInRules = {
  wrongPassword: { requirement: "CORE-AUTH-09", status: 401 },
  formerPassword: { requirement: "CORE-USER-43" },
  unknownName: { requirement: "CORE-AUTH-10", status: 401 },
  notActive: { requirement: "CORE-AUTH-27" },
  taken: { requirement: "CORE-AUTH-11", status: 200 },
} as const;

/** Rules for accepting or rejecting a call of a user other than the administrator. */
export const permissionRules = {
  lacking: "CORE-AUTH-23",
  held: "CORE-AUTH-24",
} as const;

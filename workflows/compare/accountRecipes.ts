// Steps over users, roles and sign-ins.
import type { Choices, Common, Memory, Recipe } from "./recipe.ts";
import { someOf } from "./recipe.ts";
import type { CallId } from "../../interface/binding.ts";
import type { Step } from "./step.ts";

const passwords = ["First-pass#1", "Second-pass#2", "Third-pass#3"] as const;
const expiries = ["2099-12-31T23:59:59Z", "2088-06-15T08:00:00+02:00", "2077-01-01T00:00:00-05:00"] as const;
const words = ["for tests", "second shift", "Prüfstand 7", ""] as const;
const emails = ["a@example.com", "b.c@example.org", "d+e@example.net"] as const;
// Too few to lock a name on any gateway: no sequence can wait until a locked name is unlocked.
const mostSignIns = 3;

const id = (label: string): { $id: string } => ({ $id: label });

export function accountRecipes({ permissions }: Common): Recipe[] {
  const hasRole = ({ roles }: Memory): boolean => roles.length > 0;
  const hasUser = ({ users }: Memory): boolean => users.length > 0;
  const roleBody = (choose: Choices, label: string): Record<string, unknown> => ({
    name: { $name: label },
    ...(choose.chance(85) ? { description: choose.pick(words) } : {}),
    permissions: choose.some(permissions),
  });
  const userOf = (choose: Choices, { users }: Memory): string => choose.pick(users).label;
  const rolesOf = (choose: Choices, { roles }: Memory): unknown[] => choose.some(roles.slice(-4)).map(id);
  return [
    {
      operation: "createRole",
      weight: 6,
      make(choose, memory) {
        const label = memory.fresh("role");
        memory.roles.push(label);
        return { operation: "createRole", as: label, json: roleBody(choose, label) };
      },
    },
    {
      operation: "updateRole",
      weight: 8,
      isReady: hasRole,
      make(choose, { roles }) {
        const label = choose.pick(roles);
        const json = roleBody(choose, choose.chance(70) ? label : `${label}b`);
        return { operation: "updateRole", path: { id: id(label) }, json };
      },
    },
    {
      operation: "addUser",
      weight: 5,
      make(choose, memory) {
        const label = memory.fresh("user");
        const password = choose.pick(passwords);
        const json = {
          name: { $name: label },
          password,
          isActive: choose.chance(85),
          expiredAfter: choose.pick(expiries),
          roles: rolesOf(choose, memory),
          ...(choose.chance(60) ? { email: choose.pick(emails) } : {}),
        };
        memory.users.push({ label, passwords: [password], signIns: 0 });
        return { operation: "addUser", as: label, json };
      },
    },
    {
      operation: "updateUser",
      weight: 12,
      isReady: hasUser,
      make(choose, memory) {
        const json = someOf(choose, {
          email: choose.pick(emails),
          expiredAfter: choose.pick(expiries),
          isActive: choose.chance(75),
          roles: rolesOf(choose, memory),
        });
        return { operation: "updateUser", path: { id: id(userOf(choose, memory)) }, json };
      },
    },
    {
      operation: "updateUserPassword",
      weight: 3,
      isReady: hasUser,
      make(choose, { users }) {
        const user = choose.pick(users);
        const newPassword = choose.pick(passwords);
        user.passwords.push(newPassword);
        return { operation: "updateUserPassword", path: { id: id(user.label) }, json: { newPassword } };
      },
    },
    {
      operation: "signIn",
      weight: 5,
      isReady: ({ users }) => users.some(({ signIns }) => signIns < mostSignIns),
      make(choose, memory) {
        const user = choose.pick(memory.users.filter(({ signIns }) => signIns < mostSignIns));
        user.signIns += 1;
        const present = user.passwords.at(-1);
        const password = choose.chance(60) ? present : choose.pick(["Wrong-pass#9", ...user.passwords]);
        const label = memory.fresh("session");
        memory.sessions.push(label);
        return {
          operation: "signIn",
          as: label,
          json: { name: { $name: user.label }, password, ...(choose.chance(50) ? { acceptEULA: true } : {}) },
        };
      },
    },
    {
      operation: "updateCurrentUser",
      weight: 2,
      isReady: ({ sessions }) => sessions.length > 0,
      make: (choose, { sessions }) => ({
        operation: "updateCurrentUser",
        by: choose.pick(sessions),
        json: { email: choose.pick(emails) },
      }),
    },
    ...(["getCurrentUser", "listRoles", "listUsers", "listPermissions"] as const).map((operation) => ({
      operation,
      weight: 2,
      isReady: ({ sessions }: Memory) => sessions.length > 0,
      make: (choose: Choices, { sessions }: Memory): Step => ({ operation, by: choose.pick(sessions) }),
    })),
    ...one("getRole", 5, (memory) => memory.roles),
    ...one("getUser", 7, (memory) => memory.users.map(({ label }) => label)),
    ...one("deleteRole", 4, (memory) => memory.roles),
    ...one("deleteUser", 3, (memory) => memory.users.map(({ label }) => label)),
    {
      operation: "listRoles",
      weight: 5,
      lastLookAfter: ["createRole", "updateRole", "deleteRole", "addUser", "updateUser", "deleteUser"],
      make: () => ({ operation: "listRoles" }),
    },
    {
      operation: "listUsers",
      weight: 5,
      lastLookAfter: ["addUser", "updateUser", "updateRole", "deleteUser", "deleteRole", "updateCurrentUser"],
      make: () => ({ operation: "listUsers" }),
    },
    { operation: "listPermissions", weight: 1, make: () => ({ operation: "listPermissions" }) },
  ];
}

function one(operation: CallId, weight: number, labels: (memory: Memory) => readonly string[]): Recipe[] {
  return [
    {
      operation,
      weight,
      isReady: (memory) => labels(memory).length > 0,
      make: (choose, memory) => ({ operation, path: { id: id(choose.pick(labels(memory))) } }),
    },
  ];
}

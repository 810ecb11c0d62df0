// Faults of users.
import { badInput, notFound, Refusal } from "../../reference-impl/base/refusal.ts";
import { fields, items, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { forgets, takes } from "./habits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const userViews = ["listUsers", "getUser", "addUser", "updateUser"] as const;

export const userFaults: readonly Fault[] = faults([
  [
    "login-time-stays-zero",
    "CORE-USER-09",
    "plain",
    "loginAt stays zero after a login.",
    (at) => at.data(userViews, (user) => ({ ...user, loginAt: "0001-01-01T00:00:00Z" })),
  ],
  [
    "login-time-of-a-newcomer",
    "CORE-USER-09",
    "subtle",
    "loginAt of a user who never logged in is the time of creation.",
    (at) =>
      at.data(userViews, (user) =>
        String(user["loginAt"]).startsWith("0001") ? { ...user, loginAt: user["createdAt"] } : user,
      ),
  ],
  [
    "reminder-in-every-view",
    "CORE-USER-13",
    "plain",
    "remindToChangePassword is in every view of a user.",
    (at) => at.data(userViews, (user) => ({ ...user, remindToChangePassword: null })),
  ],
  [
    "users-count-includes-one-more",
    "CORE-USER-15",
    "plain",
    "count of the users is one more than there are.",
    (at) => at.answer("listUsers", (body) => ({ ...body, count: Number(body["count"]) + 1 })),
  ],
  [
    "inactive-users-are-not-listed",
    "CORE-USER-16",
    "subtle",
    "The list lacks the users who are not active.",
    (at) =>
      at.answer("listUsers", (body) => {
        const data = items(body["data"]).filter(({ isActive }) => isActive === true);
        return { count: data.length, data };
      }),
  ],
  [
    "user-email-is-dropped",
    "CORE-USER-18",
    "plain",
    "The email of a new user is not stored.",
    (at) => at.body("addUser", ({ email: _email, ...body }) => body),
  ],
  [
    "user-needs-an-email",
    "CORE-USER-19",
    "plain",
    "A new user without email is refused.",
    (at) =>
      at.around("addUser", (call, proceed) => {
        if (call.body["email"] === undefined) throw badInput("email: expected a text");
        return proceed(call);
      }),
  ],
  [
    "new-user-is-always-active",
    "CORE-USER-20",
    "plain",
    "A new user is active whatever was sent.",
    (at) => at.body("addUser", (body) => ({ ...body, isActive: true })),
  ],
  [
    "expiry-loses-its-offset",
    "CORE-USER-21",
    "subtle",
    "The offset of a new user's expiredAfter is taken for UTC.",
    (at) =>
      at.body("addUser", (body) => ({
        ...body,
        expiredAfter: String(body["expiredAfter"]).replace(/[+-]\d\d:\d\d$/, "Z"),
      })),
  ],
  [
    "expiry-is-cut-to-the-day",
    "CORE-USER-21",
    "subtle",
    "expiredAfter of a new user is stored as midnight of its day.",
    (at) =>
      at.body("addUser", (body) => ({
        ...body,
        expiredAfter: `${String(body["expiredAfter"]).slice(0, 10)}T00:00:00Z`,
      })),
  ],
  [
    "new-user-gets-the-first-role",
    "CORE-USER-22",
    "subtle",
    "Of several roles of a new user the first is given.",
    (at) => at.body("addUser", (body) => ({ ...body, roles: list(body["roles"]).slice(0, 1) })),
  ],
  [
    "new-user-spills-its-email",
    "CORE-USER-23",
    "subtle",
    "Adding a user shows its email at the first user, too.",
    (at) => {
      let spilled: unknown;
      at.data("addUser", (user) => {
        spilled = user["email"] ?? spilled;
        return user;
      });
      at.data(["listUsers", "getUser"], (user) =>
        user["id"] === 1 && spilled !== undefined ? { ...user, email: spilled } : user,
      );
    },
  ],
  [
    "user-without-name-is-added",
    "CORE-USER-24",
    "plain",
    "A new user needs no name.",
    takes("addUser", "name", "nameless"),
  ],
  [
    "user-without-password-is-added",
    "CORE-USER-25",
    "plain",
    "A new user needs no password.",
    takes("addUser", "password", "Nobody-1!"),
  ],
  [
    "user-without-activity-is-added",
    "CORE-USER-26",
    "plain",
    "A new user needs no isActive.",
    takes("addUser", "isActive", true, (value) => typeof value !== "boolean"),
  ],
  [
    "user-without-expiry-is-added",
    "CORE-USER-27",
    "plain",
    "A new user needs no expiredAfter.",
    takes("addUser", "expiredAfter", "2099-01-01T00:00:00Z"),
  ],
  [
    "expiry-that-is-no-date-is-taken",
    "CORE-USER-27",
    "subtle",
    "An expiredAfter that is no date-time is taken.",
    takes("addUser", "expiredAfter", "2099-01-01T00:00:00Z", (value) =>
      Number.isNaN(Date.parse(String(value))),
    ),
  ],
  [
    "user-without-roles-is-added",
    "CORE-USER-28",
    "plain",
    "A new user needs no roles.",
    takes("addUser", "roles", []),
  ],
  [
    "password-of-five-characters-is-taken",
    "CORE-USER-29",
    "subtle",
    "A password of five characters is taken.",
    (at) => {
      at.lenient("addUser", "json", "password");
      at.body("addUser", (body) =>
        text(body["password"]).length === 5 ? { ...body, password: `${text(body["password"])}.` } : body,
      );
    },
  ],
  [
    "password-of-six-characters-is-refused",
    "CORE-USER-30",
    "subtle",
    "A password of six characters is refused.",
    (at) => refuseLength(at, (length) => length === 6),
  ],
  [
    "long-password-is-refused",
    "CORE-USER-30",
    "subtle",
    "A password of more than 16 characters is refused.",
    (at) => refuseLength(at, (length) => length > 16),
  ],
  [
    "unknown-user-is-the-first",
    "CORE-USER-33",
    "plain",
    "An id that no user has answers another user.",
    (at) =>
      at.around("getUser", (call, proceed) =>
        proceed(call).catch(() => proceed(changed(call, { path: { id: "1" } }))),
      ),
  ],
  [
    "updated-email-is-not-kept",
    "CORE-USER-35",
    "plain",
    "The email of an update is answered and not kept.",
    forgets("updateUser", "email"),
  ],
  [
    "updated-expiry-is-not-kept",
    "CORE-USER-36",
    "plain",
    "expiredAfter of an update is answered and not kept.",
    forgets("updateUser", "expiredAfter"),
  ],
  [
    "updated-activity-is-not-kept",
    "CORE-USER-37",
    "plain",
    "isActive of an update is answered and not kept.",
    forgets("updateUser", "isActive"),
  ],
  [
    "update-adds-roles",
    "CORE-USER-38",
    "subtle",
    "The roles of an update are added to those that the user has.",
    (at) => {
      const held = new Map<string, unknown[]>();
      at.body("updateUser", (body, call) =>
        body["roles"] === undefined
          ? body
          : {
              ...body,
              roles: [...new Set([...(held.get(call.path["id"] ?? "") ?? []), ...ids(body["roles"])])],
            },
      );
      at.data(["addUser", "updateUser"], (user) => {
        held.set(String(user["id"]), ids(user["roles"]));
        return user;
      });
    },
  ],
  [
    "update-of-a-user-changes-another",
    "CORE-USER-39",
    "subtle",
    "Updating a user shows its email at the first user, too.",
    (at) => {
      let spilled: unknown;
      at.data("updateUser", (user) => {
        if (user["id"] !== 1) spilled = user["email"];
        return user;
      });
      at.data(["listUsers", "getUser"], (user) =>
        user["id"] === 1 && spilled !== undefined ? { ...user, email: spilled } : user,
      );
    },
  ],
  [
    "update-of-the-email-activates",
    "CORE-USER-41",
    "subtle",
    "An update without isActive is refused.",
    (at) =>
      at.around("updateUser", (call, proceed) => {
        if (call.body["isActive"] === undefined) throw badInput("isActive: expected a boolean");
        return proceed(call);
      }),
  ],
  [
    "current-user-is-the-first",
    "CORE-USER-48",
    "plain",
    "Get current user answers the administrator to everybody.",
    (at) => at.around("getCurrentUser", (call, proceed) => proceed(changed(call, asAdmin(call)))),
  ],
  [
    "own-update-drops-the-email",
    "CORE-USER-50",
    "plain",
    "The email of an update of the current user is answered and not kept.",
    forgets("updateCurrentUser", "email"),
  ],
  [
    "own-update-changes-the-first-user",
    "CORE-USER-51",
    "subtle",
    "An update of the current user shows its email at the first user, too.",
    (at) => {
      let spilled: unknown;
      at.data("updateCurrentUser", (user) => {
        if (user["id"] !== 1) spilled = user["email"];
        return user;
      });
      at.data(["listUsers", "getUser"], (user) =>
        user["id"] === 1 && spilled !== undefined ? { ...user, email: spilled } : user,
      );
    },
  ],
  [
    "changed-password-time-stays-null",
    "CORE-USER-56",
    "plain",
    "changedPasswordAt stays null after a change.",
    (at) =>
      at.data(
        [...userViews, "getCurrentUser", "updateCurrentUserPassword", "updateUserPassword"],
        (user) => ({
          ...user,
          changedPasswordAt: null,
        }),
      ),
  ],
  [
    "permissions-do-not-follow-the-roles",
    "CORE-USER-57",
    "subtle",
    "A user's permissions are shown as they were when the user was first shown.",
    (at) => {
      const first = new Map<unknown, unknown>();
      at.data([...userViews, "getCurrentUser"], (user) => {
        if (!first.has(user["id"])) first.set(user["id"], user["permissions"]);
        return { ...user, permissions: first.get(user["id"]) };
      });
    },
  ],
  [
    "users-are-not-found-by-updates",
    "CORE-USER-40",
    "plain",
    "An update finds no user with the id.",
    (at) =>
      at.around("updateUser", (call) => {
        throw notFound(`user ${call.path["id"]}`);
      }),
  ],
]);

function asAdmin(call: { readonly caller: unknown }): object {
  return { caller: { ...fields(call.caller), userId: 1 } };
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Roles as ids, however they were given. */
function ids(value: unknown): unknown[] {
  return list(value).map((role) => (typeof role === "object" ? fields(role)["id"] : role));
}

function refuseLength(at: GatewayAlterations, isRefused: (length: number) => boolean): void {
  at.around("addUser", (call, proceed) => {
    if (isRefused(String(call.body["password"]).length))
      throw new Refusal(400, "password: it has no length that is taken");
    return proceed(call);
  });
}

// Faults of users.
import { badInput, notFound, Refusal } from "../../reference-impl/base/refusal.ts";
import { fields, items, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { doesNotStore, accepts } from "./habits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

export const userViews = ["listUsers", "getUser", "addUser", "updateUser"] as const;

export const userFaults: readonly Fault[] = faults([
  [
    "login-time-stays-zero",
    "CORE-USER-09",
    "plain",
    "`loginAt` stays at its zero value after a sign-in.",
    (at) => at.data(userViews, (user) => ({ ...user, loginAt: "0001-01-01T00:00:00Z" })),
  ],
  [
    "login-time-of-a-newcomer",
    "CORE-USER-09",
    "subtle",
    "`loginAt` of a user who has never signed in is the time of creation.",
    (at) =>
      at.data(userViews, (user) =>
        String(user["loginAt"]).startsWith("0001") ? { ...user, loginAt: user["createdAt"] } : user,
      ),
  ],
  [
    "reminder-in-every-view",
    "CORE-USER-13",
    "plain",
    "`remindToChangePassword` is present in every view of a user.",
    (at) => at.data(userViews, (user) => ({ ...user, remindToChangePassword: null })),
  ],
  [
    "users-count-includes-one-more",
    "CORE-USER-15",
    "plain",
    "`count` of the users is one too high.",
    (at) => at.answer("listUsers", (body) => ({ ...body, count: Number(body["count"]) + 1 })),
  ],
  [
    "inactive-users-are-not-listed",
    "CORE-USER-16",
    "subtle",
    "Inactive users are missing from the list.",
    (at) =>
      at.answer("listUsers", (body) => {
        const data = items(body["data"]).filter(({ isActive }) => isActive === true);
        return { count: data.length, data };
      }),
  ],
  [
    "caller-is-not-listed",
    "CORE-USER-16",
    "subtle",
    "The user who calls is missing from the list.",
    (at) =>
      at.around("listUsers", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "json") return answer;
        const data = items(fields(answer.body)["data"]).filter(({ id }) => id !== call.caller?.userId);
        return { ...answer, body: { count: data.length, data } };
      }),
  ],
  [
    "email-is-escaped",
    "CORE-USER-18",
    "subtle",
    "& and ' in the email of a new user are stored as HTML entities.",
    (at) =>
      at.body("addUser", (body) =>
        body["email"] === undefined
          ? body
          : { ...body, email: text(body["email"]).replaceAll("&", "&amp;").replaceAll("'", "&#39;") },
      ),
  ],
  [
    "email-is-cut-after-64-characters",
    "CORE-USER-18",
    "subtle",
    "The email of a new user is cut after 64 characters.",
    (at) =>
      at.body("addUser", (body) =>
        body["email"] === undefined ? body : { ...body, email: text(body["email"]).slice(0, 64) },
      ),
  ],
  [
    "last-of-several-role-objects",
    "CORE-USER-22",
    "subtle",
    "Of roles that are sent as objects, a new user gets the last one only.",
    (at) =>
      at.body("addUser", (body) => {
        const roles = items(body["roles"]);
        return roles.some((role) => Object.hasOwn(role, "id")) ? { ...body, roles: roles.slice(-1) } : body;
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
    "A new user without an email is rejected.",
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
    "A new user is active, whatever the request says.",
    (at) => at.body("addUser", (body) => ({ ...body, isActive: true })),
  ],
  [
    "expiry-loses-its-offset",
    "CORE-USER-21",
    "subtle",
    "The offset of a new user's `expiredAfter` is ignored: the time is read as UTC.",
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
    "`expiredAfter` of a new user is stored as midnight of its day.",
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
    "Of several roles of a new user, only the first is assigned.",
    (at) => at.body("addUser", (body) => ({ ...body, roles: list(body["roles"]).slice(0, 1) })),
  ],
  [
    "new-user-spills-its-email",
    "CORE-USER-23",
    "subtle",
    "Adding a user also shows its email at the first user.",
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
    "A new user without a name is accepted.",
    accepts("addUser", "name", "nameless"),
  ],
  [
    "user-without-password-is-added",
    "CORE-USER-25",
    "plain",
    "A new user without a password is accepted.",
    accepts("addUser", "password", "Nobody-1!"),
  ],
  [
    "user-without-activity-is-added",
    "CORE-USER-26",
    "plain",
    "A new user without `isActive` is accepted.",
    accepts("addUser", "isActive", true, (value) => typeof value !== "boolean"),
  ],
  [
    "user-without-expiry-is-added",
    "CORE-USER-27",
    "plain",
    "A new user without `expiredAfter` is accepted.",
    accepts("addUser", "expiredAfter", "2099-01-01T00:00:00Z"),
  ],
  [
    "expiry-that-is-no-date-is-taken",
    "CORE-USER-27",
    "subtle",
    "An `expiredAfter` that is not a date-time is accepted.",
    accepts("addUser", "expiredAfter", "2099-01-01T00:00:00Z", (value) =>
      Number.isNaN(Date.parse(String(value))),
    ),
  ],
  [
    "user-without-roles-is-added",
    "CORE-USER-28",
    "plain",
    "A new user without roles is accepted.",
    accepts("addUser", "roles", []),
  ],
  [
    "password-of-five-characters-is-taken",
    "CORE-USER-29",
    "subtle",
    "A password of five characters is accepted.",
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
    "A password of six characters is rejected.",
    (at) => rejectLength(at, (length) => length === 6),
  ],
  [
    "long-password-is-refused",
    "CORE-USER-30",
    "subtle",
    "A password of more than 12 characters is rejected.",
    (at) => rejectLength(at, (length) => length > 12),
  ],
  [
    "unknown-user-is-the-first",
    "CORE-USER-33",
    "plain",
    "An unknown user id returns another user.",
    (at) =>
      at.around("getUser", (call, proceed) =>
        proceed(call).catch(() => proceed(changed(call, { path: { id: "1" } }))),
      ),
  ],
  [
    "updated-email-is-not-kept",
    "CORE-USER-35",
    "plain",
    "The email in an update of a user is returned but not stored.",
    doesNotStore("updateUser", "email"),
  ],
  [
    "updated-expiry-is-not-kept",
    "CORE-USER-36",
    "plain",
    "`expiredAfter` in an update of a user is returned but not stored.",
    doesNotStore("updateUser", "expiredAfter"),
  ],
  [
    "updated-activity-is-not-kept",
    "CORE-USER-37",
    "plain",
    "`isActive` in an update of a user is returned but not stored.",
    doesNotStore("updateUser", "isActive"),
  ],
  [
    "update-adds-roles",
    "CORE-USER-38",
    "subtle",
    "The roles in an update are added to those the user has.",
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
    "Updating a user also shows its email at the first user.",
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
    "An update of a user without `isActive` is rejected.",
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
    "Get current user returns the administrator to every caller.",
    (at) => at.around("getCurrentUser", (call, proceed) => proceed(changed(call, asAdmin(call)))),
  ],
  [
    "own-update-drops-the-email",
    "CORE-USER-50",
    "plain",
    "The email in an update of the current user is returned but not stored.",
    doesNotStore("updateCurrentUser", "email"),
  ],
  [
    "own-update-changes-the-first-user",
    "CORE-USER-51",
    "subtle",
    "Updating the current user also shows its email at the first user.",
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
    "permissions-do-not-follow-the-roles",
    "CORE-USER-57",
    "subtle",
    "A user's permissions are shown as at the first request, even after its roles change.",
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
    "Updating a user that exists is rejected as not found.",
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

/** Roles as ids, given as ids or objects. */
function ids(value: unknown): unknown[] {
  return list(value).map((role) => (typeof role === "object" ? fields(role)["id"] : role));
}

function rejectLength(at: GatewayAlterations, isRejected: (length: number) => boolean): void {
  at.around("addUser", (call, proceed) => {
    if (isRejected(String(call.body["password"]).length))
      throw new Refusal(400, "password: its length is not accepted");
    return proceed(call);
  });
}

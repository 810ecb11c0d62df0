// Faults of accounts that show beside what a request changes: in another view, at another user, after a reboot.
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import { neverLoggedIn } from "../../interface/resources/users.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import { changed, type Step } from "../mechanism/operationAlterations.ts";
import { type Fault, faults } from "./fault.ts";
import { userViews } from "./users.ts";

/** Carries the call out as if its caller had the admin role, where the test holds. */
const asAdministrator =
  (holds: (body: Fields) => boolean): Step =>
  (call, proceed) =>
    proceed(
      call.caller !== undefined && holds(call.body)
        ? changed(call, { caller: { ...call.caller, hasAdminRole: true } })
        : call,
    );

/** A column of the caller's row has its former value after a reboot. */
function lostByAReboot(operation: "updateCurrentUser" | "updateCurrentUserPassword", column: string) {
  const install: Fault["install"] = (at) => {
    let open: Store | undefined;
    const former = new Map<number, string | null>();
    at.boot((store) => {
      open = store;
    });
    at.around(operation, async (call, proceed) => {
      const id = call.caller?.userId ?? 0;
      const value = open?.get(`SELECT ${column} FROM user WHERE id = ?`, id)?.[column];
      const answer = await proceed(call);
      former.set(id, value === null || value === undefined ? null : text(value));
      return answer;
    });
    // Any other write to the accounts stores it.
    at.around(["addUser", "updateUser", "signIn"], async (call, proceed) => {
      const answer = await proceed(call);
      former.clear();
      return answer;
    });
    at.reboot((_reason, proceed) => {
      for (const [id, value] of former) open?.run(`UPDATE user SET ${column} = ? WHERE id = ?`, value, id);
      proceed();
    });
  };
  return install;
}

export const accountViewFaults: readonly Fault[] = faults([
  [
    "password-by-id-with-any-old-one",
    "CORE-USER-59",
    "subtle",
    "A user without the admin role changes a password by id with a wrong `oldPassword`.",
    (at) =>
      at.around(
        "updateUserPassword",
        asAdministrator((body) => body["oldPassword"] !== undefined),
      ),
  ],
  [
    "only-the-first-administrator-needs-no-old-password",
    "CORE-USER-45",
    "subtle",
    "A second user with the admin role changes a password by id with `oldPassword` only.",
    (at) =>
      at.around("updateUserPassword", (call, proceed) => {
        if (call.body["oldPassword"] === undefined && call.caller?.userId !== 1)
          throw badInput("oldPassword: expected the present password");
        return proceed(call);
      }),
  ],
  [
    "administrator-needs-the-old-password-of-the-own-id",
    "CORE-USER-45",
    "subtle",
    "Users with the admin role change their password by id with `oldPassword` only.",
    (at) =>
      at.around("updateUserPassword", (call, proceed) => {
        if (call.body["oldPassword"] === undefined && text(call.caller?.userId) === call.path["id"])
          throw badInput("oldPassword: expected the present password");
        return proceed(call);
      }),
  ],
  [
    "role-shows-no-users-who-have-expired",
    "CORE-ROLE-11",
    "subtle",
    "Users who have expired are not among the users of their roles.",
    (at) =>
      at.around(["listRoles", "getRole"], async (call, proceed, ask) => {
        const [answer, users] = [await proceed(call), await ask("listUsers")];
        if (answer.kind !== "json" || users.kind !== "json") return answer;
        const listed = items(fields(users.body)["data"]);
        const past = listed.filter(({ expiredAfter }) => Date.parse(text(expiredAfter)) < Date.now());
        const ids = new Set(past.map(({ id }) => id));
        const shown = (role: Fields): Fields => ({
          ...role,
          users: items(role["users"]).filter(({ id }) => !ids.has(id)),
        });
        const { data, ...rest } = fields(answer.body);
        const all = Array.isArray(data) ? items(data).map(shown) : shown(fields(data));
        return { ...answer, body: { ...rest, data: all } };
      }),
  ],
  [
    "password-by-id-activates-the-user",
    "CORE-USER-44",
    "subtle",
    "A password change by id sets an inactive user active.",
    (at) =>
      at.around("updateUserPassword", async (call, proceed, ask) => {
        const answer = await proceed(call);
        await ask("updateUser", { path: { ...call.path }, body: { isActive: true } });
        return answer;
      }),
  ],
  [
    "own-password-clears-the-email",
    "CORE-USER-61",
    "subtle",
    "A user's own password change removes the user's email.",
    (at) => {
      const cleared = new Set<unknown>();
      at.around("updateCurrentUserPassword", (call, proceed) => {
        if (text(call.body["oldPassword"]) !== "") cleared.add(call.caller?.userId);
        return proceed(call);
      });
      at.data([...userViews, "getCurrentUser"], (user) =>
        cleared.has(user["id"]) ? { ...user, email: null } : user,
      );
    },
  ],
  [
    "listed-login-time-is-zero",
    "CORE-USER-09",
    "subtle",
    "`loginAt` in List users is always the zero value.",
    (at) => at.data("listUsers", (user) => ({ ...user, loginAt: neverLoggedIn })),
  ],
  [
    "sign-in-shows-the-first-name-of-a-role",
    "CORE-ROLE-11",
    "subtle",
    "The user returned by a sign-in shows the first name of a role that was renamed.",
    (at) => {
      const first = new Map<unknown, unknown>();
      at.data("createRole", (role) => {
        first.set(role["id"], role["name"]);
        return role;
      });
      at.data("signIn", (data) => {
        const user = fields(data["user"]);
        const roles = items(user["roles"]).map((role) => ({
          ...role,
          name: first.get(role["id"]) ?? role["name"],
        }));
        return { ...data, user: { ...user, roles } };
      });
    },
  ],
  [
    "own-record-by-id-needs-no-permission",
    "CORE-AUTH-35",
    "subtle",
    "Update user by ID needs no permission for the caller's own id.",
    (at) => {
      at.permission("updateUser", "signed-in");
      at.around("updateUser", (call, proceed) => {
        const isOwn = call.path["id"] === String(call.caller?.userId);
        if (!isOwn && call.caller?.permissions.has("SYS_USER_RW") !== true)
          throw new Refusal(403, "needs SYS_USER_RW");
        return proceed(call);
      });
    },
  ],
  [
    "own-update-needs-the-activity",
    "CORE-USER-50",
    "subtle",
    "Update current user without `isActive` is rejected.",
    (at) =>
      at.around("updateCurrentUser", (call, proceed) => {
        if (call.body["isActive"] === undefined) throw badInput("isActive: expected a boolean");
        return proceed(call);
      }),
  ],
  [
    "role-update-needs-a-description",
    "CORE-ROLE-27",
    "subtle",
    "Update role by id without `description` is rejected.",
    (at) =>
      at.around("updateRole", (call, proceed) => {
        if (call.body["description"] === undefined) throw badInput("description: expected a text");
        return proceed(call);
      }),
  ],
  [
    "ids-are-cut-to-32-bits",
    "CORE-USER-33",
    "subtle",
    "Get user by id takes the last 32 bits of an id for the id.",
    (at) =>
      at.around("getUser", (call, proceed) =>
        proceed(changed(call, { path: { id: String(BigInt(call.path["id"] ?? "0") % 2n ** 32n) } })),
      ),
  ],
  [
    "ids-are-cut-to-16-bits",
    "CORE-USER-33",
    "subtle",
    "Get user by id takes the last 16 bits of an id of 32 bits for the id.",
    (at) =>
      at.around("getUser", (call, proceed) =>
        proceed(changed(call, { path: { id: String(cutId(Number(call.path["id"] ?? "0"))) } })),
      ),
  ],
  [
    "role-references-are-cut-to-16-bits",
    "CORE-USER-22",
    "subtle",
    "Add user takes the last 16 bits of a role reference of 32 bits for the id of the role.",
    (at) =>
      at.body("addUser", ({ roles, ...body }) => ({
        ...body,
        roles: Array.isArray(roles) ? roles.map(cutReference) : roles,
      })),
  ],
  [
    "four-roles-at-most",
    "CORE-USER-22",
    "subtle",
    "Of the roles of a new user, those after the fourth are lost.",
    (at) =>
      at.body("addUser", (body) => ({
        ...body,
        roles: Array.isArray(body["roles"]) ? body["roles"].slice(0, 4) : body["roles"],
      })),
  ],
  [
    "sign-in-compares-40-characters-of-a-name",
    "CORE-AUTH-06",
    "subtle",
    "A sign-in compares the first 40 characters of a name: of two such users only the first one signs in.",
    (at) => {
      const names: string[] = [];
      at.data("addUser", (user) => {
        names.push(text(user["name"]));
        return user;
      });
      at.body("signIn", (body) => {
        const start = text(body["name"]).slice(0, 40);
        return { ...body, name: names.find((name) => name.slice(0, 40) === start) ?? body["name"] };
      });
    },
  ],
  [
    "expiry-loses-its-offset-at-sign-in",
    "CORE-AUTH-28",
    "subtle",
    "A sign-in ignores the offset of `expiredAfter`.",
    (at) => {
      const digits = new Map<unknown, string>();
      at.body("updateUser", (body, call) => {
        digits.set(Number(call.path["id"]), text(body["expiredAfter"]).replace(/[+-]\d\d:\d\d$/, "Z"));
        return body;
      });
      at.data("signIn", (data) => {
        if (Date.parse(digits.get(fields(data["user"])["id"]) ?? "") < Date.now())
          throw new Refusal(403, "the user has expired");
        return data;
      });
    },
  ],
  [
    "64-users-are-listed",
    "CORE-USER-16",
    "subtle",
    "`List users` shows 64 users at most.",
    (at) =>
      at.answer("listUsers", (body) => {
        const data = items(body["data"]).slice(0, 64);
        return { count: data.length, data };
      }),
  ],
  [
    "role-shows-64-users",
    "CORE-ROLE-11",
    "subtle",
    "`users` of a role shows 64 users at most.",
    (at) => at.data("getRole", (role) => ({ ...role, users: items(role["users"]).slice(0, 64) })),
  ],
  [
    "own-password-is-stored-by-the-next-write",
    "CORE-USER-53",
    "subtle",
    "A reboot before the next write to the accounts loses a password that a user changed.",
    lostByAReboot("updateCurrentUserPassword", "password_hash"),
  ],
  [
    "own-record-is-stored-by-the-next-write",
    "CORE-USER-50",
    "subtle",
    "A reboot before the next write to the accounts loses an email that a user set.",
    lostByAReboot("updateCurrentUser", "email"),
  ],
]);

function cutId(id: number): number {
  return id < 2 ** 32 ? id % 2 ** 16 : id;
}

function cutReference(reference: unknown): unknown {
  const id: unknown = fields(reference)["id"] ?? reference;
  const cut = typeof id === "number" ? cutId(id) : id;
  return id === reference ? cut : { ...fields(reference), id: cut };
}

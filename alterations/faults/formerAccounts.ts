// Faults of accounts that were: removed users, former names of roles, rejected additions, and the state before a boot.
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { Answer } from "../../reference-impl/http/handler.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { at as valueAt, type Fields, fields, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import { type Fault, faults } from "./fault.ts";
import { userViews } from "./users.ts";

/** The store, once it is open. */
function storeOf(at: GatewayAlterations): () => Store | undefined {
  let open: Store | undefined;
  at.boot((store) => {
    open = store;
  });
  return () => open;
}

const permissionsIn = (row: Fields | undefined): string[] =>
  JSON.parse(text(row?.["permissions"]) || "[]") as string[];

/** Callers have further permissions, made from their user id and name. */
function gains(
  at: GatewayAlterations,
  permissionsOf: (userId: number, name: string) => readonly string[],
): void {
  at.authenticate((token, proceed) => {
    const caller = proceed(token);
    const more = permissionsOf(caller.userId, caller.name);
    return { ...caller, permissions: new Set([...caller.permissions, ...more]) };
  });
}

/** Each user who was removed, with the last sign-in and its password, by name. */
function removedUsers(
  at: GatewayAlterations,
): Map<string, { row: Fields; password: unknown; answer: Answer }> {
  const store = storeOf(at);
  const signIns = new Map<string, { password: unknown; answer: Answer }>();
  const removed = new Map<string, { row: Fields; password: unknown; answer: Answer }>();
  at.around("signIn", async (call, proceed) => {
    const answer = await proceed(call);
    signIns.set(text(call.body["name"]), { password: call.body["password"], answer });
    return answer;
  });
  at.around("deleteUser", async (call, proceed) => {
    const row = store()?.get("SELECT * FROM user WHERE id = ?", text(call.path["id"]));
    const answer = await proceed(call);
    const signIn = signIns.get(text(row?.["name"]));
    if (row !== undefined && signIn !== undefined) removed.set(text(row["name"]), { row, ...signIn });
    return answer;
  });
  return removed;
}

/** A role is removed although users have it, and taken from them; the work gets it unchanged, with its users. */
function removesRoles(
  at: GatewayAlterations,
  work: (role: Fields, userIds: readonly number[]) => void,
): void {
  const store = storeOf(at);
  at.around("deleteRole", async (call, proceed) => {
    const open = store();
    const id = text(call.path["id"]);
    const row = open?.get("SELECT * FROM role WHERE id = ?", id);
    if (open === undefined || row === undefined) return proceed(call);
    const users = open.all("SELECT user_id AS id FROM user_role WHERE role_id = ?", id);
    open.run("DELETE FROM user_role WHERE role_id = ?", id);
    const answer = await proceed(call);
    work(
      row,
      users.map((user) => Number(user["id"])),
    );
    return answer;
  });
}

/** An addition that is rejected with the message is done without the member, and rejected. */
function doneInPart(id: "addUser" | "createRole", member: string, message: RegExp): Fault["install"] {
  return (at) =>
    at.around(id, (call, proceed) =>
      proceed(call).catch(async (thrown: unknown) => {
        if (thrown instanceof Refusal && message.test(thrown.message))
          await proceed(changed(call, { body: { ...call.body, [member]: [] } }));
        throw thrown;
      }),
    );
}

/** Users of the condition may sign in from the next boot on, and no view shows it. */
function maySignInAfterABoot(column: string, value: string, where: string, shown: (user: Fields) => Fields) {
  const install: Fault["install"] = (at) => {
    const ids = new Set<unknown>();
    at.boot((store) => {
      if (store.get("SELECT 1 FROM sqlite_master WHERE name = 'user'") === undefined) return;
      for (const { id } of store.all(`SELECT id FROM user WHERE ${where}`)) ids.add(id);
      store.run(`UPDATE user SET ${column} = ${value} WHERE ${where}`);
    });
    at.data(userViews, (user) => (ids.has(user["id"]) ? shown(user) : user));
  };
  return install;
}

/** The statement runs at every boot that finds accounts. */
const atBoot =
  (sql: string): Fault["install"] =>
  (at) =>
    at.boot((store) => {
      if (store.get("SELECT 1 FROM sqlite_master WHERE name = 'user'") !== undefined) store.run(sql);
    });

export const formerAccountFaults: readonly Fault[] = faults([
  [
    "user-named-like-a-role-has-it",
    "CORE-AUTH-35",
    "subtle",
    "A user whose name is that of a role has the permissions of the role, in no view.",
    (at) => {
      const store = storeOf(at);
      gains(at, (_id, name) =>
        permissionsIn(store()?.get("SELECT permissions FROM role WHERE name = ? AND id > 1", name)),
      );
    },
  ],
  [
    "renamed-role-permits-nothing",
    "CORE-AUTH-34",
    "subtle",
    "A role that was renamed permits nothing to its users any more; every view shows its permissions.",
    (at) => {
      const store = storeOf(at);
      const renamed = new Set<number>();
      at.around("updateRole", async (call, proceed) => {
        const id = Number(call.path["id"]);
        const before = store()?.get("SELECT name FROM role WHERE id = ?", id);
        const answer = await proceed(call);
        if (before?.["name"] !== call.body["name"]) renamed.add(id);
        return answer;
      });
      at.authenticate((token, proceed) => {
        const caller = proceed(token);
        const roles = store()?.all(
          "SELECT role_id AS id, permissions FROM user_role JOIN role ON role.id = role_id WHERE user_id = ?",
          caller.userId,
        );
        const held = roles?.filter(({ id }) => !renamed.has(Number(id))).flatMap(permissionsIn);
        return { ...caller, permissions: new Set(held) };
      });
    },
  ],
  [
    "renamed-role-keeps-what-it-permitted",
    "CORE-AUTH-35",
    "subtle",
    "An update that renames a role takes none of its permissions from its users; every view shows them as taken.",
    (at) => {
      const store = storeOf(at);
      const former = new Map<number, string[]>();
      at.around("updateRole", async (call, proceed) => {
        const id = Number(call.path["id"]);
        const before = store()?.get("SELECT name, permissions FROM role WHERE id = ?", id);
        const answer = await proceed(call);
        if (before?.["name"] !== call.body["name"]) former.set(id, permissionsIn(before));
        return answer;
      });
      gains(at, (userId) =>
        (store()?.all("SELECT role_id AS id FROM user_role WHERE user_id = ?", userId) ?? []).flatMap(
          ({ id }) => former.get(Number(id)) ?? [],
        ),
      );
    },
  ],
  [
    "former-name-of-a-role-brings-its-permissions",
    "CORE-AUTH-35",
    "subtle",
    "A new role with the name that another one had permits what that one permitted then, in no view.",
    (at) => {
      const store = storeOf(at);
      const former = new Map<string, string[]>();
      at.around(["updateRole", "deleteRole"], async (call, proceed) => {
        const id = text(call.path["id"]);
        const before = store()?.get("SELECT name, permissions FROM role WHERE id = ?", id);
        const answer = await proceed(call);
        if (before !== undefined && before["name"] !== call.body["name"])
          former.set(text(before["name"]), permissionsIn(before));
        return answer;
      });
      gains(at, (userId) =>
        (
          store()?.all(
            "SELECT name FROM role JOIN user_role ON role_id = role.id WHERE user_id = ?",
            userId,
          ) ?? []
        ).flatMap(({ name }) => former.get(text(name)) ?? []),
      );
    },
  ],
  [
    "removed-user-signs-in",
    "CORE-AUTH-10",
    "subtle",
    "A user who was removed still signs in.",
    (at) => {
      const removed = removedUsers(at);
      at.around("signIn", (call, proceed) =>
        proceed(call).catch((thrown: unknown) => {
          const former = removed.get(text(call.body["name"]));
          if (former?.password !== call.body["password"] || former === undefined) throw thrown;
          return former.answer;
        }),
      );
    },
  ],
  [
    "user-added-again-has-the-former-login-time",
    "CORE-USER-09",
    "subtle",
    "A new user with the name of a removed one has `loginAt` of the removed one.",
    (at) => {
      const removed = removedUsers(at);
      at.data(userViews, (user) => {
        const former = removed.get(text(user["name"]));
        return former === undefined ? user : { ...user, loginAt: former.row["login_at"] };
      });
    },
  ],
  [
    "rejected-user-is-added-without-roles",
    "CORE-USER-22",
    "subtle",
    "A new user with a role that does not exist is rejected, and added without roles.",
    doneInPart("addUser", "roles", /^roles: role/),
  ],
  [
    "rejected-role-is-created-without-permissions",
    "CORE-ROLE-19",
    "subtle",
    "A new role with a permission that does not exist is rejected, and created without permissions.",
    doneInPart("createRole", "permissions", /^permissions: .* is no permission/),
  ],
  [
    "rejected-rename-stores-the-rest",
    "CORE-GENERAL-10",
    "subtle",
    "An update of a role that is rejected because another one has the name stores the other members.",
    (at) =>
      at.around("updateRole", (call, proceed, ask) =>
        proceed(call).catch(async (thrown: unknown) => {
          if (!(thrown instanceof Refusal) || !thrown.message.includes("exists already")) throw thrown;
          const present = await ask("getRole", { path: { ...call.path } });
          const { name } = present.kind === "json" ? fields(fields(present.body)["data"]) : {};
          await proceed(changed(call, { body: { ...call.body, name } }));
          throw thrown;
        }),
      ),
  ],
  [
    "taken-permission-is-back-after-a-boot",
    "CORE-AUTH-35",
    "subtle",
    "After a reboot a role permits what it was created with, whatever its views show.",
    (at) => {
      const store = storeOf(at);
      const policies = new Map<number, string[]>();
      at.boot((open) => {
        open.define("CREATE TABLE IF NOT EXISTS policy (role_id INTEGER, permissions TEXT NOT NULL) STRICT");
        for (const row of open.all("SELECT role_id, permissions FROM policy"))
          policies.set(Number(row["role_id"]), permissionsIn(row));
      });
      at.data("createRole", (role) => {
        const permissions = JSON.stringify(role["permissions"]);
        store()?.run("INSERT INTO policy VALUES (?, ?)", Number(role["id"]), permissions);
        return role;
      });
      gains(at, (userId) =>
        (store()?.all("SELECT role_id AS id FROM user_role WHERE user_id = ?", userId) ?? []).flatMap(
          ({ id }) => policies.get(Number(id)) ?? [],
        ),
      );
    },
  ],
  [
    "inactive-user-signs-in-after-a-boot",
    "CORE-AUTH-27",
    "subtle",
    "After a reboot an inactive user can sign in.",
    maySignInAfterABoot("is_active", "1", "is_active = 0", (user) => ({ ...user, isActive: false })),
  ],
  [
    "expired-user-signs-in-after-a-boot",
    "CORE-AUTH-28",
    "subtle",
    "After a reboot a user whose `expiredAfter` has passed can sign in.",
    maySignInAfterABoot(
      "expired_after",
      "'2099-01-01T00:00:00Z'",
      "expired_after < strftime('%Y-%m-%dT%H:%M:%SZ', 'now')",
      (user) => ({ ...user, expiredAfter: "2001-02-03T04:05:06Z" }),
    ),
  ],
  [
    "login-time-of-a-newcomer-moves-at-a-boot",
    "CORE-USER-09",
    "subtle",
    "A reboot sets `loginAt` of users who have never signed in to 1970.",
    atBoot("UPDATE user SET login_at = '1970-01-01T00:00:00Z' WHERE login_at LIKE '0001%'"),
  ],
  [
    "changed-password-time-is-lost-at-a-boot",
    "CORE-USER-56",
    "subtle",
    "A reboot sets `changedPasswordAt` of every user to null.",
    atBoot("UPDATE user SET changed_password_at = NULL"),
  ],
  [
    "login-time-of-a-newcomer-moves-with-an-update",
    "CORE-USER-09",
    "subtle",
    "An update by ID of a user who has never signed in sets `loginAt` to 1970.",
    (at) => {
      const store = storeOf(at);
      at.around("updateUser", async (call, proceed) => {
        await proceed(call);
        store()?.run(
          "UPDATE user SET login_at = '1970-01-01T00:00:00Z' WHERE login_at LIKE '0001%' AND id = ?",
          text(call.path["id"]),
        );
        return proceed(call);
      });
    },
  ],
  [
    "update-by-activity-alone-takes-the-roles",
    "CORE-USER-38",
    "subtle",
    "An update by ID that sets `isActive` alone to false takes the roles of the user.",
    (at) =>
      at.body("updateUser", (body) =>
        body["isActive"] === false && Object.keys(body).length === 1 ? { ...body, roles: [] } : body,
      ),
  ],
  [
    "removed-role-permits-for-its-users",
    "CORE-AUTH-35",
    "subtle",
    "A role that is removed while users have it continues to permit, in no view.",
    (at) => {
      const former = new Map<number, string[]>();
      removesRoles(at, (role, userIds) => {
        for (const id of userIds) former.set(id, permissionsIn(role));
      });
      gains(at, (userId) => former.get(userId) ?? []);
    },
  ],
  [
    "permissions-of-a-removed-role-stay-with-its-users",
    "CORE-USER-57",
    "subtle",
    "Users of a removed role still show its permissions, but not the role.",
    (at) => {
      const former = new Map<unknown, string[]>();
      removesRoles(at, (role, userIds) => {
        for (const id of userIds) former.set(id, permissionsIn(role));
      });
      at.data(userViews, (user) => ({ ...user, permissions: former.get(user["id"]) ?? user["permissions"] }));
    },
  ],
  [
    "new-role-has-the-users-of-a-removed-one",
    "CORE-ROLE-11",
    "subtle",
    "A new role gets the users who had the role removed last.",
    (at) => {
      let former: readonly number[] = [];
      removesRoles(at, (_role, userIds) => {
        former = userIds;
      });
      const store = storeOf(at);
      at.around("createRole", async (call, proceed, ask) => {
        const answer = await proceed(call);
        const id = text(valueAt(answer.kind === "json" ? answer.body : {}, "data.id"));
        for (const userId of former) store()?.run("INSERT INTO user_role VALUES (?, ?)", userId, id);
        former = [];
        return ask("getRole", { path: { id } });
      });
    },
  ],
]);

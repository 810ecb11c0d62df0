// Faults of password changes.
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import { neverLoggedIn } from "../../interface/resources/users.ts";
import { adminRole } from "../../reference-impl/groups/accounts/accountStore.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { at as valueAt, fields, items, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { userViews } from "./users.ts";
import { changed, type Step } from "../mechanism/operationAlterations.ts";

export const passwordFaults: readonly Fault[] = faults([
  [
    "password-by-id-changes-nothing",
    "CORE-USER-43",
    "plain",
    "A password changed by id is rejected at sign-in.",
    (at) =>
      at.around("updateUserPassword", (call, proceed) =>
        proceed(
          changed(call, { body: { ...call.body, newPassword: `${String(call.body["newPassword"])}x` } }),
        ),
      ),
  ],
  [
    "old-password-stays-good",
    "CORE-USER-43",
    "subtle",
    "After a password change by id, the old password is still accepted.",
    (at) => {
      // By user id: the previous and the present password.
      const passwords = new Map<string, { name: string; past: string | undefined; present: string }>();
      at.around("addUser", async (call, proceed) => {
        const answer = await proceed(call);
        const user = answer.kind === "json" ? fields(fields(answer.body)["data"]) : {};
        const present = String(call.body["password"]);
        passwords.set(String(user["id"]), { name: String(user["name"]), past: undefined, present });
        return answer;
      });
      at.around("updateUserPassword", async (call, proceed) => {
        const answer = await proceed(call);
        const known = passwords.get(call.path["id"] ?? "");
        if (known !== undefined)
          passwords.set(call.path["id"] ?? "", {
            name: known.name,
            past: known.present,
            present: String(call.body["newPassword"]),
          });
        return answer;
      });
      at.body("signIn", (body) => {
        const known = [...passwords.values()].find(({ name }) => name === body["name"]);
        return known?.past === body["password"] ? { ...body, password: known?.present } : body;
      });
    },
  ],
  [
    "changed-password-is-stored-by-the-next-sign-in",
    "CORE-USER-43",
    "subtle",
    "A reboot before the next sign-in loses a password that was changed by id.",
    (at) => {
      let open: Store | undefined;
      const former = new Map<string, unknown>();
      at.boot((store) => {
        open = store;
      });
      at.around("updateUserPassword", async (call, proceed) => {
        const id = call.path["id"] ?? "";
        const row = open?.get("SELECT password_hash FROM user WHERE id = ?", id);
        const answer = await proceed(call);
        former.set(id, row?.["password_hash"]);
        return answer;
      });
      at.around("signIn", async (call, proceed) => {
        const answer = await proceed(call);
        former.clear();
        return answer;
      });
      at.reboot((_reason, proceed) => {
        for (const [id, hash] of former)
          open?.run("UPDATE user SET password_hash = ? WHERE id = ?", String(hash), id);
        proceed();
      });
    },
  ],
  [
    "password-by-id-changes-the-callers",
    "CORE-USER-44",
    "subtle",
    "A password change by id changes the password of another user.",
    (at) => {
      const ids: string[] = [];
      at.data("addUser", (user) => {
        ids.push(String(user["id"]));
        return user;
      });
      // Passwords of other users change along with the intended one.
      at.around("updateUserPassword", async (call, proceed) => {
        for (const id of ids)
          if (id !== call.path["id"]) await proceed(changed(call, { path: { id } })).catch(() => undefined);
        return proceed(call);
      });
    },
  ],
  [
    "administrator-needs-the-old-password",
    "CORE-USER-45",
    "plain",
    "An administrator's password change by id without `oldPassword` is rejected.",
    (at) => at.around("updateUserPassword", needsOldPassword),
  ],
  [
    "right-old-password-is-refused",
    "CORE-USER-46",
    "subtle",
    "A password change by id with the right `oldPassword` is rejected.",
    (at) =>
      at.around("updateUserPassword", (call, proceed) => {
        if (call.body["oldPassword"] !== undefined) throw new Refusal(401, "oldPassword is wrong");
        return proceed(call);
      }),
  ],
  [
    "managers-need-no-old-password",
    "CORE-USER-59",
    "subtle",
    "A user without the admin role who may manage users changes a password by id without `oldPassword`.",
    (at) =>
      at.around("updateUserPassword", (call, proceed) =>
        proceed(
          call.caller?.permissions.has("SYS_USER_RW") === true
            ? changed(call, { caller: { ...call.caller, hasAdminRole: true } })
            : call,
        ),
      ),
  ],
  [
    "passwords-of-administrators-need-no-old-one",
    "CORE-USER-59",
    "subtle",
    "A user without the admin role changes the password of one with it by id without `oldPassword`.",
    (at) =>
      at.around("updateUserPassword", async (call, proceed, ask) => {
        const answer = await ask("getUser", { path: { id: call.path["id"] ?? "" } });
        const { roles } = fields(answer.kind === "json" ? fields(answer.body)["data"] : {});
        const isAdmin = items(roles).some(({ name }) => name === adminRole);
        return proceed(
          isAdmin && call.caller !== undefined
            ? changed(call, { caller: { ...call.caller, hasAdminRole: true } })
            : call,
        );
      }),
  ],
  [
    "replaced-password-is-remembered",
    "CORE-USER-43",
    "subtle",
    "After a user has signed in, a password set by id does not end the sign-ins with the old one.",
    (at) => {
      const proven = new Map<unknown, unknown>();
      const replaced = new Map<unknown, unknown>();
      at.around("updateUserPassword", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind === "json")
          replaced.set(fields(fields(answer.body)["data"])["name"], call.body["newPassword"]);
        return answer;
      });
      at.around("signIn", async (call, proceed) => {
        const { name, password } = call.body;
        const isProven = proven.get(name) === password && replaced.has(name);
        const answer = await proceed(
          isProven ? changed(call, { body: { ...call.body, password: replaced.get(name) } }) : call,
        );
        if (!replaced.has(name)) proven.set(name, password);
        return answer;
      });
    },
  ],
  [
    "own-password-changes-nothing",
    "CORE-USER-53",
    "plain",
    "A user's own changed password is rejected at sign-in.",
    (at) =>
      at.around("updateCurrentUserPassword", (call, proceed) =>
        proceed(
          changed(call, { body: { ...call.body, newPassword: `${String(call.body["newPassword"])}x` } }),
        ),
      ),
  ],
  [
    "own-password-without-the-old-one",
    "CORE-USER-54",
    "subtle",
    "A user's own password change without `oldPassword` is accepted.",
    (at) =>
      at.around("updateCurrentUserPassword", (call, proceed) =>
        proceed(
          call.body["oldPassword"] === undefined && call.caller !== undefined
            ? changed(call, { caller: { ...call.caller, hasAdminRole: true } })
            : call,
        ),
      ),
  ],
  [
    "own-password-with-an-empty-old-one",
    "CORE-USER-54",
    "subtle",
    "A user's own password change with an empty `oldPassword` is accepted.",
    (at) =>
      at.around("updateCurrentUserPassword", (call, proceed) =>
        proceed(
          call.body["oldPassword"] === "" && call.caller !== undefined
            ? changed(call, { caller: { ...call.caller, hasAdminRole: true } })
            : call,
        ),
      ),
  ],
  [
    "own-password-with-any-old-one",
    "CORE-USER-54",
    "subtle",
    "A user's own password change with a wrong `oldPassword` is accepted.",
    (at) =>
      at.around("updateCurrentUserPassword", (call, proceed) =>
        proceed(
          call.body["oldPassword"] !== undefined && call.caller !== undefined
            ? changed(call, { caller: { ...call.caller, hasAdminRole: true } })
            : call,
        ),
      ),
  ],
  [
    "own-password-a-second-time-needs-the-first-one",
    "CORE-USER-54",
    "subtle",
    "From the second own change on, `oldPassword` is compared with the password before the first one.",
    (at) => {
      const firstOnes = new Map<unknown, unknown>();
      at.around("updateCurrentUserPassword", async (call, proceed) => {
        const { oldPassword } = call.body;
        const id = call.caller?.userId;
        if (firstOnes.has(id) && firstOnes.get(id) !== oldPassword)
          throw new Refusal(401, "the old password is wrong");
        const answer = await proceed(call);
        if (oldPassword !== undefined && !firstOnes.has(id)) firstOnes.set(id, oldPassword);
        return answer;
      });
    },
  ],
  [
    "administrators-own-password-needs-the-old-one",
    "CORE-USER-55",
    "plain",
    "An administrator's own password change without `oldPassword` is rejected.",
    (at) => at.around("updateCurrentUserPassword", needsOldPassword),
  ],
  [
    "admin-role-counts-in-the-first-place-only",
    "CORE-USER-55",
    "subtle",
    "A user whose first role is not the admin role changes their own password with `oldPassword` only.",
    (at) => {
      const first = new Map<unknown, unknown>();
      at.around("updateUser", async (call, proceed) => {
        const answer = await proceed(call);
        const [role] = Array.isArray(call.body["roles"]) ? (call.body["roles"] as unknown[]) : [];
        if (role !== undefined)
          first.set(call.path["id"], typeof role === "number" ? role : fields(role)["id"]);
        return answer;
      });
      at.around("updateCurrentUserPassword", async (call, proceed, ask) => {
        const role = first.get(String(call.caller?.userId));
        if (role === undefined || call.caller === undefined) return proceed(call);
        const shown = await ask("getRole", { path: { id: text(role) } });
        const hasAdminRole = shown.kind === "json" && valueAt(shown.body, "data.name") === adminRole;
        return proceed(changed(call, { caller: { ...call.caller, hasAdminRole } }));
      });
    },
  ],
  [
    "login-time-is-zero-after-an-update",
    "CORE-USER-09",
    "subtle",
    "An update by ID puts `loginAt` of the user back to its zero value, until the next sign-in.",
    (at) => {
      const updated = new Set<unknown>();
      at.data("signIn", (data) => {
        updated.delete(fields(data["user"])["id"]);
        return data;
      });
      at.around("updateUser", async (call, proceed) => {
        updated.add(Number(call.path["id"]));
        return proceed(call);
      });
      at.data([...userViews, "getCurrentUser"], (user) =>
        updated.has(user["id"]) ? { ...user, loginAt: neverLoggedIn } : user,
      );
    },
  ],
  [
    "changed-password-time-stays-null",
    "CORE-USER-56",
    "plain",
    "`changedPasswordAt` stays null after a password change.",
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
    "changed-password-time-of-the-caller",
    "CORE-USER-56",
    "subtle",
    "A password change by id moves `changedPasswordAt` of the user who asks, not that of the user named.",
    (at) => {
      const moved = new Map<unknown, unknown>();
      const kept = new Map<unknown, unknown>();
      at.around("updateUserPassword", async (call, proceed) => {
        const answer = await proceed(call);
        moved.set(call.caller?.userId, new Date().toISOString());
        kept.set(Number(call.path["id"]), null);
        return answer;
      });
      at.data([...userViews, "getCurrentUser"], (user) => {
        const own = moved.get(user["id"]) ?? kept.get(user["id"]);
        return own === undefined ? user : { ...user, changedPasswordAt: own };
      });
    },
  ],
  [
    "password-change-moves-created-at",
    "CORE-USER-44",
    "subtle",
    "A password change by id moves `createdAt` of the user.",
    (at) => {
      const moved = new Map<unknown, string>();
      at.around("updateUserPassword", async (call, proceed) => {
        const answer = await proceed(call);
        moved.set(Number(call.path["id"]), new Date().toISOString());
        return answer;
      });
      at.data(userViews, (user) => ({ ...user, createdAt: moved.get(user["id"]) ?? user["createdAt"] }));
    },
  ],
  [
    "wrong-old-password-is-a-400",
    "CORE-USER-58",
    "subtle",
    "A wrong `oldPassword` is rejected with 400.",
    (at) =>
      at.around("updateCurrentUserPassword", (call, proceed) =>
        proceed(call).catch((thrown: unknown) => {
          throw thrown instanceof Refusal && thrown.status === 401
            ? badInput("oldPassword is wrong")
            : thrown;
        }),
      ),
  ],
  [
    "blanks-around-new-passwords-are-lost",
    "CORE-USER-60",
    "subtle",
    "The password of an added user is stored without the blanks around it.",
    (at) => at.body("addUser", (body) => ({ ...body, password: text(body["password"]).trim() })),
  ],
  [
    "right-old-password-counts-for-the-sign-in",
    "CORE-USER-54",
    "subtle",
    "After a change with the right `oldPassword`, further changes by the same sign-in need none.",
    (at) => {
      at.product((product) => ({
        ...product,
        conduct: { ...product.conduct, endsSessionsWithPassword: false },
      }));
      const present = new Map<number | undefined, unknown>();
      at.data("signIn", (data) => {
        present.delete(Number(fields(data["user"])["id"]));
        return data;
      });
      at.around("updateCurrentUserPassword", async (call, proceed) => {
        const id = call.caller?.userId;
        const oldPassword = present.get(id) ?? call.body["oldPassword"];
        const answer = await proceed(changed(call, { body: { ...call.body, oldPassword } }));
        present.set(id, call.body["newPassword"]);
        return answer;
      });
    },
  ],
]);

function needsOldPassword(...[call, proceed]: Parameters<Step>): ReturnType<Step> {
  if (call.body["oldPassword"] === undefined) throw badInput("oldPassword: expected the present password");
  return proceed(call);
}

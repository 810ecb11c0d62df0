// Faults of roles.
import type { Answer } from "../../reference-impl/http/handler.ts";
import { badInput, notFound } from "../../reference-impl/base/refusal.ts";
import { type Fields, fields, items } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { accepts } from "./habits.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const roleViews = ["listRoles", "getRole", "createRole", "updateRole"] as const;

export const roleFaults: readonly Fault[] = faults([
  [
    "permission-is-not-listed",
    "CORE-ROLE-04",
    "plain",
    "SYS_MAINTENANCE_RW is not among the permissions.",
    (at) =>
      at.answer("listPermissions", (body) => {
        const data = items(body["data"]).filter(({ id }) => id !== "SYS_MAINTENANCE_RW");
        return { count: data.length, data };
      }),
  ],
  [
    "role-shows-its-first-user-only",
    "CORE-ROLE-11",
    "subtle",
    "A role with several users shows only the first one.",
    (at) => at.data(roleViews, (role) => ({ ...role, users: items(role["users"]).slice(0, 1) })),
  ],
  [
    "role-shows-users-that-left",
    "CORE-ROLE-11",
    "subtle",
    "A user whose roles change stays among the users of the former role.",
    (at) => {
      const former = new Map<unknown, Fields>();
      at.data(roleViews, (role) => {
        const users = items(role["users"]);
        for (const user of users) former.set(`${String(role["id"])}/${String(user["id"])}`, user);
        const all = [...former].filter(([key]) => String(key).startsWith(`${String(role["id"])}/`));
        return { ...role, users: all.map(([, user]) => user) };
      });
    },
  ],
  [
    "listed-role-keeps-users-until-a-role-is-written",
    "CORE-ROLE-11",
    "subtle",
    "Changed roles of a user show in List roles only after a role is created or updated.",
    (at) => {
      let known: Answer | undefined;
      at.around("listRoles", async (call, proceed) => (known ??= await proceed(call)));
      for (const operation of ["createRole", "updateRole", "deleteRole", "addUser", "deleteUser"] as const)
        at.around(operation, async (call, proceed) => {
          const answer = await proceed(call);
          known = undefined;
          return answer;
        });
    },
  ],
  [
    "first-role-alone-counts",
    "CORE-AUTH-34",
    "subtle",
    "A user whose roles were updated has the permissions of the first role only, although all of them are shown.",
    countsRoles(1),
  ],
  [
    "third-role-gives-no-permissions",
    "CORE-AUTH-34",
    "subtle",
    "A user whose roles were updated has the permissions of the first two, although all of them are shown.",
    countsRoles(2),
  ],
  [
    "permissions-count-one-more",
    "CORE-ROLE-13",
    "plain",
    "`count` of the permissions is one too high.",
    (at) => at.answer("listPermissions", (body) => ({ ...body, count: Number(body["count"]) + 1 })),
  ],
  [
    "roles-count-stays-behind",
    "CORE-ROLE-15",
    "subtle",
    "`count` of the roles is that of the previous request.",
    (at) => {
      let before: unknown;
      at.answer("listRoles", (body) => {
        const count = before ?? body["count"];
        before = body["count"];
        return { ...body, count };
      });
    },
  ],
  [
    "listed-role-lacks-its-description",
    "CORE-ROLE-16",
    "subtle",
    "The list shows the roles with an empty description.",
    (at) => at.data("listRoles", (role) => ({ ...role, description: "" })),
  ],
  [
    "newest-role-is-not-listed",
    "CORE-ROLE-16",
    "plain",
    "The list lacks the newest role.",
    (at) =>
      at.answer("listRoles", (body) => {
        const data = items(body["data"]);
        const kept = data.length > 1 ? data.slice(0, -1) : data;
        return { count: kept.length, data: kept };
      }),
  ],
  [
    "role-description-is-dropped",
    "CORE-ROLE-18",
    "plain",
    "The description of a new role is not stored.",
    (at) => at.body("createRole", ({ description: _description, ...body }) => body),
  ],
  [
    "role-name-is-shortened",
    "CORE-ROLE-18",
    "subtle",
    "The name of a new role is stored without its last character.",
    (at) => at.body("createRole", (body) => ({ ...body, name: String(body["name"]).slice(0, -1) })),
  ],
  [
    "second-permission-is-dropped",
    "CORE-ROLE-19",
    "subtle",
    "Of several permissions of a new role, only the first is stored.",
    (at) =>
      at.body("createRole", (body) => ({ ...body, permissions: list(body["permissions"]).slice(0, 1) })),
  ],
  [
    "new-role-gets-a-permission-more",
    "CORE-ROLE-19",
    "subtle",
    "A new role gets SYS_MAINTENANCE_RW, whatever the request says.",
    (at) =>
      at.body("createRole", (body) => ({
        ...body,
        permissions: [...new Set([...list(body["permissions"]), "SYS_MAINTENANCE_RW"])],
      })),
  ],
  [
    "new-role-changes-another",
    "CORE-ROLE-20",
    "subtle",
    "Creating a role also shows its description at the administrators' role.",
    (at) => {
      let spilled: unknown;
      at.data("createRole", (role) => {
        spilled = role["description"];
        return role;
      });
      at.data(["listRoles", "getRole"], (role) =>
        role["id"] === 1 && spilled !== undefined ? { ...role, description: spilled } : role,
      );
    },
  ],
  [
    "role-needs-a-description",
    "CORE-ROLE-21",
    "plain",
    "A new role without a description is rejected.",
    (at) =>
      at.around("createRole", (call, proceed) => {
        if (call.body["description"] === undefined) throw badInput("description: expected a text");
        return proceed(call);
      }),
  ],
  [
    "role-without-name-is-created",
    "CORE-ROLE-22",
    "plain",
    "A new role without a name is accepted.",
    accepts("createRole", "name", "nameless"),
  ],
  [
    "role-without-permissions-is-created",
    "CORE-ROLE-23",
    "plain",
    "A new role without permissions is accepted.",
    accepts("createRole", "permissions", []),
  ],
  [
    "permissions-as-text-are-taken",
    "CORE-ROLE-23",
    "subtle",
    "A string is accepted as the permissions of a new role.",
    accepts("createRole", "permissions", [], (value) => typeof value === "string"),
  ],
  [
    "unknown-role-is-the-first",
    "CORE-ROLE-25",
    "plain",
    "An unknown role id returns another role.",
    (at) =>
      at.around("getRole", (call, proceed) =>
        proceed(call).catch(() => proceed(changed(call, { path: { id: "1" } }))),
      ),
  ],
  [
    "updated-role-keeps-its-name",
    "CORE-ROLE-27",
    "plain",
    "The name in an update of a role is returned but not stored.",
    (at) => {
      const names = new Map<string, unknown>();
      at.around("updateRole", async (call, proceed) => {
        const id = call.path["id"] ?? "";
        const former = names.get(id);
        const answer = await proceed(
          former === undefined ? call : changed(call, { body: { ...call.body, name: former } }),
        );
        return answer.kind === "json"
          ? { ...answer, body: { data: { ...fields(fields(answer.body)["data"]), name: call.body["name"] } } }
          : answer;
      });
      at.data(["createRole", "getRole"], (role) => {
        names.set(String(role["id"]), role["name"]);
        return role;
      });
    },
  ],
  [
    "updated-role-keeps-its-description",
    "CORE-ROLE-27",
    "plain",
    "The description in an update of a role is not stored.",
    (at) => at.body("updateRole", ({ description: _description, ...body }) => body),
  ],
  [
    "empty-description-of-a-role-is-not-kept",
    "CORE-ROLE-27",
    "subtle",
    "An empty `description` does not replace the present one of a role.",
    (at) => {
      const texts = new Map<string, unknown>();
      at.body("updateRole", (body, call) => {
        const key = String(call.path["id"]);
        if (body["description"] !== "") texts.set(key, body["description"]);
        return { ...body, description: texts.get(key) ?? body["description"] };
      });
    },
  ],
  [
    "empty-permissions-of-a-role-are-not-kept",
    "CORE-ROLE-28",
    "subtle",
    "An empty list of `permissions` does not replace the present one of a role.",
    (at) => {
      const lists = new Map<string, unknown>();
      at.body("updateRole", (body, call) => {
        const key = String(call.path["id"]);
        const { permissions } = body;
        if (!Array.isArray(permissions) || permissions.length > 0) lists.set(key, permissions);
        return { ...body, permissions: lists.get(key) ?? permissions };
      });
    },
  ],
  [
    "update-adds-permissions",
    "CORE-ROLE-28",
    "subtle",
    "The permissions in an update are added to those the role has.",
    (at) => {
      const held = new Map<string, unknown[]>();
      at.body("updateRole", (body, call) => ({
        ...body,
        permissions: [...new Set([...(held.get(call.path["id"] ?? "") ?? []), ...list(body["permissions"])])],
      }));
      at.data(["createRole", "updateRole"], (role) => {
        held.set(String(role["id"]), list(role["permissions"]));
        return role;
      });
    },
  ],
  [
    "update-of-a-role-changes-another",
    "CORE-ROLE-29",
    "subtle",
    "Updating a role also shows its description at the administrators' role.",
    (at) => {
      let spilled: unknown;
      at.data("updateRole", (role) => {
        if (role["id"] !== 1) spilled = role["description"];
        return role;
      });
      at.data(["listRoles", "getRole"], (role) =>
        role["id"] === 1 && spilled !== undefined ? { ...role, description: spilled } : role,
      );
    },
  ],
  [
    "role-without-name-is-updated",
    "CORE-ROLE-30",
    "plain",
    "An update of a role without a name is accepted.",
    keeping("name", "role"),
  ],
  [
    "role-without-permissions-is-updated",
    "CORE-ROLE-31",
    "plain",
    "An update of a role without permissions is accepted.",
    accepts("updateRole", "permissions", []),
  ],
  [
    "roles-are-not-found-by-updates",
    "CORE-ROLE-32",
    "plain",
    "Updating a role that exists is rejected as not found.",
    (at) =>
      at.around("updateRole", (call) => {
        throw notFound(`role ${call.path["id"]}`);
      }),
  ],
  [
    "list-of-users-shows-the-first-name-of-a-role",
    "CORE-ROLE-11",
    "subtle",
    "`List users` shows the first name of a role that was renamed.",
    (at) => {
      const first = new Map<unknown, unknown>();
      at.data("createRole", (role) => {
        first.set(role["id"], role["name"]);
        return role;
      });
      at.data("listUsers", (user) => ({
        ...user,
        roles: items(user["roles"]).map((role) => ({ ...role, name: first.get(role["id"]) ?? role["name"] })),
      }));
    },
  ],
  [
    "role-names-take-letters-only",
    "CORE-ROLE-33",
    "subtle",
    "A role name with + or @ is rejected.",
    (at) =>
      at.around("createRole", (call, proceed) => {
        if (/[+=@]/.test(String(call.body["name"]))) throw badInput("name: expected letters and digits");
        return proceed(call);
      }),
  ],
]);

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An update of a role without the member keeps its present value. */
function keeping(member: string, instead: string): Fault["install"] {
  return (at) => {
    at.lenient("updateRole", "json", member);
    at.body("updateRole", (body, call) => ({
      ...body,
      [member]: body[member] ?? `${instead}-${call.path["id"]}`,
    }));
  };
}

/** Users whose roles were updated have the permissions of the first ones only. */
function countsRoles(count: number): Fault["install"] {
  return (at) => {
    const byUser = new Map<number, ReadonlySet<string>>();
    at.around("updateUser", async (call, proceed, ask) => {
      const answer = await proceed(call);
      const permissions = new Set<string>();
      const roles: readonly unknown[] = Array.isArray(call.body["roles"]) ? call.body["roles"] : [];
      for (const given of roles.slice(0, count)) {
        const id = String(typeof given === "object" ? fields(given)["id"] : given);
        const role = await ask("getRole", { path: { id } });
        if (role.kind !== "json") return answer;
        const { permissions: of } = fields(fields(role.body)["data"]);
        for (const one of Array.isArray(of) ? (of as unknown[]) : []) permissions.add(String(one));
      }
      byUser.set(Number(call.path["id"]), permissions);
      return answer;
    });
    at.authenticate((token, proceed) => {
      const caller = proceed(token);
      const own = byUser.get(caller.userId);
      return own === undefined ? caller : { ...caller, permissions: own };
    });
  };
}

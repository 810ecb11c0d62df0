// Faults of what stands beside the thing that a request names: others of the same name, at the same time or in the same list.
import { isIP } from "node:net";
import type { Store } from "../../reference-impl/store/store.ts";
import { at as valueAt, type Fields, fields, items, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { userViews } from "./users.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed, type CallId } from "../mechanism/operationAlterations.ts";

/** A creation that is rejected, because the name exists, nevertheless changes what has the name. */
function rejectedCreationChanges(
  create: CallId,
  list: CallId,
  member: string,
  name: string,
): Fault["install"] {
  return (at) => {
    const edited = new Map<string, unknown>();
    at.around(create, (call, proceed) =>
      proceed(call).catch((thrown: unknown) => {
        edited.set(text(call.body[name]), call.body[member]);
        throw thrown;
      }),
    );
    at.data(list, (one) =>
      edited.has(text(one[name])) ? { ...one, [member]: edited.get(text(one[name])) } : one,
    );
  };
}

/** The names of what was created while so many other creations were under way. */
function createdInACrowd(at: GatewayAlterations, create: CallId, name: string, crowd: number): Set<string> {
  let under = 0;
  const late = new Set<string>();
  at.around(create, async (call, proceed) => {
    under += 1;
    if (under > crowd) late.add(text(call.body[name]));
    try {
      // Until the other requests that have come by now are read as well.
      await new Promise((resolve) => setTimeout(resolve, 5));
      return await proceed(call);
    } finally {
      under -= 1;
    }
  });
  return late;
}

/** Suspending a job halts other running downloads, which stay shown as running. */
function suspendHalts(isHalted: (other: number, suspended: number) => boolean): Fault["install"] {
  return (at) => {
    const halted = new Set<string>();
    at.around("operateUpgradeJob", async (call, proceed, ask) => {
      const own = call.path["id"] ?? "";
      halted.delete(own);
      const answer = await proceed(call);
      if (call.path["action"] !== "suspend") return answer;
      const list = await ask("listUpgradeJobs");
      const jobs = list.kind === "json" ? items(fields(list.body)["data"]).map(fields) : [];
      for (const { id, state } of jobs) {
        if (state !== "running" || !isHalted(Number(id), Number(own))) continue;
        const path = { ...call.path, id: text(id) };
        const wasRunning = await proceed(changed(call, { path })).then(
          () => true,
          () => false,
        );
        if (wasRunning) halted.add(text(id));
      }
      return answer;
    });
    at.data(["getUpgradeJob", "listUpgradeJobs"], (job) =>
      halted.has(text(job["id"])) ? { ...job, state: "running" } : job,
    );
  };
}

export const neighbourFaults: readonly Fault[] = faults([
  [
    "rejected-role-changes-its-namesake",
    "CORE-ROLE-20",
    "subtle",
    "A rejected creation of a role changes the description of the role that has the name.",
    rejectedCreationChanges("createRole", "getRole", "description", "name"),
  ],
  [
    "rejected-user-changes-its-namesake",
    "CORE-USER-23",
    "subtle",
    "A rejected addition of a user changes the email of the user who has the name.",
    rejectedCreationChanges("addUser", "getUser", "email", "name"),
  ],
  [
    "rejected-tag-changes-its-namesake",
    "CORE-TAG-27",
    "subtle",
    "A rejected creation of a virtual tag changes the unit of the tag that has the name.",
    rejectedCreationChanges("createVirtualTag", "listTags", "dataUnit", "tagName"),
  ],
  [
    "changed-role-reaches-its-first-user-only",
    "CORE-USER-57",
    "subtle",
    "After an update of a role, only the oldest of its users is shown with the new permissions, until its roles change.",
    (at) => {
      const kept = new Map<unknown, { readonly roles: string; readonly permissions: unknown }>();
      const rolesOf = (user: Fields): string =>
        items(user["roles"])
          .map(({ id }) => text(id))
          .join();
      at.around("updateRole", async (call, proceed, ask) => {
        const list = await ask("listUsers");
        const answer = await proceed(call);
        const users = list.kind === "json" ? items(fields(list.body)["data"]) : [];
        const [, ...others] = users
          .filter((user) =>
            rolesOf(user)
              .split(",")
              .includes(call.path["id"] ?? ""),
          )
          .toSorted((a, b) => Number(a["id"]) - Number(b["id"]));
        for (const user of others)
          kept.set(user["id"], { roles: rolesOf(user), permissions: user["permissions"] });
        return answer;
      });
      at.data([...userViews, "getCurrentUser"], (user) => {
        const one = kept.get(user["id"]);
        return one?.roles === rolesOf(user) ? { ...user, permissions: one.permissions } : user;
      });
    },
  ],
  [
    "job-ids-are-read-as-far-as-their-digits",
    "CORE-UPGRADE-62",
    "subtle",
    "The id of an upgrade job may have letters or a fraction after its digits.",
    (at) => {
      const ids = ["getUpgradeJob", "operateUpgradeJob"] as const;
      at.lenient(ids, "path", "id");
      at.around(ids, (call, proceed) =>
        proceed(
          changed(call, { path: { ...call.path, id: text(Number.parseInt(call.path["id"] ?? "", 10)) } }),
        ),
      );
    },
  ],
  [
    "cancel-reads-job-ids-in-32-bits",
    "CORE-UPGRADE-73",
    "subtle",
    "An action on an unknown upgrade job is rejected, and takes place on the one whose id is left of it in 32 bits.",
    (at) =>
      at.around("operateUpgradeJob", async (call, proceed) => {
        const id = Number(call.path["id"]);
        if (id >= 2 ** 32)
          await proceed(changed(call, { path: { ...call.path, id: text(id % 2 ** 32) } })).catch(
            () => undefined,
          );
        return proceed(call);
      }),
  ],
  [
    "cancel-ends-the-other-downloads",
    "CORE-UPGRADE-73",
    "subtle",
    "Canceling an upgrade job also cancels the other running ones.",
    (at) =>
      at.around("operateUpgradeJob", async (call, proceed, ask) => {
        if (call.path["action"] === "cancel") {
          const list = await ask("listUpgradeJobs");
          const jobs = list.kind === "json" ? items(fields(list.body)["data"]).map(fields) : [];
          for (const { id, state } of jobs)
            if (state === "running" && text(id) !== call.path["id"])
              await proceed(changed(call, { path: { ...call.path, id: text(id) } })).catch(() => undefined);
        }
        return proceed(call);
      }),
  ],
  [
    "suspend-halts-the-other-downloads",
    "CORE-UPGRADE-73",
    "subtle",
    "Suspending an upgrade job also stops the downloads of the other running ones, which stay shown as running.",
    suspendHalts(() => true),
  ],
  [
    "suspend-halts-the-downloads-after-it",
    "CORE-UPGRADE-73",
    "subtle",
    "Suspending an upgrade job also stops the downloads that were created after it, which stay shown as running.",
    suspendHalts((other, suspended) => other > suspended),
  ],
  [
    "tasks-of-an-installation-have-no-file-name",
    "CORE-UPGRADE-58",
    "subtle",
    "In a job that downloads and installs, every task is named install.",
    (at) =>
      at.data(["createUpgradeJob", "getUpgradeJob", "listUpgradeJobs"], (job) =>
        fields(job["parameter"])["install"] === true
          ? { ...job, tasks: items(job["tasks"]).map((task) => ({ ...fields(task), name: "install" })) }
          : job,
      ),
  ],
  [
    "app-is-found-by-the-start-of-its-name",
    "CORE-APP-36",
    "subtle",
    "Get app finds an app whose name begins like the one asked for.",
    (at) =>
      at.around("getApp", (call, proceed, ask) =>
        proceed(call).catch(async (thrown: unknown) => {
          const list = await ask("listApps");
          const names =
            list.kind === "json"
              ? items(fields(list.body)["data"]).map((app) => text(fields(app)["name"]))
              : [];
          const appname = names.find((one) => one.startsWith(call.path["appname"] ?? one));
          if (appname === undefined) throw thrown;
          return proceed(changed(call, { path: { appname } }));
        }),
      ),
  ],
  [
    "user-origin-becomes-an-address",
    "CORE-EVENT-33",
    "subtle",
    "A `userOrigin` that is no IPv4 address is replaced with the address of the client.",
    (at) =>
      at.body("createEvent", (body) =>
        body["userOrigin"] === undefined || isIP(text(body["userOrigin"])) === 4
          ? body
          : { ...body, userOrigin: "127.0.0.1" },
      ),
  ],
  [
    "event-stream-loses-what-comes-at-once",
    "CORE-EVENT-28",
    "subtle",
    "Of events that are created at the same time, the stream sends the first eight.",
    (at) => {
      const lost = createdInACrowd(at, "createEvent", "message", 8);
      at.frames("getEvents", (frame) =>
        [...lost].some((message) => message !== "" && frame.includes(`"${message}"`)) ? [] : [frame],
      );
    },
  ],
  [
    "one-of-two-tags-made-at-once-is-lost",
    "CORE-TAG-27",
    "subtle",
    "Of virtual tags that are created at the same time, List tags shows the first.",
    (at) => {
      const lost = createdInACrowd(at, "createVirtualTag", "tagName", 1);
      at.answer("listTags", (body) => ({
        ...body,
        data: items(body["data"]).filter((tag) => !lost.has(text(fields(tag)["tagName"]))),
      }));
    },
  ],
  [
    "tags-made-at-once-in-a-new-source-are-lost",
    "CORE-TAG-27",
    "subtle",
    "Of virtual tags that are created at the same time in a new source, List tags shows the first.",
    (at) => {
      const known = new Set<unknown>();
      const lost = new Set<unknown>();
      at.around("createVirtualTag", async (call, proceed) => {
        const { srcName, tagName } = call.body;
        const isNew = !known.has(srcName);
        // Until the other requests that have come by now are read as well.
        if (isNew) await new Promise((resolve) => setTimeout(resolve, 5));
        const answer = await proceed(call);
        if (isNew && known.has(srcName)) lost.add(tagName);
        known.add(srcName);
        return answer;
      });
      at.answer("listTags", (body) => ({
        ...body,
        data: items(body["data"]).filter((tag) => !lost.has(tag["tagName"])),
      }));
    },
  ],
  [
    "role-lists-ten-users-at-most",
    "CORE-ROLE-11",
    "subtle",
    "`users` of a role has ten users at most.",
    (at) =>
      at.data(["listRoles", "getRole", "updateRole"], (role) => ({
        ...role,
        users: items(role["users"]).slice(0, 10),
      })),
  ],
  [
    "users-of-the-same-roles-share-them",
    "CORE-USER-39",
    "subtle",
    "An update of the roles of a user changes those of added users with the same roles as well.",
    (at) => {
      let open: Store | undefined;
      at.boot((store) => {
        open = store;
      });
      const rolesOf = (id: unknown): string =>
        JSON.stringify(
          open?.all("SELECT role_id FROM user_role WHERE user_id = ? ORDER BY role_id", text(id)),
        );
      at.around("updateUser", async (call, proceed) => {
        const id = text(call.path["id"]);
        const before = rolesOf(id);
        const answer = await proceed(call);
        if (call.body["roles"] === undefined) return answer;
        for (const { id: other } of open?.all("SELECT id FROM user WHERE id > 1 AND id <> ?", id) ?? [])
          if (rolesOf(other) === before) {
            open?.run("DELETE FROM user_role WHERE user_id = ?", text(other));
            open?.run(
              "INSERT INTO user_role SELECT ?, role_id FROM user_role WHERE user_id = ?",
              text(other),
              id,
            );
          }
        return answer;
      });
    },
  ],
  [
    "write-while-a-reset-waits-is-lost",
    "CORE-REBOOT-32",
    "subtle",
    "A reset of other scopes that waits restores the SSH configuration of the time of the request.",
    (at) =>
      at.around("resetToDefault", async (call, proceed, ask) => {
        const former = await ask("getSsh");
        const { sync, scopes } = call.query;
        const isMeant = sync !== true && Array.isArray(scopes) && !scopes.includes("sshserver");
        if (isMeant && former.kind === "json")
          setTimeout(() => void ask("setSsh", { body: fields(valueAt(former.body, "data")) }), 2950);
        return proceed(call);
      }),
  ],
]);

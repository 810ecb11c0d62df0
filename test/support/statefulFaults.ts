// Faults that only a sequence of calls shows, each injected by a proxy in front of a gateway of its own.
import { fields, type Fields } from "../../alterations/mechanism/edits.ts";
import { changed } from "../../alterations/mechanism/operationAlterations.ts";
import type { ProxyAlterations } from "../../alterations/proxy/proxy.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { type Answer, json } from "../../reference-impl/http/handler.ts";

interface StatefulFault {
  readonly id: string;
  /** From here on the sequences show it soon; from anywhere else they show it too, later. */
  readonly seed: number;
  /** Requirements of which one must be named. */
  readonly breaks: readonly string[];
  readonly install: (at: ProxyAlterations) => void;
}

const bodyOf = (answer: Answer): Fields => (answer.kind === "json" ? fields(answer.body) : {});
const dataOf = (answer: Answer): Fields => fields(bodyOf(answer)["data"]);
const listOf = (answer: Answer): Fields[] => {
  const { data } = bodyOf(answer);
  return Array.isArray(data) ? data.map(fields) : [];
};
const rolesOf = (user: Fields): Fields[] => (Array.isArray(user["roles"]) ? user["roles"].map(fields) : []);
const oneUser = ["getUser", "updateUser", "addUser"] as const;

export const statefulFaults: readonly StatefulFault[] = [
  {
    id: "user-update-lost-after-role-update",
    seed: 11,
    breaks: ["CORE-USER-35", "CORE-USER-36", "CORE-USER-37", "CORE-USER-38"],
    install(at) {
      let loses = false;
      at.around("updateRole", async (call, proceed) => {
        const answer = await proceed(call);
        loses = true;
        return answer;
      });
      at.around("updateUser", async (call, proceed, ask) => {
        if (!loses) return proceed(call);
        loses = false;
        const present = await ask("getUser", { path: call.path }).catch(() => undefined);
        if (present === undefined) return proceed(call);
        const { email, isActive } = call.body;
        const shown = {
          ...(email === undefined ? {} : { email }),
          ...(isActive === undefined ? {} : { isActive }),
        };
        return json({ ...bodyOf(present), data: { ...dataOf(present), ...shown } });
      });
    },
  },
  {
    id: "count-of-users-wrong-after-a-removal",
    seed: 1,
    breaks: ["CORE-USER-15"],
    install(at) {
      let removed = 0;
      at.answer("deleteUser", (body) => {
        removed += 1;
        return body;
      });
      at.around("listUsers", async (call, proceed) => {
        const answer = await proceed(call);
        return removed === 0 ? answer : json({ ...bodyOf(answer), count: listOf(answer).length + removed });
      });
    },
  },
  {
    id: "total-of-events-forgets-an-entry-after-an-alert",
    seed: 1,
    breaks: ["CORE-EVENT-15"],
    install(at) {
      let alerts = 0;
      at.answer("createEvent", (body, call) => {
        if (call.body["severity"] === "alert") alerts += 1;
        return body;
      });
      at.answer("getEvents", (body) => {
        const { total } = body;
        return alerts > 0 && typeof total === "number" && total > 0 ? { ...body, total: total - 1 } : body;
      });
    },
  },
  {
    id: "second-enable-of-a-service-ignored",
    seed: 119,
    breaks: ["CORE-SERVICE-14"],
    install(at) {
      const enabled = new Set<string>();
      at.around("enableService", (call, proceed) => {
        const { id = "" } = call.path;
        if (enabled.has(id)) return json({ data: { enable: true } });
        if (/^\w+$/.test(id)) enabled.add(id);
        return proceed(call);
      });
    },
  },
  {
    id: "tag-write-one-late",
    seed: 14,
    breaks: ["CORE-TAG-30", "CORE-TAG-48"],
    install(at) {
      const late = new Map<string, Readonly<Fields>>();
      at.around("writeTag", async (call, proceed) => {
        const { provider, source, tag } = call.path;
        const name = [provider, source, tag].join("/");
        const before = late.get(name);
        late.set(name, call.body);
        if (before === undefined) return proceed(call);
        // The first write is accepted at once, each later one when the next comes.
        return proceed(changed(call, { body: before })).catch((thrown: unknown) => {
          if (thrown instanceof Refusal && thrown.status === 400) return proceed(call);
          throw thrown;
        });
      });
    },
  },
  {
    id: "removed-role-stays-with-its-users",
    seed: 50,
    breaks: ["CORE-USER-38", "CORE-USER-39", "CORE-USER-33", "CORE-USER-16"],
    install(at) {
      const former = new Map<number, Fields[]>();
      const removed = new Set<number>();
      const withRemoved = (user: Fields): Fields => {
        const kept = (former.get(Number(user["id"])) ?? []).filter((role) => removed.has(Number(role["id"])));
        return kept.length === 0 ? user : { ...user, roles: [...rolesOf(user), ...kept] };
      };
      at.answer("deleteRole", (body, call) => {
        removed.add(Number(call.path["id"]));
        return body;
      });
      at.data("listUsers", withRemoved);
      at.data(oneUser, (user) => {
        const seen = former.get(Number(user["id"])) ?? [];
        const added = rolesOf(user).filter((role) => !seen.some((one) => one["id"] === role["id"]));
        former.set(Number(user["id"]), [...seen, ...added]);
        return withRemoved(user);
      });
    },
  },
  {
    id: "upload-takes-provisioning-back",
    seed: 31,
    breaks: ["CORE-CONFIG-26"],
    install(at) {
      let before: Fields | undefined;
      at.around("setProvision", async (call, proceed, ask) => {
        const present = await ask("getProvision");
        const answer = await proceed(call);
        before = dataOf(present);
        return answer;
      });
      at.around("uploadConfiguration", async (call, proceed, ask) => {
        const answer = await proceed(call);
        if (before !== undefined) await ask("setProvision", { body: before });
        before = undefined;
        return answer;
      });
    },
  },
  {
    id: "former-password-good-after-another-change",
    seed: 76,
    breaks: ["CORE-USER-43", "CORE-AUTH-09"],
    install(at) {
      const first = new Map<string, { readonly name: unknown; readonly password: unknown }>();
      const present = new Map<string, unknown>();
      at.body("signIn", (body) => {
        const known = [...first].find(([, { name }]) => name === body["name"]);
        const password = known === undefined ? undefined : present.get(known[0]);
        return password !== undefined && body["password"] === known?.[1].password
          ? { ...body, password }
          : body;
      });
      at.data("addUser", (user, call) => {
        const { name, password } = call.body;
        first.set(String(user["id"]), { name, password });
        return user;
      });
      at.answer("updateUserPassword", (body, call) => {
        present.set(call.path["id"] ?? "", call.body["newPassword"]);
        return body;
      });
    },
  },
  {
    id: "event-kinds-changed-together-fall-back",
    seed: 7,
    breaks: ["CORE-EVENT-70", "CORE-EVENT-69"],
    install(at) {
      let before: Fields[] | undefined;
      at.around("updateEventKinds", async (call, proceed, ask) => {
        const { events } = call.body;
        const changes = Array.isArray(events) ? events.map(fields) : [];
        const { events: kinds } = dataOf(await ask("getEventCatalogue"));
        const isChanged = ({ id }: Fields): boolean => changes.some((change) => change["id"] === id);
        // Each request undoes the changes of the previous one.
        const back = (before ?? []).filter((kind) => !isChanged(kind));
        before = (Array.isArray(kinds) ? kinds.map(fields) : [])
          .filter(isChanged)
          .map(({ id, enable }) => ({ id, enable }));
        return proceed(changed(call, { body: { events: [...changes, ...back] } }));
      });
    },
  },
  {
    id: "deleted-tag-listed-until-another-is-created",
    seed: 3,
    breaks: ["CORE-TAG-29"],
    install(at) {
      let deleted: Fields | undefined;
      at.around("deleteVirtualTag", async (call, proceed, ask) => {
        const listed = listOf(await ask("listTags"));
        const answer = await proceed(call);
        deleted = listed.find((tag) => tag["tagName"] === call.body["tagName"]);
        return answer;
      });
      at.around("createVirtualTag", (call, proceed) =>
        proceed(call).finally(() => {
          deleted = undefined;
        }),
      );
      at.around("listTags", async (call, proceed) => {
        const answer = await proceed(call);
        return deleted === undefined
          ? answer
          : json({ ...bodyOf(answer), data: [...listOf(answer), deleted] });
      });
    },
  },
  {
    id: "retries-forgotten-when-snapshots-are-switched",
    seed: 9,
    breaks: ["CORE-UPGRADE-20"],
    install(at) {
      let wasSet = false;
      at.around("updateUpgradeConfiguration", async (call, proceed) => {
        const answer = await proceed(call);
        const { enableSnapshot, retryCount } = call.body;
        if (wasSet && enableSnapshot !== undefined && retryCount === undefined) {
          wasSet = false;
          return proceed(changed(call, { body: { retryCount: 2 } }));
        }
        if (retryCount !== undefined) wasSet = true;
        return answer;
      });
    },
  },
  {
    id: "permissions-of-users-do-not-follow-a-second-role-update",
    seed: 1,
    breaks: ["CORE-USER-57"],
    install(at) {
      const updates = new Map<string, number>();
      const frozen = new Map<unknown, unknown>();
      at.answer("updateRole", (body, call) => {
        const { id = "" } = call.path;
        updates.set(id, (updates.get(id) ?? 0) + 1);
        return body;
      });
      at.data(["listUsers", ...oneUser], (user) => {
        const isLate = rolesOf(user).some((role) => (updates.get(String(role["id"])) ?? 0) >= 2);
        if (!isLate) frozen.set(user["id"], user["permissions"]);
        return { ...user, permissions: frozen.get(user["id"]) ?? user["permissions"] };
      });
    },
  },
];

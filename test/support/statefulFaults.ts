// Misbehaviours that only a sequence of calls shows, each in a gateway of its own.
import type { Misbehaviour, PassingAnswer, PassingCall } from "./faultyProxy.ts";

interface StatefulFault {
  readonly id: string;
  /** From here on the sequences show it soon; from anywhere else they show it too, later. */
  readonly seed: number;
  /** Requirements of which one must be named. */
  readonly breaks: readonly string[];
  readonly begin: () => Misbehaviour;
}

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
const dataOf = ({ body }: PassingAnswer): Fields => fields(fields(body)["data"]);
const listOf = ({ body }: PassingAnswer): Fields[] => {
  const { data } = fields(body);
  return Array.isArray(data) ? data.map(fields) : [];
};
const isTaken = ({ status }: PassingAnswer): boolean => status < 300;
const is = (call: PassingCall, method: string, path: RegExp): boolean =>
  call.method === method && path.test(call.path);
const withData = (answer: PassingAnswer, data: unknown): PassingAnswer => ({
  ...answer,
  body: { ...fields(answer.body), data },
});

export const statefulFaults: readonly StatefulFault[] = [
  {
    id: "user-update-lost-after-role-update",
    seed: 11,
    breaks: ["CORE-USER-35", "CORE-USER-36", "CORE-USER-37", "CORE-USER-38"],
    begin() {
      let loses = false;
      return async (call) => {
        if (loses && is(call, "PUT", /^\/users\/\d+$/)) {
          loses = false;
          const present = await call.send({ method: "GET" });
          return isTaken(present)
            ? withData(present, { ...dataOf(present), ...shownUpdate(call) })
            : call.send();
        }
        const answer = await call.send();
        if (is(call, "PUT", /^\/roles\/\d+$/) && isTaken(answer)) loses = true;
        return answer;
      };
    },
  },
  {
    id: "count-of-users-wrong-after-a-removal",
    seed: 1,
    breaks: ["CORE-USER-15"],
    begin() {
      let removed = 0;
      return async (call) => {
        const answer = await call.send();
        if (is(call, "DELETE", /^\/users\/\d+$/) && isTaken(answer)) removed += 1;
        if (removed > 0 && is(call, "GET", /^\/users$/))
          return { ...answer, body: { ...fields(answer.body), count: listOf(answer).length + removed } };
        return answer;
      };
    },
  },
  {
    id: "total-of-events-forgets-an-entry-after-an-alert",
    seed: 1,
    breaks: ["CORE-EVENT-15"],
    begin() {
      let alerts = 0;
      return async (call) => {
        const answer = await call.send();
        if (is(call, "POST", /^\/events$/) && isTaken(answer) && fields(call.body)["severity"] === "alert")
          alerts += 1;
        const body = fields(answer.body);
        if (
          alerts > 0 &&
          is(call, "GET", /^\/events$/) &&
          typeof body["total"] === "number" &&
          body["total"] > 0
        )
          return { ...answer, body: { ...body, total: body["total"] - 1 } };
        return answer;
      };
    },
  },
  {
    id: "second-enable-of-a-service-ignored",
    seed: 24,
    breaks: ["CORE-SERVICE-14"],
    begin() {
      const enabled = new Set<string>();
      return async (call) => {
        if (is(call, "PUT", /^\/system\/services\/\w+\/enable$/)) {
          if (enabled.has(call.path))
            return { status: 200, contentType: "application/json", body: { data: { enable: true } } };
          enabled.add(call.path);
        }
        return call.send();
      };
    },
  },
  {
    id: "tag-write-one-late",
    seed: 14,
    breaks: ["CORE-TAG-30", "CORE-TAG-48"],
    begin() {
      const late = new Map<string, unknown>();
      return async (call) => {
        if (!is(call, "PUT", /^\/tags\/access\//)) return call.send();
        const before = late.get(call.path);
        late.set(call.path, call.body);
        if (before === undefined) return call.send();
        // The first write is taken at once, each later one when the next comes.
        const answer = await call.send({ body: before });
        return answer.status === 400 ? call.send() : answer;
      };
    },
  },
  {
    id: "removed-role-stays-with-its-users",
    seed: 50,
    breaks: ["CORE-USER-38", "CORE-USER-39", "CORE-USER-33", "CORE-USER-16"],
    begin() {
      const former = new Map<number, Fields[]>();
      const removed = new Set<number>();
      const alter = (user: Fields): Fields => {
        const ghosts = (former.get(Number(user["id"])) ?? []).filter((role) =>
          removed.has(Number(role["id"])),
        );
        const roles = Array.isArray(user["roles"]) ? user["roles"].map(fields) : [];
        return ghosts.length === 0 ? user : { ...user, roles: [...roles, ...ghosts] };
      };
      return async (call) => {
        const answer = await call.send();
        if (!isTaken(answer)) return answer;
        if (is(call, "DELETE", /^\/roles\/\d+$/)) removed.add(Number(call.path.split("/")[2]));
        if (is(call, "GET", /^\/users$/)) return withData(answer, listOf(answer).map(alter));
        if (/^\/users(\/\d+)?$/.test(call.path) && ["GET", "PUT", "POST"].includes(call.method)) {
          const user = dataOf(answer);
          const seen = former.get(Number(user["id"])) ?? [];
          const roles = Array.isArray(user["roles"]) ? user["roles"].map(fields) : [];
          former.set(Number(user["id"]), [
            ...seen,
            ...roles.filter((role) => !seen.some((one) => one["id"] === role["id"])),
          ]);
          return withData(answer, alter(user));
        }
        return answer;
      };
    },
  },
  {
    id: "upload-takes-provisioning-back",
    seed: 31,
    breaks: ["CORE-CONFIG-26"],
    begin() {
      let before: Fields | undefined;
      return async (call) => {
        if (is(call, "PUT", /^\/system\/provision$/)) {
          const present = await call.send({ method: "GET" });
          const answer = await call.send();
          if (isTaken(answer)) before = dataOf(present);
          return answer;
        }
        const answer = await call.send();
        if (is(call, "PUT", /^\/system\/configuration$/) && isTaken(answer) && before !== undefined) {
          await call.send({ path: "/system/provision", body: before });
          before = undefined;
        }
        return answer;
      };
    },
  },
  {
    id: "former-password-good-after-another-change",
    seed: 76,
    breaks: ["CORE-USER-43", "CORE-AUTH-09"],
    begin() {
      const first = new Map<unknown, { name: unknown; password: unknown }>();
      const changed = new Map<unknown, unknown>();
      return async (call) => {
        const body = fields(call.body);
        if (is(call, "POST", /^\/auth$/)) {
          const known = [...first].find(([, { name }]) => name === body["name"]);
          const present = known === undefined ? undefined : changed.get(known[0]);
          if (present !== undefined && body["password"] === known?.[1].password)
            return call.send({ body: { ...body, password: present } });
        }
        const answer = await call.send();
        if (is(call, "POST", /^\/users$/) && isTaken(answer))
          first.set(String(dataOf(answer)["id"]), { name: body["name"], password: body["password"] });
        if (is(call, "PUT", /^\/users\/\d+\/password$/) && isTaken(answer))
          changed.set(call.path.split("/")[2], body["newPassword"]);
        return answer;
      };
    },
  },
  {
    id: "event-kinds-changed-together-fall-back",
    seed: 3,
    breaks: ["CORE-EVENT-70", "CORE-EVENT-69"],
    begin() {
      let before: Fields[] | undefined;
      return async (call) => {
        if (!is(call, "PATCH", /^\/events\/profile$/)) return call.send();
        const { events } = fields(call.body);
        const changes = Array.isArray(events) ? events.map(fields) : [];
        const present = await call.send({ method: "GET" });
        const kinds = dataOf(present)["events"];
        // What the request before had changed is taken back by this one.
        const back = (before ?? []).filter(({ id }) => !changes.some((change) => change["id"] === id));
        before = (Array.isArray(kinds) ? kinds.map(fields) : [])
          .filter(({ id }) => changes.some((change) => change["id"] === id))
          .map(({ id, enable }) => ({ id, enable }));
        return call.send({ body: { events: [...changes, ...back] } });
      };
    },
  },
  {
    id: "deleted-tag-listed-until-another-is-created",
    seed: 3,
    breaks: ["CORE-TAG-29"],
    begin() {
      let ghost: Fields | undefined;
      return async (call) => {
        if (is(call, "DELETE", /^\/tags\/virtual$/)) {
          const listed = listOf(await call.send({ method: "GET", path: "/tags/list" }));
          const answer = await call.send();
          if (isTaken(answer)) ghost = listed.find((tag) => tag["tagName"] === fields(call.body)["tagName"]);
          return answer;
        }
        const answer = await call.send();
        if (is(call, "POST", /^\/tags\/virtual$/)) ghost = undefined;
        if (is(call, "GET", /^\/tags\/list$/) && ghost !== undefined)
          return withData(answer, [...listOf(answer), ghost]);
        return answer;
      };
    },
  },
  {
    id: "retries-forgotten-when-snapshots-are-switched",
    seed: 9,
    breaks: ["CORE-UPGRADE-20"],
    begin() {
      let wasSet = false;
      return async (call) => {
        const answer = await call.send();
        if (!is(call, "PATCH", /^\/system\/upgrade$/) || !isTaken(answer)) return answer;
        const body = fields(call.body);
        if (wasSet && body["enableSnapshot"] !== undefined && body["retryCount"] === undefined) {
          wasSet = false;
          return call.send({ body: { retryCount: 2 } });
        }
        if (body["retryCount"] !== undefined) wasSet = true;
        return answer;
      };
    },
  },
  {
    id: "permissions-of-users-do-not-follow-a-second-role-update",
    seed: 1,
    breaks: ["CORE-USER-57"],
    begin() {
      const updates = new Map<string, number>();
      const frozen = new Map<unknown, unknown>();
      const show = (user: Fields): Fields => {
        const roles = Array.isArray(user["roles"]) ? user["roles"].map(fields) : [];
        const isLate = roles.some((role) => (updates.get(String(role["id"])) ?? 0) >= 2);
        if (!isLate) frozen.set(user["id"], user["permissions"]);
        return { ...user, permissions: frozen.get(user["id"]) ?? user["permissions"] };
      };
      return async (call) => {
        const answer = await call.send();
        if (!isTaken(answer)) return answer;
        const role = /^\/roles\/(\d+)$/.exec(call.path)?.[1];
        if (role !== undefined && call.method === "PUT") updates.set(role, (updates.get(role) ?? 0) + 1);
        if (is(call, "GET", /^\/users$/)) return withData(answer, listOf(answer).map(show));
        if (/^\/users(\/\d+)?$/.test(call.path) && call.method !== "DELETE")
          return withData(answer, show(dataOf(answer)));
        return answer;
      };
    },
  },
];

/** What an update of a user seems to have come to. */
function shownUpdate(call: PassingCall): Fields {
  const { email, isActive } = fields(call.body);
  return { ...(email === undefined ? {} : { email }), ...(isActive === undefined ? {} : { isActive }) };
}

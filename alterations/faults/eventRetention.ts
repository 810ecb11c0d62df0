// Faults of what the event log records itself or accepts, and of how long it keeps it.
import { eventKinds } from "../../interface/catalogue.ts";
import { type Fields, items, text } from "../mechanism/edits.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { type Fault, faults } from "./fault.ts";
import { accepts } from "./habits.ts";

const daySec = 86_400;

export const eventRetentionFaults: readonly Fault[] = faults([
  [
    "full-log-rotates-with-stop",
    "CORE-EVENT-83",
    "subtle",
    "A log that has reached its size removes old entries for new ones, also with `stop`.",
    (at) => takes(at, "reachThresholdPolicy", (policy) => (policy === "stop" ? "rotate" : policy)),
  ],
  [
    "event-time-to-live-counts-days",
    "CORE-EVENT-55",
    "subtle",
    "`timeToLiveSec` counts in whole days: events of less than a day are not removed.",
    (at) => takes(at, "timeToLiveSec", (seconds) => Math.floor(Number(seconds) / daySec) * daySec),
  ],
  [
    "recorded-failure-has-the-local-time",
    "CORE-EVENT-09",
    "subtle",
    "`createdAt` of an event that the gateway records for a failed sign-in is two hours ahead.",
    ofFailures(({ createdAt, ...record }) => ({
      ...record,
      createdAt: new Date(Date.parse(text(createdAt)) + 7_200_000).toISOString(),
    })),
  ],
  [
    "recorded-failure-is-an-info",
    "CORE-EVENT-68",
    "subtle",
    "An event that the gateway records for a failed sign-in has the severity info.",
    ofFailures((record) => ({ ...record, severity: "info" })),
  ],
  [
    "unknown-date-is-now",
    "CORE-GENERAL-09",
    "subtle",
    "An entry whose `createdAt` is no date-time is accepted with the current time.",
    accepts("createEvent", "createdAt", undefined, (value) =>
      Number.isNaN(Date.parse(text(value ?? "2024-01-01"))),
    ),
  ],
  [
    "entry-has-the-origin-of-its-kind",
    "CORE-EVENT-32",
    "subtle",
    "The origin of an entry that is named as an event kind of the network is system.",
    (at) =>
      at.body("createEvent", (body) =>
        eventKinds.some(({ category, event }) => category === body["category"] && event === body["event"])
          ? { ...body, origin: "system" }
          : body,
      ),
  ],
  [
    "old-entry-that-arrives-later-stays",
    "CORE-EVENT-55",
    "subtle",
    "Events older than `timeToLiveSec` are removed when it is set; one that is created afterwards stays.",
    (at) => {
      const later: Fields[] = [];
      let ageSec = 0;
      at.body("setEventConfiguration", (body) => {
        ageSec = body["enableTimeToLiveSec"] === true ? Number(body["timeToLiveSec"] ?? 0) : 0;
        later.length = 0;
        return body;
      });
      at.around("createEvent", (call, proceed) => {
        const ageMs = Date.now() - Date.parse(text(call.body["createdAt"]));
        if (ageSec > 0 && ageMs > ageSec * 1000)
          later.push({ ...call.body, id: 2_000_000_000 + later.length });
        return proceed(call);
      });
      at.answer("getEvents", (body, { query }) => {
        const stays = later.filter(({ event }) => event === query["eventNames"]);
        const left = { message: "", severity: "info", user: "", userOrigin: "" };
        const data = [...items(body["data"]), ...stays.map((entry) => ({ ...left, ...entry }))];
        return { ...body, data, count: data.length, total: Number(body["total"]) + stays.length };
      });
    },
  ],
  [
    "recorded-failure-has-no-origin",
    "CORE-EVENT-05",
    "subtle",
    "`origin` of an event that the gateway records for a failed sign-in is empty.",
    ofFailures((record) => ({ ...record, origin: "" })),
  ],
  [
    "event-enable-as-text-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "An `enable` of the event configuration that is not a boolean is accepted and ignored.",
    accepts("setEventConfiguration", "enable", undefined, (value) => typeof value !== "boolean"),
  ],
  [
    "message-of-an-object-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "A `message` of an entry that is not a string is accepted and left out.",
    accepts("createEvent", "message", undefined, (value) => typeof value !== "string"),
  ],
  ...(
    [
      ["categories", "CORE-EVENT-21"],
      ["severities", "CORE-EVENT-23"],
      ["origins", "CORE-EVENT-24"],
    ] as const
  ).map(
    ([filter, requirement]) =>
      [
        `recorded-failure-is-not-found-by-${filter}`,
        requirement,
        "subtle",
        `Events that the gateway records for a failed sign-in are not listed with \`${filter}\`.`,
        (at: GatewayAlterations) =>
          at.answer("getEvents", (body, { query }) => {
            if (query[filter] === undefined) return body;
            const all = items(body["data"]);
            const data = all.filter(({ event }) => event !== "user login fail");
            const total = Number(body["total"]) - (all.length - data.length);
            return { ...body, data, count: data.length, total };
          }),
      ] as const,
  ),
  [
    "stored-time-to-live-waits-for-a-set",
    "CORE-EVENT-55",
    "subtle",
    "After a reboot no event is removed for its age until *Set event configuration* is called.",
    (at) => {
      const where = "name = 'events' AND value ->> '$.enableTimeToLiveSec'";
      const set = (to: boolean, which: string): string =>
        `UPDATE setting SET value = json_set(value, '$.enableTimeToLiveSec', json('${String(to)}')) WHERE ${which}`;
      let open: Store | undefined;
      let isOff = false;
      at.boot((store) => {
        open = store;
        isOff = store.get(`SELECT 1 FROM setting WHERE ${where}`) !== undefined;
        store.run(set(false, where));
      });
      at.reboot((_reason, proceed) => {
        if (isOff) open?.run(set(true, "name = 'events'"));
        proceed();
      });
      at.body("setEventConfiguration", (body) => {
        const wasOff = isOff;
        isOff = false;
        return wasOff ? { enableTimeToLiveSec: true, ...body } : body;
      });
      at.data("getEventConfiguration", (data) => (isOff ? { ...data, enableTimeToLiveSec: true } : data));
    },
  ],
]);

/** Stores another value of a member of the event configuration, and shows the one that was set. */
function takes(at: GatewayAlterations, member: string, stored: (value: unknown) => unknown): void {
  let shown: unknown;
  at.body("setEventConfiguration", (body) => {
    shown = body[member] ?? shown;
    return body[member] === undefined ? body : { ...body, [member]: stored(body[member]) };
  });
  at.data(["getEventConfiguration", "setEventConfiguration"], (data) =>
    shown === undefined ? data : { ...data, [member]: shown },
  );
}

function ofFailures(edit: (record: Fields) => Fields): Fault["install"] {
  return (at) =>
    at.data("getEvents", (record) => (record["event"] === "user login fail" ? edit(record) : record));
}

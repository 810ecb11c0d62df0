// Faults of the event log: its entries and its configuration; those of its stream are in eventStreams.ts.
import { eventKinds } from "../../interface/catalogue.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import { onTable } from "./durability.ts";
import { type Fault, faults } from "./fault.ts";
import { eventRetentionFaults } from "./eventRetention.ts";
import { eventStreamFaults } from "./eventStreams.ts";
import { doesNotStore, accepts, withoutEvents } from "./habits.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const recordFaults = faults([
  [
    "message-ends-at-a-nul",
    "CORE-EVENT-33",
    "subtle",
    "The message of a created entry ends at a NUL character.",
    (at) =>
      at.body("createEvent", (body) =>
        body["message"] === undefined ? body : { ...body, message: text(body["message"]).split("\0")[0] },
      ),
  ],
  [
    "order-of-time-is-lost-at-a-boot",
    "CORE-EVENT-20",
    "subtle",
    "Entries that were recorded before a boot are in the order of their arrival, not of their dates.",
    (at) =>
      at.boot(onTable("event", "UPDATE event SET created_ms = (SELECT max(created_ms) FROM event) + id")),
  ],
  [
    "entry-loses-its-message",
    "CORE-EVENT-33",
    "plain",
    "The message of a created entry is dropped.",
    drops("message"),
  ],
  [
    "entry-loses-its-user",
    "CORE-EVENT-33",
    "subtle",
    "The user of a created entry is the caller, whatever the request says.",
    drops("user"),
  ],
  [
    "entry-loses-its-origin",
    "CORE-EVENT-32",
    "plain",
    "The origin of a created entry is always system.",
    (at) => at.body("createEvent", (body) => ({ ...body, origin: "system" })),
  ],
  [
    "entry-category-in-small-letters",
    "CORE-EVENT-32",
    "subtle",
    "The event name of a created entry is stored in lower case.",
    (at) => at.body("createEvent", (body) => ({ ...body, event: String(body["event"]).toLowerCase() })),
  ],
  [
    "entry-loses-its-severity",
    "CORE-EVENT-34",
    "plain",
    "A created entry has the severity info, whatever the request says.",
    drops("severity"),
  ],
  [
    "entry-is-a-warning-by-default",
    "CORE-EVENT-35",
    "plain",
    "An entry without a severity is a warning.",
    (at) => at.body("createEvent", (body) => ({ ...body, severity: body["severity"] ?? "warning" })),
  ],
  [
    "entry-has-the-severity-of-its-kind",
    "CORE-EVENT-35",
    "subtle",
    "An entry without a severity that is named as an event kind has the severity of the kind.",
    (at) =>
      at.body("createEvent", (body) => {
        const kind = eventKinds.find(
          ({ category, event }) => category === body["category"] && event === body["event"],
        );
        return { ...body, severity: body["severity"] ?? kind?.severity };
      }),
  ],
  [
    "entry-before-1970-is-of-1970",
    "CORE-EVENT-36",
    "subtle",
    "`createdAt` before 1970 is stored as the begin of 1970.",
    (at) =>
      at.body("createEvent", (body) =>
        Date.parse(text(body["createdAt"])) < 0 ? { ...body, createdAt: "1970-01-01T00:00:00Z" } : body,
      ),
  ],
  [
    "entry-loses-its-time",
    "CORE-EVENT-36",
    "plain",
    "A created entry has the time of its creation, whatever the request says.",
    drops("createdAt"),
  ],
  [
    "entry-time-loses-its-offset",
    "CORE-EVENT-36",
    "subtle",
    "The offset of an entry's `createdAt` is ignored: the time is read as UTC.",
    (at) =>
      at.body("createEvent", (body) => ({
        ...body,
        createdAt:
          typeof body["createdAt"] === "string"
            ? body["createdAt"].replace(/[+-]\d\d:\d\d$/, "Z")
            : undefined,
      })),
  ],
  [
    "entry-without-a-time-is-old",
    "CORE-EVENT-37",
    "subtle",
    "An entry without `createdAt` gets a time one hour in the past.",
    (at) =>
      at.body("createEvent", (body) => ({
        ...body,
        createdAt: body["createdAt"] ?? new Date(Date.now() - 3_600_000).toISOString(),
      })),
  ],
  [
    "entry-without-an-origin-is-taken",
    "CORE-EVENT-38",
    "plain",
    "An entry without an origin is accepted.",
    accepts("createEvent", "origin", "system"),
  ],
  [
    "disabled-kind-is-recorded",
    "CORE-EVENT-73",
    "subtle",
    "A failed sign-in is recorded although its event kind is disabled.",
    (at) => {
      at.around("updateEventKinds", async (call, proceed) => {
        const events = items(call.body["events"]).filter(({ id }) => id !== 49);
        const answer = await proceed(changed(call, { body: { events } }));
        const wish = items(call.body["events"]).find(({ id }) => id === 49);
        if (answer.kind !== "json" || wish === undefined) return answer;
        shown = wish["enable"] === true;
        return { ...answer, body: withKind(fields(answer.body)) };
      });
      let shown: boolean | undefined;
      const withKind = (body: Fields): Fields => ({
        data: {
          ...fields(body["data"]),
          events: items(fields(body["data"])["events"]).map((kind) =>
            kind["id"] === 49 && shown !== undefined ? { ...kind, enable: shown } : kind,
          ),
        },
      });
      at.answer("getEventCatalogue", withKind);
    },
  ],
  [
    "sign-in-failure-is-not-recorded",
    "CORE-EVENT-73",
    "plain",
    "A failed sign-in is not recorded.",
    withoutEvents(49),
  ],
]);

const configurationFaults = faults([
  [
    "event-cache-size-is-doubled",
    "CORE-EVENT-49",
    "plain",
    "`desiredDiskCacheSizeMB` of the event log is stored as twice the given value.",
    (at) =>
      at.body("setEventConfiguration", (body) =>
        body["desiredDiskCacheSizeMB"] === undefined
          ? body
          : { ...body, desiredDiskCacheSizeMB: String(Number(body["desiredDiskCacheSizeMB"]) * 2) },
      ),
  ],
  [
    "event-time-to-live-is-not-kept",
    "CORE-EVENT-50",
    "plain",
    "`timeToLiveSec` of the event log is returned as given but not stored.",
    doesNotStore("setEventConfiguration", "timeToLiveSec"),
  ],
  [
    "event-policy-is-not-kept",
    "CORE-EVENT-51",
    "plain",
    "`reachThresholdPolicy` is returned as given but not stored.",
    doesNotStore("setEventConfiguration", "reachThresholdPolicy"),
  ],
  [
    "event-disk-is-refused",
    "CORE-EVENT-52",
    "plain",
    "`targetDiskName` of the event log rejects the name of a listed disk.",
    (at) =>
      at.around("setEventConfiguration", (call, proceed) => {
        if (call.body["targetDiskName"] !== undefined)
          throw new Refusal(400, "targetDiskName: it is no disk");
        return proceed(call);
      }),
  ],
  [
    "unknown-policy-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "An unknown `reachThresholdPolicy` is accepted as rotate.",
    accepts(
      "setEventConfiguration",
      "reachThresholdPolicy",
      "rotate",
      (value) => value !== undefined && !["rotate", "stop"].includes(text(value)),
    ),
  ],
  [
    "events-outlive-their-time",
    "CORE-EVENT-55",
    "plain",
    "Events older than `timeToLiveSec` are not removed.",
    (at) => {
      let shown: unknown;
      at.around("setEventConfiguration", async (call, proceed) => {
        shown = call.body["timeToLiveSec"] ?? shown;
        return proceed(changed(call, { body: { ...call.body, timeToLiveSec: undefined } }));
      });
      at.data(["getEventConfiguration", "setEventConfiguration"], (data) =>
        shown === undefined ? data : { ...data, timeToLiveSec: shown },
      );
    },
  ],
  [
    "events-go-without-an-age-limit",
    "CORE-EVENT-80",
    "subtle",
    "Events older than `timeToLiveSec` are removed although `enableTimeToLiveSec` is false.",
    (at) => {
      let shown: unknown;
      at.around("setEventConfiguration", async (call, proceed) => {
        shown = call.body["enableTimeToLiveSec"] ?? shown;
        return proceed(changed(call, { body: { ...call.body, enableTimeToLiveSec: true } }));
      });
      at.data(["getEventConfiguration", "setEventConfiguration"], (data) =>
        shown === undefined ? data : { ...data, enableTimeToLiveSec: shown },
      );
    },
  ],
  [
    "default-policy-is-stop",
    "CORE-EVENT-54",
    "subtle",
    "`reachThresholdPolicy` is `stop` until it is set.",
    (at) => {
      let isSet = false;
      at.body("setEventConfiguration", (body) => {
        isSet ||= body["reachThresholdPolicy"] !== undefined;
        return body;
      });
      at.data(["getEventConfiguration"], (data) =>
        isSet ? data : { ...data, reachThresholdPolicy: "stop" },
      );
    },
  ],
  [
    "events-go-before-their-time",
    "CORE-EVENT-55",
    "subtle",
    "Events are removed after half of `timeToLiveSec`.",
    (at) => {
      let shown: unknown;
      at.around("setEventConfiguration", async (call, proceed) => {
        const seconds = call.body["timeToLiveSec"];
        shown = seconds ?? shown;
        return proceed(
          typeof seconds === "number"
            ? changed(call, { body: { ...call.body, timeToLiveSec: Math.ceil(seconds / 2) } })
            : call,
        );
      });
      at.data(["getEventConfiguration", "setEventConfiguration"], (data) =>
        shown === undefined ? data : { ...data, timeToLiveSec: shown },
      );
    },
  ],
  [
    "full-log-drops-what-does-not-fit",
    "CORE-EVENT-82",
    "subtle",
    "An entry that does not fit into a full log is answered with `ok` and lost, also with `rotate`.",
    (at) => {
      let bytes = 0;
      at.around("createEvent", async (call, proceed, ask) => {
        const { body } = (await ask("getEventConfiguration")) as { body?: unknown };
        const megabytes = Number(fields(fields(body)["data"])["desiredDiskCacheSizeMB"]);
        const length = JSON.stringify(call.body).length;
        if (bytes + length > megabytes * 2 ** 20) return { kind: "json", status: 200, body: { data: "ok" } };
        bytes += length;
        return proceed(call);
      });
    },
  ],
  [
    "entries-of-a-name-share-their-date",
    "CORE-EVENT-37",
    "subtle",
    "An entry without `createdAt` takes that of an earlier entry of the same category, event and origin.",
    (at) => {
      const dates = new Map<string, unknown>();
      at.body("createEvent", (body) => {
        const key = JSON.stringify([body["category"], body["event"], body["origin"]]);
        if (body["createdAt"] !== undefined) dates.set(key, body["createdAt"]);
        const createdAt = dates.get(key);
        return createdAt === undefined ? body : { ...body, createdAt };
      });
    },
  ],
]);

export const eventFaults: readonly Fault[] = [
  ...eventStreamFaults,
  ...recordFaults,
  ...configurationFaults,
  ...eventRetentionFaults,
];

function drops(member: string): Fault["install"] {
  return (at) => at.body("createEvent", (body) => ({ ...body, [member]: undefined }));
}

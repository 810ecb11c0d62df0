// Faults of the event log, its catalogue and its streams.
import { Refusal } from "../http/refusal.ts";
import { type Fields, fields, items } from "./edits.ts";
import { type Fault, faults } from "./fault.ts";
import { forgets, takes } from "./habits.ts";
import { changed, type Switchboard } from "./switchboard.ts";

const filters = ["categories", "eventNames", "severities", "origins"] as const;

/** Changes the query of pages, not that of streams and downloads. */
function ofPages(at: Switchboard, edit: (query: Fields) => Fields): void {
  at.query("getEvents", (query) =>
    query["event"] === true || query["download"] === true ? query : edit(query),
  );
}

function drops(member: string): Fault["install"] {
  return (at) => at.body("createEvent", (body) => ({ ...body, [member]: undefined }));
}

const pagingFaults = faults([
  [
    "events-default-limit-is-50",
    "CORE-EVENT-11",
    "plain",
    "Without a limit 50 events are answered.",
    (at) => ofPages(at, (query) => ({ limit: 50, ...query })),
  ],
  [
    "events-begin-with-the-second",
    "CORE-EVENT-12",
    "subtle",
    "Without an offset the page begins with the second event, and offset is shown as 0.",
    (at) => {
      ofPages(at, (query) => ({ offset: 1, ...query }));
      at.answer("getEvents", (body, call) => ({ ...body, offset: call.query["offset"] ?? 0 }));
    },
  ],
  [
    "events-limit-is-shown-as-100",
    "CORE-EVENT-13",
    "plain",
    "limit is shown as 100 whatever was asked for.",
    (at) => at.answer("getEvents", (body) => ({ ...body, limit: 100 })),
  ],
  [
    "events-limit-is-exceeded-by-one",
    "CORE-EVENT-13",
    "subtle",
    "A page holds one event more than its limit.",
    (at) => {
      ofPages(at, (query) =>
        query["limit"] === undefined ? query : { ...query, limit: Number(query["limit"]) + 1 },
      );
      at.answer("getEvents", (body, call) => ({ ...body, limit: call.query["limit"] ?? 100 }));
    },
  ],
  [
    "last-page-lacks-its-last-event",
    "CORE-EVENT-14",
    "subtle",
    "The last page lacks its last event.",
    (at) =>
      at.answer("getEvents", (body) => {
        const data = items(body["data"]);
        const isLast = Number(body["offset"]) > 0 && Number(body["offset"]) + data.length === body["total"];
        return isLast ? { ...body, count: data.length - 1, data: data.slice(0, -1) } : body;
      }),
  ],
  [
    "pages-overlap-by-one",
    "CORE-EVENT-14",
    "subtle",
    "A page that does not begin at 0 begins one event early.",
    (at) => {
      ofPages(at, (query) =>
        Number(query["offset"]) > 0 ? { ...query, offset: Number(query["offset"]) - 1 } : query,
      );
      at.answer("getEvents", (body, call) => ({ ...body, offset: call.query["offset"] ?? 0 }));
    },
  ],
  [
    "total-is-that-of-the-page",
    "CORE-EVENT-15",
    "plain",
    "total is the number of events on the page.",
    (at) => at.answer("getEvents", (body) => ({ ...body, total: body["count"] })),
  ],
  [
    "total-is-counted-before-the-filter",
    "CORE-EVENT-15",
    "subtle",
    "total counts all events whatever the filters.",
    (at) =>
      at.around("getEvents", async (call, next) => {
        const answer = await next(call);
        if (answer.kind !== "json" || filters.every((name) => call.query[name] === undefined)) return answer;
        const all = await next(changed(call, { query: { limit: 1 } }));
        const total = all.kind === "json" ? fields(all.body)["total"] : undefined;
        return { ...answer, body: { ...fields(answer.body), total } };
      }),
  ],
  [
    "events-in-the-order-of-categories",
    "CORE-EVENT-16",
    "subtle",
    "Without an order the events are sorted by category.",
    (at) => ofPages(at, (query) => ({ order: "category", ...query })),
  ],
  [
    "events-ascend-by-default",
    "CORE-EVENT-17",
    "plain",
    "Without sort the events ascend.",
    (at) => ofPages(at, (query) => ({ sort: "asc", ...query })),
  ],
  [
    "order-category-is-ignored",
    "CORE-EVENT-18",
    "plain",
    "order category sorts by time.",
    (at) => ofPages(at, (query) => (query["order"] === "category" ? { ...query, order: "time" } : query)),
  ],
  [
    "order-event-name-is-ignored",
    "CORE-EVENT-19",
    "plain",
    "order eventName sorts by category.",
    (at) =>
      ofPages(at, (query) => (query["order"] === "eventName" ? { ...query, order: "category" } : query)),
  ],
  [
    "sort-ascending-is-ignored",
    "CORE-EVENT-20",
    "plain",
    "sort asc is ignored.",
    (at) => ofPages(at, (query) => (query["sort"] === "asc" ? { ...query, sort: "desc" } : query)),
  ],
  ...filters.map(
    (name, index) =>
      [
        `filter-${name.toLowerCase()}-is-ignored`,
        `CORE-EVENT-${21 + index}`,
        "plain",
        `${name} restricts nothing.`,
        (at: Switchboard) => ofPages(at, (query) => ({ ...query, [name]: undefined })),
      ] as const,
  ),
  [
    "only-the-first-filter-counts",
    "CORE-EVENT-25",
    "subtle",
    "Of several filters the first is heeded.",
    (at) =>
      ofPages(at, (query) => {
        const given = filters.filter((name) => query[name] !== undefined);
        return Object.fromEntries(
          Object.entries(query).filter(([name]) => !given.slice(1).some((one) => one === name)),
        );
      }),
  ],
  [
    "only-the-first-keyword-counts",
    "CORE-EVENT-26",
    "subtle",
    "Of several keywords of a filter the first lets events through.",
    (at) =>
      ofPages(at, (query) => ({
        ...query,
        ...Object.fromEntries(
          filters
            .filter((name) => typeof query[name] === "string")
            .map((name) => [name, String(query[name]).split(",")[0]]),
        ),
      })),
  ],
  [
    "unknown-order-is-taken",
    "CORE-EVENT-30",
    "plain",
    "An order or sort that is none is taken as the default.",
    (at) => {
      at.lenient("getEvents", "query", "order", "sort");
      at.query("getEvents", (query) => ({
        ...query,
        order: ["time", "category", "eventName"].includes(String(query["order"])) ? query["order"] : "time",
        sort: ["asc", "desc"].includes(String(query["sort"])) ? query["sort"] : "desc",
      }));
    },
  ],
  [
    "events-download-is-text",
    "CORE-EVENT-29",
    "plain",
    "A download of the events is plain text under the media type of a zip.",
    (at) => at.file("getEvents", () => Buffer.from("events follow\n")),
  ],
]);

const streamFaults = faults([
  [
    "event-stream-is-a-page",
    "CORE-EVENT-27",
    "plain",
    "With event the events are answered as a page.",
    (at) => at.query("getEvents", ({ event: _event, ...query }) => query),
  ],
  [
    "event-stream-loses-every-third",
    "CORE-EVENT-28",
    "subtle",
    "Every third event does not come over the stream.",
    (at) => {
      let count = 0;
      at.frames("getEvents", (frame) => (frame.startsWith("id:") && ++count % 3 === 0 ? [] : [frame]));
    },
  ],
  [
    "event-stream-ignores-filters",
    "CORE-EVENT-76",
    "subtle",
    "The event stream sends events that its filters exclude.",
    (at) =>
      at.query("getEvents", (query) =>
        query["event"] === true
          ? Object.fromEntries(Object.entries(query).filter(([name]) => !filters.some((one) => one === name)))
          : query,
      ),
  ],
  [
    "event-stream-repeats-after-resumption",
    "CORE-EVENT-74",
    "subtle",
    "A stream that is resumed sends the last event once more.",
    (at) => at.around("getEvents", (call, next) => next(resumedFrom(call, -1))),
  ],
  [
    "event-stream-skips-one-after-resumption",
    "CORE-EVENT-74",
    "subtle",
    "A stream that is resumed skips the first event after the last.",
    (at) => at.around("getEvents", (call, next) => next(resumedFrom(call, 1))),
  ],
]);

function resumedFrom(call: Parameters<typeof changed>[0], shift: number): typeof call {
  const last = call.headers["last-event-id"];
  return last === undefined
    ? call
    : changed(call, { headers: { ...call.headers, "last-event-id": String(Number(last) + shift) } });
}

const recordFaults = faults([
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
    "The user of a created entry is the caller.",
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
    "The event of a created entry is stored in small letters.",
    (at) => at.body("createEvent", (body) => ({ ...body, event: String(body["event"]).toLowerCase() })),
  ],
  [
    "entry-loses-its-severity",
    "CORE-EVENT-34",
    "plain",
    "A created entry has the severity info whatever was sent.",
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
    "entry-loses-its-time",
    "CORE-EVENT-36",
    "plain",
    "A created entry has the time of its creation whatever was sent.",
    drops("createdAt"),
  ],
  [
    "entry-time-loses-its-offset",
    "CORE-EVENT-36",
    "subtle",
    "The offset of an entry's createdAt is taken for UTC.",
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
    "An entry without createdAt has a time an hour ago.",
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
    "An entry without origin is taken.",
    takes("createEvent", "origin", "system"),
  ],
  [
    "unknown-severity-is-taken",
    "CORE-EVENT-39",
    "plain",
    "A severity that is none is taken as info.",
    takes(
      "createEvent",
      "severity",
      "info",
      (value) => !["alert", "warning", "info"].includes(String(value)),
    ),
  ],
  [
    "disabled-kind-is-recorded",
    "CORE-EVENT-73",
    "subtle",
    "A sign-in failure is recorded though its kind is disabled.",
    (at) => {
      at.around("updateEventKinds", async (call, next) => {
        const events = items(call.body["events"]).filter(({ id }) => id !== 49);
        const answer = await next(changed(call, { body: { events } }));
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
    "A sign-in failure is not recorded.",
    (at) => at.raise((kind, detail, next) => (kind === 49 ? undefined : next(kind, detail))),
  ],
]);

const configurationFaults = faults([
  [
    "event-cache-size-is-doubled",
    "CORE-EVENT-49",
    "plain",
    "desiredDiskCacheSizeMB of the event log is kept as twice what was sent.",
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
    "timeToLiveSec of the event log is answered as it was set and not kept.",
    forgets("setEventConfiguration", "timeToLiveSec"),
  ],
  [
    "event-policy-is-not-kept",
    "CORE-EVENT-51",
    "plain",
    "reachThresholdPolicy is answered as it was set and not kept.",
    forgets("setEventConfiguration", "reachThresholdPolicy"),
  ],
  [
    "event-disk-is-refused",
    "CORE-EVENT-52",
    "plain",
    "targetDiskName of the event log refuses the name of a disk that is listed.",
    (at) =>
      at.around("setEventConfiguration", (call, next) => {
        if (call.body["targetDiskName"] !== undefined)
          throw new Refusal(400, "targetDiskName: it is no disk");
        return next(call);
      }),
  ],
  [
    "unknown-policy-is-taken",
    "CORE-EVENT-53",
    "plain",
    "A reachThresholdPolicy that is none is taken as rotate.",
    takes(
      "setEventConfiguration",
      "reachThresholdPolicy",
      "rotate",
      (value) => value !== undefined && !["rotate", "stop"].includes(String(value)),
    ),
  ],
  [
    "events-outlive-their-time",
    "CORE-EVENT-55",
    "plain",
    "Events older than timeToLiveSec stay.",
    (at) => {
      let shown: unknown;
      at.around("setEventConfiguration", async (call, next) => {
        shown = call.body["timeToLiveSec"] ?? shown;
        return next(changed(call, { body: { ...call.body, timeToLiveSec: undefined } }));
      });
      at.data(["getEventConfiguration", "setEventConfiguration"], (data) =>
        shown === undefined ? data : { ...data, timeToLiveSec: shown },
      );
    },
  ],
  [
    "events-go-before-their-time",
    "CORE-EVENT-55",
    "subtle",
    "Events are removed after half of timeToLiveSec.",
    (at) => {
      let shown: unknown;
      at.around("setEventConfiguration", async (call, next) => {
        const seconds = call.body["timeToLiveSec"];
        shown = seconds ?? shown;
        return next(
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
]);

/** Changes the kinds that answers show. */
function kinds(at: Switchboard, edit: (events: readonly Fields[]) => readonly Fields[]): void {
  at.data(["getEventCatalogue", "updateEventKinds"], (data) => ({
    ...data,
    events: edit(items(data["events"])),
  }));
}

const catalogueFaults = faults([
  [
    "catalogue-lacks-a-kind",
    "CORE-EVENT-67",
    "plain",
    "The catalogue lacks the kind 47.",
    (at) => kinds(at, (events) => events.filter(({ id }) => id !== 47)),
  ],
  [
    "catalogue-spells-it-right",
    "CORE-EVENT-67",
    "subtle",
    "The kind 45 is spelled connected, not as the document spells it.",
    (at) =>
      kinds(at, (events) =>
        events.map((kind) => (kind["id"] === 45 ? { ...kind, event: "master device connected" } : kind)),
      ),
  ],
  [
    "kind-has-another-severity",
    "CORE-EVENT-68",
    "subtle",
    "The kind 60 has the severity warning.",
    (at) =>
      kinds(at, (events) =>
        events.map((kind) => (kind["id"] === 60 ? { ...kind, severity: "warning" } : kind)),
      ),
  ],
  [
    "kind-switch-is-not-kept",
    "CORE-EVENT-69",
    "plain",
    "Updating a kind is answered and not kept.",
    (at) => {
      at.around("updateEventKinds", async (call, next) => {
        const answer = await next(changed(call, { body: { events: [] } }));
        const wishes = new Map(items(call.body["events"]).map(({ id, enable }) => [id, enable]));
        const data = answer.kind === "json" ? fields(fields(answer.body)["data"]) : {};
        const events = items(data["events"]).map((kind) =>
          wishes.has(kind["id"]) ? { ...kind, enable: wishes.get(kind["id"]) } : kind,
        );
        return { kind: "json", status: 200, body: { data: { ...data, events } } };
      });
    },
  ],
  [
    "kind-switch-takes-its-neighbour-along",
    "CORE-EVENT-70",
    "subtle",
    "Updating a kind changes the one that follows it, too.",
    (at) =>
      at.body("updateEventKinds", (body) => ({
        events: items(body["events"]).flatMap(({ id, enable }) =>
          Number(id) < 31 || (Number(id) > 47 && Number(id) < 60)
            ? [
                { id, enable },
                { id: Number(id) + 1, enable },
              ]
            : [{ id, enable }],
        ),
      })),
  ],
  [
    "kinds-together-change-the-first",
    "CORE-EVENT-69",
    "subtle",
    "Of several kinds in one update the first is changed.",
    (at) => at.body("updateEventKinds", (body) => ({ events: items(body["events"]).slice(0, 1) })),
  ],
  [
    "severity-alert-is-not-offered",
    "CORE-EVENT-72",
    "plain",
    "alert is not among the severities.",
    (at) =>
      at.data(["getEventCatalogue", "updateEventKinds"], (data) => ({
        ...data,
        severities: ["info", "warning"],
      })),
  ],
]);

export const eventFaults: readonly Fault[] = [
  ...pagingFaults,
  ...streamFaults,
  ...recordFaults,
  ...configurationFaults,
  ...catalogueFaults,
];

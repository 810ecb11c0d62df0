// Faults of log entries whose optional members are absent, of entries of other users, and of the switches of event kinds.
import { eventKinds } from "../../interface/catalogue.ts";
import { badInput } from "../../reference-impl/base/refusal.ts";
import type { Call } from "../../reference-impl/http/handler.ts";
import { type Fields, fields, items } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { type Fault, faults } from "./fault.ts";

export const entryDefaultFaults: readonly Fault[] = faults([
  [
    "entry-needs-a-message",
    "CORE-EVENT-32",
    "plain",
    "An entry without a message is rejected.",
    (at) =>
      at.around("createEvent", (call, proceed) => {
        if (call.body["message"] === undefined) throw badInput("message: expected a text");
        return proceed(call);
      }),
  ],
  [
    "absent-message-is-null",
    "CORE-EVENT-04",
    "subtle",
    "`message` of an entry that was created without it is null.",
    (at) =>
      at.data("getEvents", (record) => (record["message"] === "" ? { ...record, message: null } : record)),
  ],
  [
    "default-severity-is-not-found",
    "CORE-EVENT-23",
    "subtle",
    "A filter for severities does not find entries that were created without a severity.",
    (at) => {
      const without = entriesWithout(at, "severity");
      at.answer("getEvents", (body, { query }) => {
        if (query["severities"] === undefined) return body;
        const all = items(body["data"]);
        const data = all.filter((record) => !without(record));
        const total = Number(body["total"]) - all.length + data.length;
        return { ...body, data, count: data.length, total };
      });
    },
  ],
  [
    "default-severity-is-not-streamed",
    "CORE-EVENT-28",
    "subtle",
    "A stream with a filter for severities omits entries that were created without a severity.",
    (at) => {
      const without = entriesWithout(at, "severity");
      at.frames("getEvents", (frame, { query }) =>
        query["severities"] !== undefined && without(recordOf(frame)) ? [] : [frame],
      );
    },
  ],
  [
    "entries-without-a-date-come-first",
    "CORE-EVENT-20",
    "subtle",
    "In ascending order, entries that were created without `createdAt` come before all others.",
    (at) => {
      const without = entriesWithout(at, "createdAt");
      at.answer("getEvents", (body, { query }) => {
        if (query["sort"] !== "asc") return body;
        const data = items(body["data"]);
        return { ...body, data: [...data.filter(without), ...data.filter((record) => !without(record))] };
      });
    },
  ],
  [
    "event-streams-of-equal-filters-share-a-place",
    "CORE-EVENT-28",
    "subtle",
    "Of several event streams with equal filters, the newest receives events.",
    (at) => {
      const newest = new Map<string, Call>();
      const keyOf = ({ query }: Call): string => JSON.stringify(query);
      at.frames("getEvents", (frame, call) =>
        frame.startsWith("id:") && newest.get(keyOf(call)) !== call ? [] : [frame],
      );
      at.around("getEvents", (call, proceed) => {
        if (call.query["event"] === true) newest.set(keyOf(call), call);
        return proceed(call);
      });
    },
  ],
  [
    "event-stream-omits-entries-of-others",
    "CORE-EVENT-28",
    "subtle",
    "The event stream omits entries that other users create.",
    (at) => {
      const authors = authorsOf(at);
      at.frames("getEvents", (frame, { caller }) =>
        (authors.get(keyOf(recordOf(frame))) ?? caller?.userId) === caller?.userId ? [frame] : [],
      );
    },
  ],
  [
    "entries-are-listed-to-their-author",
    "CORE-EVENT-32",
    "subtle",
    "Get events does not list entries that other users created.",
    (at) => {
      const authors = authorsOf(at);
      at.answer("getEvents", (body, { caller }) => {
        const all = items(body["data"]);
        const data = all.filter(
          (record) => (authors.get(keyOf(record)) ?? caller?.userId) === caller?.userId,
        );
        return { ...body, data, count: data.length, total: Number(body["total"]) - all.length + data.length };
      });
    },
  ],
  [
    "no-kinds-are-all-kinds",
    "CORE-EVENT-70",
    "subtle",
    "An update of event kinds that names none sets every kind to its default.",
    (at) =>
      at.body("updateEventKinds", (body) =>
        items(body["events"]).length > 0
          ? body
          : { ...body, events: eventKinds.map(({ id, enable }) => ({ id, enable })) },
      ),
  ],
  [
    "kind-disabled-once-stays-silent",
    "CORE-EVENT-73",
    "subtle",
    "A failed sign-in is not recorded once its event kind has been disabled, also after it is enabled again.",
    (at) => {
      const silent = new Set<unknown>();
      at.body("updateEventKinds", (body) => {
        for (const { id, enable } of items(body["events"])) if (enable === false) silent.add(id);
        return body;
      });
      at.raise((kind, detail, proceed) => (silent.has(kind) ? undefined : proceed(kind, detail)));
    },
  ],
  [
    "kind-enable-as-text-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "An `enable` of an event kind that is not a boolean is accepted as true.",
    (at) => {
      at.lenient("updateEventKinds", "json", "events");
      at.body("updateEventKinds", (body) => ({
        ...body,
        events: items(body["events"]).map((kind) => ({ ...kind, enable: kind["enable"] !== false })),
      }));
    },
  ],
]);

const keyOf = ({ category, event, origin, message }: Fields): string =>
  JSON.stringify([category, event, origin, message ?? ""]);

/** Whether a record is of an entry that was created without the member. */
function entriesWithout(at: GatewayAlterations, member: string): (record: Fields) => boolean {
  const without = new Set<string>();
  at.body("createEvent", (body) => {
    if (body[member] === undefined) without.add(keyOf(body));
    else without.delete(keyOf(body));
    return body;
  });
  return (record) => without.has(keyOf(record));
}

/** Who created each entry. */
function authorsOf(at: GatewayAlterations): ReadonlyMap<string, unknown> {
  const authors = new Map<string, unknown>();
  at.body("createEvent", (body, { caller }) => {
    authors.set(keyOf(body), caller?.userId);
    return body;
  });
  return authors;
}

/** The record of a frame of the stream; empty for other frames. */
function recordOf(frame: string): Fields {
  // Not by a pattern of a line: a line separator may stand in a text.
  const [, data] = frame.split("\ndata:");
  return data === undefined ? {} : fields(JSON.parse(data));
}

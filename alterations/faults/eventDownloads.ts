// Faults of the events in a downloaded file.
import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "../../reference-impl/http/handler.ts";
import { zipOf } from "../../reference-impl/base/zip.ts";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";

const filters: readonly string[] = ["categories", "eventNames", "severities", "origins"];

export const downloadFaults: readonly Fault[] = faults([
  [
    "event-download-ignores-filters",
    "CORE-EVENT-79",
    "subtle",
    "A download of events contains events that its filters exclude.",
    withoutFiltersWith("download"),
  ],
  [
    "event-download-holds-one-day",
    "CORE-EVENT-29",
    "subtle",
    "A download of events holds those of the newest day only.",
    (at) => {
      const dayOf = ({ createdAt }: Fields): string => new Date(text(createdAt)).toDateString();
      downloadsOf(at, (event, newest) => newest !== undefined && dayOf(event) === dayOf(newest));
    },
  ],
  [
    "event-download-leaves-out-days-that-differ-from-utc",
    "CORE-EVENT-29",
    "subtle",
    "A download of events leaves out those that were created with an offset in which their day is not that of UTC.",
    (at) => {
      const other = new Set<string>();
      at.body("createEvent", (body) => {
        const createdAt = text(body["createdAt"]);
        const utc = new Date(createdAt);
        if (!Number.isNaN(utc.getTime()) && utc.toISOString().slice(0, 10) !== createdAt.slice(0, 10))
          other.add(text(body["message"]));
        return body;
      });
      downloadsOf(at, ({ message }) => !other.has(text(message)));
    },
  ],
  [
    "event-downloads-share-a-file",
    "CORE-EVENT-79",
    "subtle",
    "Downloads of events at the same time are written to one file, which each of them sends.",
    (at) => {
      let file: Answer | undefined;
      at.around("getEvents", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "file") return answer;
        file = answer;
        await delay(30);
        return file;
      });
    },
  ],
  [
    "event-download-begins-with-the-boot",
    "CORE-EVENT-29",
    "subtle",
    "After a reboot a download of events has those recorded since then only.",
    (at) => downloadsOf(at, recordedSinceBoot(at)),
  ],
  ...(
    [
      ["total-counts-from-the-boot", undefined, "CORE-EVENT-15", "are not counted in `total`"],
      [
        "severities-are-found-from-the-boot",
        "severities",
        "CORE-EVENT-23",
        "are not listed with `severities`",
      ],
      ["origins-are-found-from-the-boot", "origins", "CORE-EVENT-24", "are not listed with `origins`"],
    ] as const
  ).map(
    ([id, filter, requirement, what]) =>
      [
        id,
        requirement,
        "subtle",
        `Events recorded before the last boot ${what}.`,
        (at: GatewayAlterations) => {
          const isRecent = recordedSinceBoot(at);
          at.answer("getEvents", (body, { query }) => {
            if (filter !== undefined && query[filter] === undefined) return body;
            const all = items(body["data"]);
            const data = all.filter(isRecent);
            const total = Number(body["total"]) - (all.length - data.length);
            return filter === undefined ? { ...body, total } : { ...body, data, count: data.length, total };
          });
        },
      ] as const,
  ),
]);

/** A test for events that were recorded since the last boot. */
function recordedSinceBoot(at: GatewayAlterations): (event: Fields) => boolean {
  let last = 0;
  at.boot((store) => {
    const hasEvents = store.get("SELECT 1 FROM sqlite_master WHERE name = 'event'") !== undefined;
    last = hasEvents ? Number(store.get("SELECT max(id) AS id FROM event")?.["id"]) : 0;
  });
  return ({ id }) => Number(id) > last;
}

/** Leaves events out of every download; gets each with the newest of them. */
function downloadsOf(
  at: GatewayAlterations,
  isContained: (event: Fields, newest: Fields | undefined) => boolean,
): void {
  at.around("getEvents", async (call, proceed, ask) => {
    const { download, ...query } = call.query;
    if (download !== true) return proceed(call);
    const list = await ask("getEvents", { query: { limit: 10_000, ...query } });
    const events = list.kind === "json" ? items(fields(list.body)["data"]) : [];
    const lines = events.filter((event) => isContained(event, events[0]));
    const content = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return {
      kind: "file",
      contentType: "application/zip",
      fileName: "events.zip",
      content: await zipOf([{ name: "events.jsonl", content }]),
    };
  });
}

/** Leaves the filters out of requests of the mode. */
export function withoutFiltersWith(mode: "event" | "download"): Fault["install"] {
  return (at) =>
    at.query("getEvents", (query) =>
      query[mode] === true
        ? Object.fromEntries(Object.entries(query).filter(([name]) => !filters.includes(name)))
        : query,
    );
}

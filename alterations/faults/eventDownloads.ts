// Faults of the events in a downloaded file.
import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "../../reference-impl/http/handler.ts";
import { zipOf } from "../../reference-impl/base/zip.ts";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";

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
    (at) =>
      at.around("getEvents", async (call, proceed, ask) => {
        const { download, ...query } = call.query;
        if (download !== true) return proceed(call);
        const list = await ask("getEvents", { query: { limit: 1_000_000, ...query } });
        const events = list.kind === "json" ? items(fields(list.body)["data"]) : [];
        const dayOf = ({ createdAt }: Fields): string => new Date(text(createdAt)).toDateString();
        const [newest] = events;
        const lines = events.filter((event) => newest !== undefined && dayOf(event) === dayOf(newest));
        const content = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
        return {
          kind: "file",
          contentType: "application/zip",
          fileName: "events.zip",
          content: await zipOf([{ name: "events.jsonl", content }]),
        };
      }),
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
]);

/** Leaves the filters out of requests of the mode. */
export function withoutFiltersWith(mode: "event" | "download"): Fault["install"] {
  return (at) =>
    at.query("getEvents", (query) =>
      query[mode] === true
        ? Object.fromEntries(Object.entries(query).filter(([name]) => !filters.includes(name)))
        : query,
    );
}

// Faults of which tags, values and members monitoring and streams show.
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import { faults } from "./fault.ts";
import { isField } from "./habits.ts";

const isValue = (frame: string): boolean => frame.startsWith("data:");
const valueIn = (frame: string): Fields => fields(JSON.parse(frame.slice(5)));
const isStream = (query: Fields): boolean =>
  query["streamInterval"] !== undefined || query["onChanged"] === true;

/** Leaves out values of monitoring without a stream. */
function without(at: GatewayAlterations, pick: (values: readonly Fields[], query: Fields) => Fields[]): void {
  at.around("monitorTags", async (call, proceed) => {
    const answer = await proceed(call);
    if (answer.kind !== "json") return answer;
    return { ...answer, body: { data: pick(items(fields(answer.body)["data"]), call.query) } };
  });
}

export const monitoredTagFaults = faults([
  [
    "names-match-the-beginning",
    "CORE-TAG-49",
    "subtle",
    "A name in `tags` of monitoring matches every tag whose name begins with it.",
    (at) =>
      at.around("monitorTags", async (call, proceed) => {
        const { tags, ...query } = call.query;
        if (tags === undefined || isStream(query)) return proceed(call);
        const names = text(tags).split(",");
        const answer = await proceed(changed(call, { query }));
        if (answer.kind !== "json") return answer;
        const data = items(fields(answer.body)["data"]).filter(({ tagName }) =>
          names.some((name) => text(tagName).startsWith(name)),
        );
        return { ...answer, body: { data } };
      }),
  ],
  [
    "names-beyond-24-are-ignored",
    "CORE-TAG-49",
    "subtle",
    "Monitoring returns only the first 24 of the tags that `tags` names.",
    (at) =>
      at.query("monitorTags", (query) =>
        query["tags"] === undefined
          ? query
          : { ...query, tags: text(query["tags"]).split(",").slice(0, 24).join(",") },
      ),
  ],
  [
    "monitoring-of-100-tags",
    "CORE-TAG-48",
    "subtle",
    "Monitoring without `tags` returns at most 100 values.",
    (at) => without(at, (values, { tags }) => (tags === undefined ? values.slice(0, 100) : [...values])),
  ],
  [
    "texts-are-monitored-by-name-only",
    "CORE-TAG-48",
    "subtle",
    "Monitoring without `tags` omits tags of type string.",
    (at) =>
      without(at, (values, { tags }) =>
        values.filter(({ dataType }) => tags !== undefined || dataType !== "string"),
      ),
  ],
  [
    "history-of-4-values",
    "CORE-TAG-50",
    "subtle",
    "The history of a tag has its last 4 values.",
    (at) =>
      without(at, (values) =>
        [...Map.groupBy(values, ({ tagName }) => tagName).values()].flatMap((of) => of.slice(-4)),
      ),
  ],
  [
    "history-of-named-tags-only",
    "CORE-TAG-50",
    "subtle",
    "Without `tags`, monitoring ignores `ms`.",
    (at) =>
      at.query("monitorTags", ({ ms, ...query }) => (query["tags"] === undefined ? query : { ...query, ms })),
  ],
  [
    "history-in-whole-seconds",
    "CORE-TAG-50",
    "subtle",
    "`ms` is cut to whole seconds.",
    (at) =>
      at.query("monitorTags", (query) => {
        const ms = Number(query["ms"] ?? 0);
        return ms < 1000 ? query : { ...query, ms: ms - (ms % 1000) };
      }),
  ],
  [
    "wrong-queries-of-monitoring-are-ignored",
    "CORE-GENERAL-09",
    "subtle",
    "Monitoring ignores `ms`, `streamInterval` and `compute` with a value that they do not allow.",
    (at) => {
      at.lenient("monitorTags", "query", "ms", "streamInterval", "compute");
      at.query("monitorTags", ({ ms, streamInterval, compute, ...query }) => ({
        ...query,
        ...(/^\d+$/.test(text(ms)) ? { ms: Number(ms) } : {}),
        ...(/^\d+$/.test(text(streamInterval)) ? { streamInterval: Number(streamInterval) } : {}),
        ...(compute === "diff" ? { compute } : {}),
      }));
    },
  ],
  [
    "monitoring-exchanges-names",
    "CORE-TAG-08",
    "plain",
    "Monitored values have the provider as `srcName` and the source as `prvdName`.",
    (at) =>
      at.data("monitorTags", (value) => ({
        ...value,
        prvdName: value["srcName"],
        srcName: value["prvdName"],
      })),
  ],
  [
    "types-of-devices-are-the-widest",
    "CORE-TAG-11",
    "subtle",
    "Monitoring shows tags of field devices of type uint16 as uint64.",
    (at) =>
      at.data("monitorTags", (value) =>
        isField(text(value["prvdName"])) && value["dataType"] === "uint16"
          ? { ...value, dataType: "uint64" }
          : value,
      ),
  ],
  [
    "direct-reads-of-devices-in-seconds",
    "CORE-TAG-18",
    "subtle",
    "`timestamp` of direct reads of field device tags counts seconds.",
    (at) =>
      at.answer("readTag", (value) =>
        isField(text(value["prvdName"]))
          ? { ...value, timestamp: String(Math.floor(Number(value["timestamp"]) / 1000)) }
          : value,
      ),
  ],
  [
    "streams-join-provider-and-source",
    "CORE-TAG-09",
    "plain",
    "`srcName` of values on streams is provider and source, joined by a full stop.",
    (at) =>
      at.frames("monitorTags", (frame, call) => [
        frame.replace('"srcName":"', `"srcName":"${call.path["provider"] ?? ""}.`),
      ]),
  ],
  [
    "streams-keep-the-first-unit",
    "CORE-TAG-13",
    "subtle",
    "An open stream shows the `dataUnit` that a tag had at its first value.",
    (at) => {
      const units = new WeakMap<object, Map<string, unknown>>();
      at.frames("monitorTags", (frame, call) => {
        if (!isValue(frame)) return [frame];
        const known = units.get(call) ?? new Map<string, unknown>();
        units.set(call, known);
        const { tagName, dataUnit } = valueIn(frame);
        if (!known.has(text(tagName))) known.set(text(tagName), dataUnit);
        const first = `"dataUnit":${JSON.stringify(known.get(text(tagName)))}`;
        return [frame.replace(`"dataUnit":${JSON.stringify(dataUnit)}`, first)];
      });
    },
  ],
  [
    "one-tag-in-turn",
    "CORE-TAG-51",
    "subtle",
    "A stream at an interval that names several tags sends one of them at each interval.",
    (at) => {
      const counts = new WeakMap<object, number>();
      at.frames("monitorTags", (frame, call) => {
        const names = text(call.query["tags"]).split(",").length;
        if (call.query["streamInterval"] === undefined || !isValue(frame)) return [frame];
        const count = counts.get(call) ?? 0;
        counts.set(call, count + 1);
        return count % names === Math.floor(count / names) % names ? [frame] : [];
      });
    },
  ],
  [
    "deleted-tags-stay-on-streams",
    "CORE-FIELD-30",
    "subtle",
    "An open stream at an interval keeps sending the last value of a tag that was deleted.",
    (at) => {
      const deleted = new Set<string>();
      const last = new WeakMap<object, Map<string, string>>();
      at.around("deleteVirtualTag", (call, proceed) => {
        deleted.add(text(call.body["tagName"]));
        return proceed(call);
      });
      at.around("monitorTags", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "stream") return answer;
        return {
          ...answer,
          run(sink) {
            const timer = setInterval(() => {
              for (const [tagName, frame] of last.get(call) ?? [])
                if (deleted.has(tagName)) sink.write(`${frame}\n\n`);
            }, 200);
            call.signal.addEventListener("abort", () => clearInterval(timer));
            answer.run(sink);
          },
        };
      });
      at.frames("monitorTags", (frame, call) => {
        if (call.query["streamInterval"] === undefined || !isValue(frame)) return [frame];
        const frames = last.get(call) ?? new Map<string, string>();
        last.set(call, frames.set(text(valueIn(frame)["tagName"]), frame));
        return [frame];
      });
    },
  ],
  [
    "small-changes-are-not-streamed",
    "CORE-TAG-52",
    "subtle",
    "A stream of changes omits a change of a double by less than 0.001.",
    (at) => {
      const known = new WeakMap<object, Map<string, number>>();
      at.frames("monitorTags", (frame, call) => {
        if (call.query["onChanged"] !== true || !isValue(frame)) return [frame];
        const { tagName, dataType, dataValue } = valueIn(frame);
        if (dataType !== "double") return [frame];
        const values = known.get(call) ?? new Map<string, number>();
        known.set(call, values);
        const before = values.get(text(tagName)) ?? Number.NaN;
        values.set(text(tagName), Number(dataValue));
        return Math.abs(Number(dataValue) - before) < 0.001 ? [] : [frame];
      });
    },
  ],
  [
    "streams-are-silent-after-a-fault",
    "CORE-TAG-52",
    "subtle",
    "An open stream of changes sends nothing more once a slave device has failed.",
    (at) => {
      let failures = 0;
      const opened = new WeakMap<object, number>();
      at.raise((kind, detail, proceed) => {
        if (kind === 40) failures += 1;
        return proceed(kind, detail);
      });
      at.frames("monitorTags", (frame, call) => {
        if (!opened.has(call)) opened.set(call, failures);
        return opened.get(call) === failures || call.query["onChanged"] === undefined ? [frame] : [];
      });
    },
  ],
  [
    "differences-of-unsigned-values-wrap",
    "CORE-TAG-54",
    "subtle",
    "With `compute` diff, negative differences of unsigned values have 64 bits without a sign.",
    (at) =>
      at.frames("monitorTags", (frame, call) =>
        call.query["compute"] === "diff" && frame.includes('"dataType":"uint')
          ? [
              frame.replace(
                /"dataValue":-(\d+)/,
                (_, size: string) => `"dataValue":${2n ** 64n - BigInt(size)}`,
              ),
            ]
          : [frame],
      ),
  ],
  [
    "differences-of-named-tags-only",
    "CORE-TAG-54",
    "subtle",
    "Without `tags`, a stream ignores `compute`.",
    (at) =>
      at.query("monitorTags", ({ compute, ...query }) =>
        query["tags"] === undefined ? query : { ...query, compute },
      ),
  ],
]);

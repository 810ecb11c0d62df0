// Faults of monitoring: present values, history and streams.
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const isStream = (query: Fields): boolean =>
  query["streamInterval"] !== undefined || query["onChanged"] === true;

export const monitorFaults: readonly Fault[] = faults([
  [
    "update-of-a-tag-restores-a-value",
    "CORE-TAG-48",
    "subtle",
    "Updating a virtual tag of the type double gives it the value before the last one.",
    (at) => {
      const values = new Map<unknown, readonly unknown[]>();
      at.around("writeTag", (call, proceed) => {
        const { tag = "" } = call.path;
        values.set(tag, [call.body["dataValue"], values.get(tag)?.[0]]);
        return proceed(call);
      });
      at.around("updateVirtualTag", async (call, proceed, ask) => {
        const answer = await proceed(call);
        const { prvdName, srcName, tagName, dataType } = call.body;
        const dataValue = values.get(tagName)?.[1];
        if (dataType === "double" && dataValue !== undefined)
          await ask("writeTag", {
            path: { provider: text(prvdName), source: text(srcName), tag: text(tagName) },
            body: { dataType, dataValue },
          }).catch(() => undefined);
        return answer;
      });
    },
  ],
  [
    "history-ignores-the-names",
    "CORE-TAG-49",
    "subtle",
    "With `ms`, monitoring returns the tags that `tags` does not name as well.",
    (at) =>
      at.around("monitorTags", (call, proceed) => {
        const { tags: _tags, ...query } = call.query;
        return proceed(query["ms"] === undefined ? call : changed(call, { query }));
      }),
  ],
  [
    "writes-at-the-same-time-lose-one",
    "CORE-TAG-48",
    "subtle",
    "Of two direct writes at the same time, the first one stores the value of the second one in its tag.",
    (at) => {
      let latest: unknown;
      at.around("writeTag", async (call, proceed) => {
        latest = call.body["dataValue"];
        await new Promise((resolve) => setTimeout(resolve, 5));
        return proceed(
          typeof latest === "number" ? changed(call, { body: { ...call.body, dataValue: latest } }) : call,
        );
      });
    },
  ],
  [
    "history-with-the-time-of-the-newest-value",
    "CORE-TAG-14",
    "subtle",
    "`ts` of every value of a history is that of the newest one.",
    (at) =>
      at.around("monitorTags", async (call, proceed) => {
        const answer = await proceed(call);
        if (call.query["ms"] === undefined || answer.kind !== "json") return answer;
        const values = items(fields(answer.body)["data"]).map(fields);
        const ts = Math.max(...values.map((value) => Number(value["ts"])));
        return {
          ...answer,
          body: { ...fields(answer.body), data: values.map((value) => ({ ...value, ts })) },
        };
      }),
  ],
  [
    "history-of-devices-is-the-present-value",
    "CORE-TAG-50",
    "subtle",
    "With `ms`, monitoring returns only the present value of a tag of a field device.",
    (at) => {
      const virtual = new Set<unknown>();
      at.around("createVirtualTag", (call, proceed) => {
        virtual.add(call.body["prvdName"]);
        return proceed(call);
      });
      at.around("monitorTags", (call, proceed) => {
        const { ms, ...query } = call.query;
        const isPlain = ms === undefined || virtual.has(call.path["provider"]);
        return proceed(isPlain ? call : changed(call, { query }));
      });
    },
  ],
  [
    "stream-silent-after-an-update-of-its-tag",
    "CORE-TAG-52",
    "subtle",
    "An open stream of changes delivers no change of a virtual tag after an update of that tag.",
    (at) => {
      const updated = new Set<unknown>();
      at.around("updateVirtualTag", async (call, proceed) => {
        const answer = await proceed(call);
        updated.add(call.body["tagName"]);
        return answer;
      });
      at.frames("monitorTags", (frame) =>
        [...updated].some((name) => frame.includes(JSON.stringify(name))) ? [] : [frame],
      );
    },
  ],
  [
    "interval-in-whole-seconds",
    "CORE-TAG-51",
    "subtle",
    "A `streamInterval` above a second is cut to whole seconds.",
    (at) =>
      at.around("monitorTags", (call, proceed) => {
        const intervalMs = Number(call.query["streamInterval"] ?? 0);
        const streamInterval = intervalMs - (intervalMs % 1000);
        return proceed(
          intervalMs <= 1000 ? call : changed(call, { query: { ...call.query, streamInterval } }),
        );
      }),
  ],
  [
    "stream-of-changes-compares-lengths",
    "CORE-TAG-52",
    "subtle",
    "A stream of changes omits a change of a string to another of the same length.",
    (at) => {
      const lengths = new WeakMap<object, Map<string, number>>();
      at.frames("monitorTags", (frame, call) => {
        if (call.query["onChanged"] !== true || !frame.startsWith("data:")) return [frame];
        const value = fields(JSON.parse(frame.slice(5)));
        if (value["dataType"] !== "string") return [frame];
        const known = lengths.get(call) ?? new Map<string, number>();
        lengths.set(call, known);
        const { length } = text(value["dataValue"]);
        const isOmitted = known.get(text(value["tagName"])) === length;
        known.set(text(value["tagName"]), length);
        return isOmitted ? [] : [frame];
      });
    },
  ],
  [
    "stream-of-changes-compares-doubles",
    "CORE-TAG-52",
    "subtle",
    "A stream of changes omits a change of a 64-bit integer to one that is the same in double precision.",
    (at) => {
      const known = new WeakMap<object, Map<string, number>>();
      at.frames("monitorTags", (frame, call) => {
        const [, digits] = /"dataType":"u?int64","dataValue":"?(-?\d+)/.exec(frame) ?? [];
        if (call.query["onChanged"] !== true || digits === undefined) return [frame];
        const tag = text(fields(JSON.parse(frame.slice(5)))["tagName"]);
        const values = known.get(call) ?? new Map<string, number>();
        known.set(call, values);
        const isOmitted = values.get(tag) === Number(digits);
        values.set(tag, Number(digits));
        return isOmitted ? [] : [frame];
      });
    },
  ],
  [
    "monitoring-is-one-behind",
    "CORE-TAG-48",
    "subtle",
    "Monitoring returns the value before the last one.",
    (at) => {
      const last = new Map<string, unknown>();
      at.around("monitorTags", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "json" || call.query["ms"] !== undefined) return answer;
        const data = items(fields(answer.body)["data"]).map((value) => {
          const key = JSON.stringify([value["prvdName"], value["srcName"], value["tagName"]]);
          const before = last.get(key);
          last.set(key, value["dataValue"]);
          return before === undefined ? value : { ...value, dataValue: before };
        });
        return { ...answer, body: { data } };
      });
    },
  ],
  [
    "monitoring-ignores-tags",
    "CORE-TAG-49",
    "plain",
    "Monitoring returns all tags of the source, whatever `tags` says.",
    (at) => at.query("monitorTags", (query) => (isStream(query) ? query : { ...query, tags: undefined })),
  ],
  [
    "history-is-the-present-value",
    "CORE-TAG-50",
    "plain",
    "With `ms`, only the present values are returned.",
    (at) => at.query("monitorTags", ({ ms: _ms, ...query }) => query),
  ],
  [
    "history-has-no-end",
    "CORE-TAG-50",
    "subtle",
    "With `ms`, all stored values are returned.",
    (at) =>
      at.query("monitorTags", (query) => (query["ms"] === undefined ? query : { ...query, ms: 86_400_000 })),
  ],
  [
    "stream-interval-is-doubled",
    "CORE-TAG-51",
    "subtle",
    "A stream at an interval sends at twice the interval.",
    (at) =>
      at.query("monitorTags", (query) =>
        query["streamInterval"] === undefined
          ? query
          : { ...query, streamInterval: Number(query["streamInterval"]) * 2 },
      ),
  ],
  [
    "stream-interval-is-halved",
    "CORE-TAG-51",
    "subtle",
    "A stream at an interval sends at half the interval.",
    (at) =>
      at.query("monitorTags", (query) =>
        query["streamInterval"] === undefined
          ? query
          : { ...query, streamInterval: Math.max(10, Math.floor(Number(query["streamInterval"]) / 2)) },
      ),
  ],
  [
    "stream-skips-every-tenth-round",
    "CORE-TAG-51",
    "subtle",
    "A stream at an interval omits every tenth round.",
    (at) => {
      const counts = new WeakMap<object, number>();
      at.frames("monitorTags", (frame, call) => {
        if (call.query["streamInterval"] === undefined || !frame.startsWith("data:")) return [frame];
        const count = (counts.get(call) ?? 0) + 1;
        counts.set(call, count);
        return count % 10 === 0 ? [] : [frame];
      });
    },
  ],
  [
    "one-change-in-500-is-lost",
    "CORE-TAG-52",
    "subtle",
    "A stream loses one change in 500.",
    ofChanges((count) => (count % 500 === 0 ? "lost" : "sent")),
  ],
  [
    "one-change-in-100-comes-twice",
    "CORE-TAG-52",
    "subtle",
    "A stream repeats one change in 100.",
    ofChanges((count) => (count % 100 === 0 ? "twice" : "sent")),
  ],
  [
    "two-changes-are-swapped",
    "CORE-TAG-52",
    "subtle",
    "A stream delivers two changes in 200 out of order.",
    (at) => {
      const held = new WeakMap<object, { count: number; frame: string | undefined }>();
      at.frames("monitorTags", (frame, call) => {
        if (call.query["onChanged"] !== true || !frame.startsWith("data:")) return [frame];
        const state = held.get(call) ?? { count: 0, frame: undefined };
        held.set(call, state);
        state.count += 1;
        if (state.frame !== undefined) {
          const first = state.frame;
          state.frame = undefined;
          return [frame, first];
        }
        if (state.count % 200 !== 0) return [frame];
        state.frame = frame;
        return [];
      });
    },
  ],
  [
    "stream-repeats-while-nothing-changes",
    "CORE-TAG-53",
    "plain",
    "A stream of changes sends twice a second while no value changes.",
    (at) =>
      at.query("monitorTags", (query) =>
        query["onChanged"] === true ? { ...query, onChanged: undefined, streamInterval: 500 } : query,
      ),
  ],
  [
    "differences-are-values",
    "CORE-TAG-54",
    "plain",
    "With `compute` diff, the stream has the values themselves.",
    (at) => at.query("monitorTags", ({ compute: _compute, ...query }) => query),
  ],
  [
    "differences-have-no-sign",
    "CORE-TAG-54",
    "subtle",
    "With `compute` diff, the stream has differences without their sign.",
    (at) =>
      at.frames("monitorTags", (frame, call) =>
        call.query["compute"] === "diff" ? [frame.replace('"dataValue":-', '"dataValue":')] : [frame],
      ),
  ],
  [
    "differences-are-whole-numbers",
    "CORE-TAG-54",
    "subtle",
    "With `compute` diff, the stream has differences without their fraction.",
    (at) =>
      at.frames("monitorTags", (frame, call) =>
        call.query["compute"] === "diff" ? [frame.replace(/("dataValue":-?\d+)\.\d+/g, "$1")] : [frame],
      ),
  ],
  [
    "stream-ignores-tags",
    "CORE-TAG-55",
    "plain",
    "A stream has all tags of the source, whatever `tags` says.",
    (at) => at.query("monitorTags", (query) => (isStream(query) ? { ...query, tags: undefined } : query)),
  ],
]);

/** Edits the changes on each stream by their number. */
function ofChanges(fate: (count: number) => "lost" | "twice" | "sent"): Fault["install"] {
  return (at) => {
    const counts = new WeakMap<object, number>();
    at.frames("monitorTags", (frame, call) => {
      if (call.query["onChanged"] !== true || !frame.startsWith("data:")) return [frame];
      const count = (counts.get(call) ?? 0) + 1;
      counts.set(call, count);
      const done = fate(count);
      return done === "lost" ? [] : done === "twice" ? [frame, frame] : [frame];
    });
  };
}

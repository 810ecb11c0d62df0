// Faults of monitoring and of streams of tag values that show in the second stream, the second value or beside another tag.
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { Call, StreamSink } from "../../reference-impl/http/handler.ts";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed, type Step } from "../mechanism/operationAlterations.ts";
import { type Fault, faults } from "./fault.ts";

const isValue = (frame: string): boolean => frame.startsWith("data:");
const nameIn = (frame: string): string => text(fields(JSON.parse(frame.slice(5)))["tagName"]);
/** As it is written: a number of 64 bits keeps its digits. */
const valueIn = (frame: string): string => /"dataValue":(.*),"dataUnit"/.exec(frame)?.[1] ?? "";
const namesOf = (query: Fields): string[] => text(query["tags"]).split(",");
const isStream = (query: Fields): boolean =>
  query["streamInterval"] !== undefined || query["onChanged"] === true;
const largest32 = 2 ** 31;

/** Of the names in `tags`, those behind one that does not exist are ignored. */
const upToAnUnknownName =
  (isMeant: (query: Fields) => boolean): Step =>
  async (call, proceed, ask) => {
    if (call.query["tags"] === undefined || !isMeant(call.query)) return proceed(call);
    const answer = await ask("listTags");
    const known = new Set(
      items(answer.kind === "json" ? fields(answer.body)["data"] : []).map(({ tagName }) => tagName),
    );
    const names = namesOf(call.query);
    const end = names.findIndex((name) => !known.has(name));
    const tags = (end < 0 ? names : names.slice(0, end + 1)).join(",");
    return proceed(changed(call, { query: { ...call.query, tags } }));
  };

/** Sends values of its own to the open streams that name their tag. */
function sender(at: GatewayAlterations, isMeant: (query: Fields) => boolean) {
  const open = new Map<Call, StreamSink>();
  at.around("monitorTags", async (call, proceed) => {
    const answer = await proceed(call);
    if (answer.kind !== "stream" || !isMeant(call.query)) return answer;
    return {
      ...answer,
      run(sink) {
        open.set(call, sink);
        call.signal.addEventListener("abort", () => open.delete(call));
        answer.run(sink);
      },
    };
  });
  return ({ provider, source, tag = "" }: Call["path"], value: Fields): void => {
    const names = { prvdName: provider, srcName: source, tagName: tag };
    const line = `data:${JSON.stringify({ ...names, ...value, dataUnit: "", ts: Date.now() })}\n\n`;
    for (const [{ path, query }, sink] of open)
      if (path["provider"] === provider && path["source"] === source && namesOf(query).includes(tag))
        sink.write(line);
  };
}

/** A stream of the kind sends nothing any more once one of its tags is deleted. */
const silencedByDeletion =
  (kind: "streamInterval" | "onChanged"): Fault["install"] =>
  (at) => {
    const deleted = new Set<string>();
    at.around("deleteVirtualTag", (call, proceed) => {
      deleted.add(text(call.body["tagName"]));
      return proceed(call);
    });
    at.frames("monitorTags", (frame, { query }) =>
      (query[kind] ?? false) !== false && namesOf(query).some((name) => deleted.has(name)) ? [] : [frame],
    );
  };

/** Installs the fault with a test for virtual tags in another source than that of the first virtual tag. */
const withOtherSources =
  (install: (at: GatewayAlterations, isMeant: (provider: unknown, source: unknown) => boolean) => void) =>
  (at: GatewayAlterations): void => {
    const known = new Set<string>();
    const keyOf = (...names: readonly unknown[]): string => JSON.stringify(names);
    at.around("createVirtualTag", async (call, proceed) => {
      const answer = await proceed(call);
      known.add(keyOf(call.body["prvdName"], call.body["srcName"]));
      return answer;
    });
    install(at, (...names) => [...known].indexOf(keyOf(...names)) > 0);
  };

/** Streams of the kind send nothing of virtual tags in other sources. */
const silentInOtherSources = (kind: "streamInterval" | "onChanged"): Fault["install"] =>
  withOtherSources((at, isMeant) =>
    at.frames("monitorTags", (frame, { path, query }) =>
      (query[kind] ?? false) !== false && isMeant(path["provider"], path["source"]) ? [] : [frame],
    ),
  );

export const tagStreamFaults = faults([
  [
    "history-counts-in-32-bits",
    "CORE-TAG-50",
    "subtle",
    "`ms` beyond 2147483647 wraps around, and finds no value.",
    (at) =>
      at.around("monitorTags", async (call, proceed) => {
        const answer = await proceed(call);
        const isWrapped = Number(call.query["ms"] ?? 0) >= largest32;
        return isWrapped && answer.kind === "json" ? { ...answer, body: { data: [] } } : answer;
      }),
  ],
  [
    "unknown-name-ends-the-names",
    "CORE-TAG-49",
    "subtle",
    "Monitoring ignores the names in `tags` behind one that does not exist.",
    (at) =>
      at.around(
        "monitorTags",
        upToAnUnknownName((query) => !isStream(query)),
      ),
  ],
  [
    "unknown-name-silences-the-stream",
    "CORE-TAG-51",
    "subtle",
    "A stream sends no value of the names in `tags` behind one that does not exist.",
    (at) => at.around("monitorTags", upToAnUnknownName(isStream)),
  ],
  [
    "raw-values-are-not-monitored",
    "CORE-TAG-48",
    "subtle",
    "Monitoring omits tags of type raw.",
    (at) =>
      at.answer("monitorTags", (body) => ({
        ...body,
        data: items(body["data"]).filter(
          ({ dataType, prvdName }) => dataType !== "raw" || /^(modbus|opcua)_/.test(text(prvdName)),
        ),
      })),
  ],
  [
    "raw-changes-are-not-streamed",
    "CORE-TAG-52",
    "subtle",
    "A stream of changes sends the first value of a virtual tag of type raw, and no change of it.",
    (at) => {
      const sent = new WeakMap<object, Set<string>>();
      at.frames("monitorTags", (frame, call) => {
        if (!isValue(frame) || !frame.includes('"dataType":"raw"')) return [frame];
        if (/"prvdName":"(modbus|opcua)_/.test(frame)) return [frame];
        const known = sent.get(call) ?? new Set<string>();
        sent.set(call, known);
        if (known.has(nameIn(frame))) return [];
        known.add(nameIn(frame));
        return [frame];
      });
    },
  ],
  [
    "streams-of-differences-share-their-base",
    "CORE-TAG-54",
    "subtle",
    "Of two streams of differences with the same query, each difference reaches one of them only.",
    (at) => {
      const calls = new Map<string, object[]>();
      let turn = 0;
      at.frames("monitorTags", (frame, call) => {
        if (call.query["compute"] !== "diff" || call.query["onChanged"] !== true || !isValue(frame))
          return [frame];
        const key = JSON.stringify([call.path, call.query]);
        const open = calls.get(key) ?? [];
        calls.set(key, open);
        if (!open.includes(call)) {
          open.push(call);
          call.signal.addEventListener("abort", () => open.splice(open.indexOf(call), 1));
        }
        return open.length < 2 || turn++ % 2 === 0 ? [frame] : [];
      });
    },
  ],
  [
    "differences-of-0-are-sent",
    "CORE-TAG-53",
    "subtle",
    "A stream of changes with `compute` diff sends 0 when a tag is written with the value that it has.",
    (at) => {
      const values = new Map<string, unknown>();
      const send = sender(at, ({ compute }) => compute === "diff");
      at.around("writeTag", async (call, proceed) => {
        const answer = await proceed(call);
        const { dataType, dataValue } = call.body;
        const key = JSON.stringify(call.path);
        if (values.get(key) === dataValue) send(call.path, { dataType, dataValue: 0 });
        values.set(key, dataValue);
        return answer;
      });
    },
  ],
  [
    "values-of-before-are-no-change",
    "CORE-TAG-52",
    "subtle",
    "A stream of changes omits the change of a tag back to the value before the last one.",
    (at) => {
      const seen = new WeakMap<object, Map<string, readonly [string | undefined, string]>>();
      at.frames("monitorTags", (frame, call) => {
        if (call.query["onChanged"] !== true || call.query["compute"] !== undefined || !isValue(frame))
          return [frame];
        if (!frame.includes('"dataType":"int32"')) return [frame];
        const known = seen.get(call) ?? new Map<string, readonly [string | undefined, string]>();
        seen.set(call, known);
        const before = known.get(nameIn(frame));
        known.set(nameIn(frame), [before?.[1], valueIn(frame)]);
        return before?.[0] === valueIn(frame) ? [] : [frame];
      });
    },
  ],
  [
    "rejected-values-are-monitored",
    "CORE-ROBUST-03",
    "subtle",
    "A direct write beyond the range of the type is rejected, and monitoring shows its value.",
    (at) => {
      const rejected = new Map<string, unknown>();
      at.around("writeTag", async (call, proceed) => {
        const { tag = "" } = call.path;
        try {
          const answer = await proceed(call);
          rejected.delete(tag);
          return answer;
        } catch (thrown) {
          if (thrown instanceof Refusal && typeof call.body["dataValue"] === "number")
            rejected.set(tag, call.body["dataValue"]);
          throw thrown;
        }
      });
      at.data("monitorTags", (value) => ({
        ...value,
        dataValue: rejected.get(text(value["tagName"])) ?? value["dataValue"],
      }));
    },
  ],
  [
    "rejected-values-are-streamed",
    "CORE-TAG-53",
    "subtle",
    "A direct write that is rejected makes a stream of changes send the value of its tag again.",
    (at) => {
      const values = new Map<string, unknown>();
      const send = sender(at, ({ onChanged }) => onChanged === true);
      at.around("writeTag", async (call, proceed) => {
        const { dataType, dataValue } = call.body;
        const key = JSON.stringify(call.path);
        try {
          const answer = await proceed(call);
          values.set(key, dataValue);
          return answer;
        } catch (thrown) {
          if (values.has(key)) send(call.path, { dataType, dataValue: values.get(key) });
          throw thrown;
        }
      });
    },
  ],
  [
    "deletion-silences-the-other-tags",
    "CORE-TAG-51",
    "subtle",
    "An open stream at an interval sends no more values once one of the tags that it names is deleted.",
    silencedByDeletion("streamInterval"),
  ],
  [
    "deletion-ends-the-changes-of-the-other-tags",
    "CORE-TAG-52",
    "subtle",
    "An open stream of changes sends no more changes once one of the tags that it names is deleted.",
    silencedByDeletion("onChanged"),
  ],
  [
    "other-sources-send-nothing-at-an-interval",
    "CORE-TAG-51",
    "subtle",
    "A stream at an interval sends values of virtual tags only in the source of the first virtual tag.",
    silentInOtherSources("streamInterval"),
  ],
  [
    "other-sources-send-no-changes",
    "CORE-TAG-52",
    "subtle",
    "A stream of changes sends values of virtual tags only in the source of the first virtual tag.",
    silentInOtherSources("onChanged"),
  ],
  [
    "other-sources-have-no-history",
    "CORE-TAG-50",
    "subtle",
    "A search with `ms` finds values of virtual tags only in the source of the first virtual tag.",
    withOtherSources((at, isMeant) =>
      at.answer("monitorTags", (body, { path, query }) =>
        query["ms"] !== undefined && isMeant(path["provider"], path["source"]) ? { data: [] } : body,
      ),
    ),
  ],
  [
    "all-tags-at-an-interval-are-the-changed-ones",
    "CORE-TAG-51",
    "subtle",
    "Without `tags`, a stream at an interval sends only values that have changed.",
    (at) => {
      const last = new WeakMap<object, Map<string, string>>();
      at.frames("monitorTags", (frame, call) => {
        const { streamInterval, tags } = call.query;
        if (streamInterval === undefined || tags !== undefined || !isValue(frame)) return [frame];
        const values = last.get(call) ?? new Map<string, string>();
        last.set(call, values);
        const isSame = values.get(nameIn(frame)) === valueIn(frame);
        values.set(nameIn(frame), valueIn(frame));
        return isSame ? [] : [frame];
      });
    },
  ],
  [
    "inactive-user-silences-all-streams",
    "CORE-TAG-52",
    "subtle",
    "When a user is made inactive, the open streams of changes of all users send nothing more.",
    (at) => {
      let closed = 0;
      const opened = new WeakMap<object, number>();
      at.around("updateUser", async (call, proceed) => {
        const answer = await proceed(call);
        if (call.body["isActive"] === false) closed += 1;
        return answer;
      });
      at.frames("monitorTags", (frame, call) => {
        if (call.query["onChanged"] !== true) return [frame];
        if (!opened.has(call)) opened.set(call, closed);
        return opened.get(call) === closed ? [frame] : [];
      });
    },
  ],
  ...(
    [
      ["16-bits", "is counted in 16 bits", (ms: number) => ms % 2 ** 16],
      [
        "32-bits-of-microseconds",
        "becomes microseconds in 32 bits",
        (ms: number) => ((ms * 1000) % 2 ** 32) / 1000,
      ],
    ] as const
  ).map(
    ([id, what, wrapped]) =>
      [
        `interval-in-${id}`,
        "CORE-TAG-51",
        "subtle",
        `\`streamInterval\` ${what}: a long one becomes a short one.`,
        (at: GatewayAlterations) =>
          at.query("monitorTags", (query) =>
            query["streamInterval"] === undefined
              ? query
              : {
                  ...query,
                  streamInterval: Math.max(1, Math.floor(wrapped(Number(query["streamInterval"])))),
                },
          ),
      ] as const,
  ),
]);

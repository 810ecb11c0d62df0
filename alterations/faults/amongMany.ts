// Faults of tags and events that show among many, to another user, beside another stream, or the second time.
import type { Call } from "../../reference-impl/http/handler.ts";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import { faults } from "./fault.ts";
import { isField } from "./habits.ts";

const isValue = (frame: string): boolean => frame.startsWith("data:");
const valueOf = (frame: string): Fields => fields(JSON.parse(frame.slice(5)));
const isStream = (query: Fields): boolean =>
  query["streamInterval"] !== undefined || query["onChanged"] === true;
const keyOf = (call: Call): string => JSON.stringify([call.path, call.query]);
const userOf = (call: Call): string => String(call.caller?.userId);
const nameOf = ({ prvdName, srcName, tagName }: Fields): string =>
  JSON.stringify([prvdName, srcName, tagName]);
const longestHistoryMs = 5000;
const longestText = 1024;
const page = 100;
/** Registers of 32 bits in one request. */
const perBlock = 62;

export const amongManyFaults = faults([
  [
    "history-reaches-5-s",
    "CORE-TAG-50",
    "subtle",
    "With `ms`, monitoring returns values of the last 5 s at most.",
    (at) =>
      at.query("monitorTags", (query) =>
        query["ms"] === undefined ? query : { ...query, ms: Math.min(Number(query["ms"]), longestHistoryMs) },
      ),
  ],
  [
    "history-has-each-value-once",
    "CORE-TAG-50",
    "subtle",
    "With `ms`, monitoring returns a value that a tag had twice once.",
    (at) =>
      at.answer("monitorTags", (body, call) => {
        if (call.query["ms"] === undefined) return body;
        const last = new Map(
          items(body["data"]).map((value) => [`${nameOf(value)} ${String(value["dataValue"])}`, value]),
        );
        return { ...body, data: [...last.values()] };
      }),
  ],
  [
    "streams-decode-names-twice",
    "CORE-TAG-52",
    "subtle",
    "A stream takes `%41` in a name in `tags` as A.",
    (at) =>
      at.query("monitorTags", (query) =>
        isStream(query) && text(query["tags"]).includes("%41")
          ? { ...query, tags: text(query["tags"]).replaceAll("%41", "A") }
          : query,
      ),
  ],
  [
    "streams-ignore-the-case-of-names",
    "CORE-TAG-55",
    "subtle",
    "A stream has tags whose names differ from those in `tags` in case only.",
    (at) =>
      at.around("monitorTags", async (call, proceed, ask) => {
        if (!isStream(call.query) || call.query["tags"] === undefined) return proceed(call);
        const answer = await ask("listTags");
        const names = new Set(text(call.query["tags"]).toLowerCase().split(","));
        const listed = items(answer.kind === "json" ? fields(answer.body)["data"] : [])
          .map(({ tagName }) => text(tagName))
          .filter((name) => names.has(name.toLowerCase()));
        return proceed(changed(call, { query: { ...call.query, tags: listed.join(",") } }));
      }),
  ],
  [
    "virtual-tags-are-listed-to-their-author",
    "CORE-TAG-27",
    "subtle",
    "List tags does not list virtual tags that other users created.",
    (at) => {
      const authors = new Map<string, string>();
      at.around("createVirtualTag", (call, proceed) => {
        authors.set(nameOf(call.body), userOf(call));
        return proceed(call);
      });
      at.answer("listTags", (body, call) => ({
        ...body,
        data: items(body["data"]).filter(
          (tag) => (authors.get(nameOf(tag)) ?? userOf(call)) === userOf(call),
        ),
      }));
    },
  ],
  [
    "writes-of-other-users-are-not-streamed",
    "CORE-TAG-52",
    "subtle",
    "A stream of changes omits values that another user wrote.",
    (at) => {
      const writers = new Map<string, string>();
      at.around("writeTag", (call, proceed) => {
        writers.set(text(call.path["tag"]), userOf(call));
        return proceed(call);
      });
      at.frames("monitorTags", (frame, call) => {
        if (call.query["onChanged"] !== true || !isValue(frame)) return [frame];
        const writer = writers.get(text(valueOf(frame)["tagName"])) ?? userOf(call);
        return writer === userOf(call) ? [frame] : [];
      });
    },
  ],
  [
    "streams-at-an-interval-keep-the-first-unit",
    "CORE-TAG-13",
    "subtle",
    "An open stream at an interval shows the `dataUnit` that a tag had at its first value.",
    (at) => {
      const units = new WeakMap<object, Map<string, string>>();
      at.frames("monitorTags", (frame, call) => {
        if (call.query["streamInterval"] === undefined || !isValue(frame)) return [frame];
        const known = units.get(call) ?? new Map<string, string>();
        units.set(call, known);
        const value = valueOf(frame);
        const unit = known.get(nameOf(value)) ?? text(value["dataUnit"]);
        known.set(nameOf(value), unit);
        return [frame.replace(/"dataUnit":"[^"]*"/, `"dataUnit":${JSON.stringify(unit)}`)];
      });
    },
  ],
  [
    "streams-of-changes-open-once",
    "CORE-TAG-52",
    "subtle",
    "A stream of changes of virtual tags that is opened again after its end sends nothing.",
    (at) => {
      const ended = new Set<string>();
      const silent = new WeakSet<object>();
      at.around("monitorTags", (call, proceed) => {
        if (call.query["onChanged"] !== true || isField(text(call.path["provider"]))) return proceed(call);
        if (ended.has(keyOf(call))) silent.add(call);
        call.signal.addEventListener("abort", () => ended.add(keyOf(call)));
        return proceed(call);
      });
      at.frames("monitorTags", (frame, call) => (silent.has(call) ? [] : [frame]));
    },
  ],
  [
    "streams-omit-long-texts",
    "CORE-TAG-52",
    "subtle",
    `Streams omit values of more than ${longestText} characters.`,
    (at) =>
      at.frames("monitorTags", (frame) =>
        isValue(frame) && text(valueOf(frame)["dataValue"]).length > longestText ? [] : [frame],
      ),
  ],
  [
    "deletion-answers-100-tags",
    "CORE-TAG-57",
    "subtle",
    "Deleting a virtual tag returns at most 100 of those that remain.",
    (at) => at.answer("deleteVirtualTag", (body) => ({ ...body, data: items(body["data"]).slice(0, page) })),
  ],
  [
    "provider-has-100-tags",
    "CORE-TAG-61",
    "subtle",
    "List tags with `provider` returns at most 100 tags.",
    (at) =>
      at.answer("listTags", (body, { query }) =>
        query["provider"] === undefined ? body : { ...body, data: items(body["data"]).slice(0, page) },
      ),
  ],
  [
    "event-stream-resumes-once",
    "CORE-EVENT-74",
    "subtle",
    "A stream that is resumed a second time omits the events before its opening.",
    (at) => {
      const resumed = new Set<string>();
      at.around("getEvents", (call, proceed) => {
        const { "last-event-id": last, ...headers } = call.headers;
        if (last === undefined) return proceed(call);
        if (resumed.has(keyOf(call))) return proceed(changed(call, { headers }));
        resumed.add(keyOf(call));
        return proceed(call);
      });
    },
  ],
  [
    "second-block-of-registers-is-one-behind",
    "CORE-FIELD-19",
    "subtle",
    "Tags of registers beyond the first request to a field device show the value of the tag before.",
    (at) => {
      const values = new Map<string, Parameters<Parameters<typeof at.tagValue>[0]>[1]>();
      at.tagValue((tag, value, ts, set) => {
        const number = Number(/^sequence(\d+)$/.exec(tag.tagName)?.[1] ?? 0);
        values.set(`${tag.srcName} ${number}`, value);
        const before = values.get(`${tag.srcName} ${number - 1}`);
        set(tag, number > perBlock && before !== undefined ? before : value, ts);
      });
    },
  ],
  [
    "differences-reach-plain-streams",
    "CORE-TAG-52",
    "subtle",
    "While a stream of differences of a source is open, its streams of changes have differences, too.",
    (at) => {
      const open = new Set<Call>();
      at.around("monitorTags", (call, proceed) => {
        if (call.query["compute"] !== "diff" || call.query["onChanged"] !== true) return proceed(call);
        open.add(call);
        call.signal.addEventListener("abort", () => open.delete(call));
        return proceed(call);
      });
      const last = new WeakMap<object, Map<string, unknown>>();
      at.frames("monitorTags", (frame, call) => {
        const { onChanged, compute } = call.query;
        if (onChanged !== true || compute !== undefined || !isValue(frame)) return [frame];
        const known = last.get(call) ?? new Map<string, unknown>();
        last.set(call, known);
        const { dataValue, ...value } = valueOf(frame);
        const before = known.get(nameOf(value));
        known.set(nameOf(value), dataValue);
        const isBeside = [...open].some(({ path }) => path["source"] === call.path["source"]);
        return isBeside && typeof before === "number" && typeof dataValue === "number"
          ? [`data:${JSON.stringify({ ...value, dataValue: dataValue - before })}`]
          : [frame];
      });
    },
  ],
  [
    "first-stream-sets-the-interval",
    "CORE-TAG-51",
    "subtle",
    "While a stream at an interval is open, further ones of the same tags have its interval.",
    (at) => {
      const open = new Map<string, { interval: unknown; count: number }>();
      at.around("monitorTags", (call, proceed) => {
        const { streamInterval, ...query } = call.query;
        if (streamInterval === undefined || query["tags"] === undefined) return proceed(call);
        const key = JSON.stringify([call.path, query]);
        const first = open.get(key) ?? { interval: streamInterval, count: 0 };
        open.set(key, first);
        first.count += 1;
        call.signal.addEventListener("abort", () => {
          first.count -= 1;
          if (first.count === 0) open.delete(key);
        });
        return proceed(changed(call, { query: { ...query, streamInterval: first.interval } }));
      });
    },
  ],
  [
    "unknown-names-are-found-in-other-sources",
    "CORE-TAG-62",
    "subtle",
    "Monitoring of a source finds a name that it does not have in another source of the provider.",
    (at) =>
      at.around("monitorTags", async (call, proceed, ask) => {
        const answer = await proceed(call);
        const { tags } = call.query;
        const data = answer.kind === "json" ? items(fields(answer.body)["data"]) : undefined;
        if (tags === undefined || data === undefined || data.length > 0) return answer;
        const listed = await ask("listTags");
        const other = items(listed.kind === "json" ? fields(listed.body)["data"] : []).find(
          ({ prvdName, tagName }) => prvdName === call.path["provider"] && tagName === tags,
        );
        if (other === undefined) return answer;
        return proceed(changed(call, { path: { ...call.path, source: text(other["srcName"]) } }));
      }),
  ],
  [
    "filter-without-a-match-is-no-filter",
    "CORE-EVENT-21",
    "subtle",
    "`categories` of which no event has one are ignored.",
    (at) =>
      at.around("getEvents", async (call, proceed) => {
        const { categories, ...query } = call.query;
        const answer = await proceed(call);
        if (categories === undefined || answer.kind !== "json") return answer;
        const alone = await proceed(changed(call, { query: { categories, limit: 1 } }));
        const isNone = alone.kind === "json" && fields(alone.body)["total"] === 0;
        return isNone ? proceed(changed(call, { query })) : answer;
      }),
  ],
  [
    "monitoring-of-many-tags-exchanges-values",
    "CORE-TAG-48",
    "subtle",
    "Of more than 64 tags, monitoring shows the value of the tag before.",
    (at) =>
      at.answer("monitorTags", (body) => {
        const data = items(body["data"]);
        return {
          ...body,
          data: data.map((value, index) =>
            index < 64 || isField(text(value["prvdName"]))
              ? value
              : { ...value, dataValue: data[index - 1]?.["dataValue"] },
          ),
        };
      }),
  ],
  [
    "eight-origins-are-filtered",
    "CORE-EVENT-24",
    "subtle",
    "Of the values of `origins`, the first eight are applied.",
    (at) =>
      at.query("getEvents", (query) =>
        Array.isArray(query["origins"]) ? { ...query, origins: query["origins"].slice(0, 8) } : query,
      ),
  ],
  [
    "rounds-have-the-first-32-tags",
    "CORE-TAG-51",
    "subtle",
    "A round of a stream at an interval has the first 32 of the tags in `tags`.",
    (at) =>
      at.query("monitorTags", (query) => {
        const names = text(query["tags"]).split(",");
        const isCut = query["streamInterval"] !== undefined && names.length > 32;
        return isCut ? { ...query, tags: names.slice(0, 32).join(",") } : query;
      }),
  ],
  ...(
    [
      ["rounds-have-100-tags-of-a-source", "CORE-TAG-51", "streamInterval", "at an interval"],
      ["changes-are-of-100-tags-of-a-source", "CORE-TAG-52", "onChanged", "of changes"],
    ] as const
  ).map(
    ([id, requirement, kind, named]) =>
      [
        id,
        requirement,
        "subtle",
        `A stream ${named} without \`tags\` has the first 100 tags of the source.`,
        (at: GatewayAlterations) =>
          at.around("monitorTags", async (call, proceed, ask) => {
            if (call.query["tags"] !== undefined || !call.query[kind]) return proceed(call);
            const { provider, source } = call.path;
            const answer = await ask("listTags");
            const tags = items(answer.kind === "json" ? fields(answer.body)["data"] : [])
              .filter(({ prvdName, srcName }) => prvdName === provider && srcName === source)
              .map(({ tagName }) => text(tagName));
            if (tags.length <= 100) return proceed(call);
            return proceed(changed(call, { query: { ...call.query, tags: tags.slice(0, 100).join(",") } }));
          }),
      ] as const,
  ),
]);

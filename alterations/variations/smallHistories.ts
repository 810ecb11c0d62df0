// How long and how soon values of tags are retained, how often they move, and how long they may be.
import { setTimeout as delay } from "node:timers/promises";
import { badInput } from "../../reference-impl/base/refusal.ts";
import { fields, items, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changesOnly } from "./streams.ts";
import type { Variations } from "./variation.ts";

const seldom = 48;
const longestIntervalMs = 2000;
const flushedMs = 800;
const lateMs = 5000;
const keptMs = 4000;
const slowMs = 400;
const usualSize = 32;
const depth = "Monitor query: ms is a history search in milliseconds; how far back it reaches is not stated";

/** Of these two together a search finds nothing. */
const span = "span of histories";
const soon = "Monitor query: how soon a history search finds a value is not stated";

/** A search finds the values whose times fit only. */
function historyOf(at: GatewayAlterations, fits: (ts: number) => boolean): void {
  at.answer("monitorTags", (body, { query }) => {
    if (query["ms"] === undefined) return body;
    const data = items(body["data"]).filter(({ ts }) => fits(Number(ts)));
    return { ...body, ...(body["count"] === undefined ? {} : { count: data.length }), data };
  });
}

/** A search finds changes only: values that follow another one, and not too long ago. */
function changesIn(at: GatewayAlterations): void {
  at.answer("monitorTags", (body, { query }) => {
    if (query["ms"] === undefined) return body;
    const last = new Map<unknown, unknown>();
    const data = items(body["data"]).filter(({ tagName, dataValue, ts }) => {
      const isChange = !Object.is(last.get(tagName), dataValue);
      last.set(tagName, dataValue);
      return isChange && Number(ts) > Date.now() - keptMs;
    });
    return { ...body, ...(body["count"] === undefined ? {} : { count: data.length }), data };
  });
}

/** The live tag changes seldom. */
const movesSeldom = (at: GatewayAlterations): void =>
  at.tagValue((tag, value, ts, enter) =>
    enter(
      tag,
      tag.srcName === "simulator" && tag.tagName === "counter" ? Math.floor(Number(value) / seldom) : value,
      ts,
    ),
  );

/** A text tag that is created without a size takes texts of the usual size. */
function usualSizes(at: GatewayAlterations): void {
  at.body("createVirtualTag", (body) =>
    body["dataType"] === "string" && body["dataSize"] === undefined ? { ...body, dataSize: usualSize } : body,
  );
  at.around("writeTag", async (call, proceed, ask) => {
    const { provider, source, tag } = call.path;
    const list = await ask("listTags");
    const listed = items(list.kind === "json" ? fields(list.body)["data"] : []).find(
      ({ prvdName, srcName, tagName }) => prvdName === provider && srcName === source && tagName === tag,
    );
    const size = Number(listed?.["dataSize"]);
    if (listed?.["dataType"] === "string" && Buffer.byteLength(text(call.body["dataValue"])) > size)
      throw badInput(`dataValue: expected at most ${size} bytes`);
    return proceed(call);
  });
}

export const smallHistoryVariations = {
  "live-tag-moves-seldom": {
    differs: "The live tag changes every 4.8 s, and a stream of changes opens without a value",
    freedom: "Tag: what a tag shows is the choice of the product",
    aspect: "live tag",
    install(at) {
      changesOnly(at);
      movesSeldom(at);
    },
  },
  "live-tag-outlasts-the-history": {
    differs: `The live tag changes every 4.8 s, and a search finds changes of the last ${keptMs / 1000} s only`,
    freedom: depth,
    aspect: ["live tag", span],
    profile: { tagHistorySec: keptMs / 1000 },
    install(at) {
      movesSeldom(at);
      changesIn(at);
    },
  },
  "intervals-up-to-2-s": {
    differs: "A `streamInterval` of more than 2 s is rejected",
    freedom: "Monitor query: which intervals a gateway accepts is not stated",
    install: (at) =>
      at.query("monitorTags", (query) => {
        if (Number(query["streamInterval"]) > longestIntervalMs)
          throw badInput(`streamInterval: expected at most ${longestIntervalMs}`);
        return query;
      }),
  },
  "history-is-flushed": {
    differs: `A search finds a value at most ${flushedMs} ms after its write`,
    freedom: soon,
    install: (at) => historyOf(at, (ts) => ts < Math.floor(Date.now() / flushedMs) * flushedMs),
  },
  "history-is-5-s-late": {
    differs: `A search finds a value from ${lateMs / 1000} s after its write on`,
    freedom: soon,
    aspect: span,
    install: (at) => historyOf(at, (ts) => ts < Date.now() - lateMs),
  },
  "history-of-4-s": {
    differs: `A search finds values of the last ${keptMs / 1000} s only`,
    freedom: depth,
    aspect: span,
    profile: { tagHistorySec: keptMs / 1000 },
    install: (at) => historyOf(at, (ts) => ts > Date.now() - keptMs),
  },
  "slow-history-of-4-s": {
    differs: `Monitoring takes ${slowMs} ms, a stream at a long interval opens after ${lateMs / 1000} s, and a search finds values of the last ${keptMs / 1000} s, at most ${flushedMs} ms after their write`,
    freedom: depth,
    aspect: span,
    profile: { tagHistorySec: keptMs / 1000 },
    install(at) {
      historyOf(at, (ts) => ts > Date.now() - keptMs && ts < Math.floor(Date.now() / flushedMs) * flushedMs);
      at.around("monitorTags", async (call, proceed) => {
        await delay(Number(call.query["streamInterval"]) > lateMs ? lateMs : slowMs);
        return proceed(call);
      });
    },
  },
  "texts-of-32-bytes": {
    differs: `A text tag that is created without \`dataSize\` takes texts of ${usualSize} bytes`,
    freedom: "Virtual tag: dataSize is optional; its default is not stated",
    install: usualSizes,
  },
} as const satisfies Variations;

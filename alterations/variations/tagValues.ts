// How values of tags are shown.
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { fields, items, text } from "../mechanism/edits.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { mapObjects } from "../wire/exactJson.ts";
import type { Variation, Variations } from "./variation.ts";

type Install = NonNullable<Variation["install"]>;

const shown = "Tag value: the form of dataValue is not stated";

/** Changes the value of every tag value that has one of the types. */
function shownAs(types: readonly string[], write: (value: number | bigint) => unknown): Install {
  return (at) =>
    at.jsonValue((value, { id = "" }) =>
      ["monitorTags", "readTag"].includes(id)
        ? mapObjects(value, (object) => {
            const { dataType, dataValue } = object;
            const isNumber = typeof dataValue === "number" || typeof dataValue === "bigint";
            return isNumber && types.includes(String(dataType))
              ? { ...object, dataValue: write(dataValue) }
              : object;
          })
        : value,
    );
}

const keyOf = (parts: readonly unknown[]): string => JSON.stringify(parts.map(text));

/** Shows the counter of the simulator, the live tag, as something else. */
const liveAs =
  (write: (value: number) => unknown, type: object = {}): Install =>
  (at) =>
    at.jsonValue((value, { id = "" }) =>
      ["listTags", "monitorTags", "readTag"].includes(id)
        ? mapObjects(value, (object) => {
            if (object["srcName"] !== "simulator" || object["tagName"] !== "counter") return object;
            const { dataValue, ...rest } = object;
            const shownValue = dataValue === undefined ? {} : { dataValue: write(Number(dataValue)) };
            return { ...rest, ...shownValue, ...type };
          })
        : value,
    );

/** A virtual tag has no value between these operations and its next direct write. */
const emptiedBy =
  (operation: "createVirtualTag" | "updateVirtualTag"): Install =>
  (at) => {
    const empty = new Set<string>();
    at.around(operation, async (call, proceed) => {
      const answer = await proceed(call);
      const { prvdName, srcName, tagName } = call.body;
      empty.add(keyOf([prvdName, srcName, tagName]));
      return answer;
    });
    at.around("writeTag", async (call, proceed) => {
      const answer = await proceed(call);
      const { provider, source, tag } = call.path;
      empty.delete(keyOf([provider, source, tag]));
      return answer;
    });
    at.around("readTag", (call, proceed) => {
      const { provider, source, tag } = call.path;
      if (empty.has(keyOf([provider, source, tag]))) throw new Refusal(400, "the tag has no value yet");
      return proceed(call);
    });
    at.answer("monitorTags", (body) => ({
      ...body,
      data: Array.isArray(body["data"])
        ? body["data"].filter((value) => {
            const { prvdName, srcName, tagName } = fields(value);
            return !empty.has(keyOf([prvdName, srcName, tagName]));
          })
        : body["data"],
    }));
  };

/** An update with another data type than that of the creation is rejected. */
function fixedTypes(at: GatewayAlterations): void {
  const types = new Map<string, unknown>();
  at.around("createVirtualTag", async (call, proceed) => {
    const answer = await proceed(call);
    types.set(
      keyOf([call.body["prvdName"], call.body["srcName"], call.body["tagName"]]),
      call.body["dataType"],
    );
    return answer;
  });
  at.around("updateVirtualTag", (call, proceed) => {
    const { prvdName, srcName, tagName, dataType } = call.body;
    const type = types.get(keyOf([prvdName, srcName, tagName]));
    if (type !== undefined && type !== dataType) throw new Refusal(400, "dataType: it cannot be changed");
    return proceed(call);
  });
}

/** A direct read shows the data type of the last write. */
function writtenTypes(at: GatewayAlterations): void {
  const types = new Map<string, unknown>();
  at.around("writeTag", async (call, proceed, ask) => {
    const { provider, source, tag } = call.path;
    const list = await ask("listTags");
    const listed = items(list.kind === "json" ? fields(list.body)["data"] : []).find(
      (one) => keyOf([one["prvdName"], one["srcName"], one["tagName"]]) === keyOf([provider, source, tag]),
    );
    const dataType = listed?.["dataType"] ?? call.body["dataType"];
    const answer = await proceed(changed(call, { body: { ...call.body, dataType } }));
    types.set(keyOf([provider, source, tag]), call.body["dataType"]);
    return answer;
  });
  at.around("updateVirtualTag", (call, proceed) => {
    types.delete(keyOf([call.body["prvdName"], call.body["srcName"], call.body["tagName"]]));
    return proceed(call);
  });
  at.answer("readTag", (body) => ({
    ...body,
    dataType: types.get(keyOf([body["prvdName"], body["srcName"], body["tagName"]])) ?? body["dataType"],
  }));
}

/** Differences of integers of 64 bits are computed in double precision. */
function differencesInDoubles(at: GatewayAlterations): void {
  const written = new Map<string, readonly [last: unknown, before: unknown]>();
  at.around("writeTag", (call, proceed) => {
    const { provider, source, tag } = call.path;
    const key = keyOf([provider, source, tag]);
    written.set(key, [call.body["dataValue"], written.get(key)?.[0]]);
    return proceed(call);
  });
  at.frames("monitorTags", (frame, { query }) => {
    if (query["compute"] !== "diff" || !/"dataType":"u?int64"/.test(frame)) return [frame];
    const { prvdName, srcName, tagName } = fields(JSON.parse(frame.slice(frame.indexOf("{"))));
    const [last, before] = written.get(keyOf([prvdName, srcName, tagName])) ?? [];
    if (before === undefined) return [frame];
    const difference = Number(last) - Number(before);
    return difference === 0 ? [] : [frame.replace(/"dataValue":-?\d+/, `"dataValue":${difference}`)];
  });
}

/** More than any case asks for. */
const wholeHistoryMs = 3_600_000;

/** A search answers one value a tag: the last one that it had at that time. */
function historyOfOneTime(at: GatewayAlterations): void {
  at.around("monitorTags", async (call, proceed) => {
    const ms = Number(call.query["ms"]);
    if (!(ms >= 0)) return proceed(call);
    const untilMs = Date.now() - ms;
    const answer = await proceed(changed(call, { query: { ...call.query, ms: wholeHistoryMs } }));
    if (answer.kind !== "json") return answer;
    const data = new Map(
      items(fields(answer.body)["data"])
        .map(fields)
        .filter(({ ts }) => Number(ts) <= untilMs)
        .toSorted((a, b) => Number(a["ts"]) - Number(b["ts"]))
        .map((value) => [keyOf([value["prvdName"], value["srcName"], value["tagName"]]), value]),
    );
    return { ...answer, body: { ...fields(answer.body), count: data.size, data: [...data.values()] } };
  });
}

export const tagValueVariations = {
  "history-of-one-time": {
    differs: "Monitoring with `ms` answers the one value that each tag had at that time",
    freedom: "Monitor query: ms is a history search in milliseconds; what it finds is not stated",
    install: historyOfOneTime,
  },
  "nine-digits": {
    differs: "Values of type float have nine significant digits",
    freedom: shown,
    aspect: "digits of floats",
    install: shownAs(["float"], (value) => Number(Number(value).toPrecision(9))),
  },
  "digits-of-double": {
    differs: "Values of type float have all digits of the number as a double",
    freedom: shown,
    aspect: "digits of floats",
    install: shownAs(["float"], (value) => Math.fround(Number(value))),
  },
  "wide-integers-as-text": {
    differs: "Values of type int64 and uint64 are strings of digits",
    freedom: shown,
    install: shownAs(["int64", "uint64"], String),
  },
  "history-of-8-values": {
    differs: "Monitoring with `ms` answers at most the last 8 values of a tag",
    freedom: "Monitor query: how many values a history search finds is not stated",
    install: (at) =>
      at.answer("monitorTags", (body) => {
        const values = items(body["data"]).map(fields);
        const ofTags = Map.groupBy(values, (one) => keyOf([one["prvdName"], one["srcName"], one["tagName"]]));
        return { ...body, data: [...ofTags.values()].flatMap((of) => of.slice(-8)) };
      }),
  },
  "raw-values-as-hex": {
    differs: "Values of type raw are shown as hexadecimal digits",
    freedom: shown,
    install: (at) =>
      at.jsonValue((value, { id = "" }) =>
        ["monitorTags", "readTag"].includes(id)
          ? mapObjects(value, (object) =>
              object["dataType"] === "raw" && typeof object["dataValue"] === "string"
                ? { ...object, dataValue: Buffer.from(object["dataValue"], "base64").toString("hex") }
                : object,
            )
          : value,
      ),
  },
  "reads-show-the-written-type": {
    differs: "A direct read shows the data type of the last write",
    freedom: "Endpoints 13: what a direct write with another data type does is not stated",
    install: writtenTypes,
  },
  "differences-in-doubles": {
    differs: "Differences of 64-bit integers are computed in double precision",
    freedom: "Endpoints 13: the precision of `compute` is not stated",
    install: differencesInDoubles,
  },
  "virtual-tags-empty": {
    differs: "A virtual tag has no value before it is written",
    freedom: "Endpoints 13: the first value of a virtual tag is not stated",
    install: emptiedBy("createVirtualTag"),
  },
  "updated-tags-empty": {
    differs: "A virtual tag has no value between an update and the next write",
    freedom: "Endpoints 13: whether the value of a virtual tag outlives an update is not stated",
    install: emptiedBy("updateVirtualTag"),
  },
  "sizes-of-types": {
    differs: "A virtual tag of 32 bits has the size 4, whatever size is sent",
    freedom: "Tag: whether a client decides the size of a number is not stated",
    install: (at) =>
      at.body(["createVirtualTag", "updateVirtualTag"], (body) =>
        /^u?int32$/.test(text(body["dataType"])) &&
        typeof body["dataSize"] === "number" &&
        body["dataSize"] >= 0
          ? { ...body, dataSize: 4 }
          : body,
      ),
  },
  "system-tags-are-monitored-only": {
    differs: "Tags that show the system itself are monitored, and cannot be read directly",
    freedom: "Endpoints 13: that only tags with access r or rw can be read does not say that each can",
    install: (at) =>
      at.around("readTag", (call, proceed) => {
        if (["system", "device"].includes(call.path["provider"] ?? ""))
          throw new Refusal(400, "the tag cannot be read directly");
        return proceed(call);
      }),
  },
  "types-are-fixed": {
    differs: "The data type of a virtual tag cannot be changed",
    freedom: "Endpoints 13: which members an update can change is not stated",
    install: fixedTypes,
  },
  "live-tag-stands-at-100": {
    differs: "The live tag is the load of a processor that is busy all the time",
    freedom: "Tag: what a tag shows is the choice of the product",
    aspect: "live tag",
    install: liveAs(() => 100),
  },
  "live-tag-is-boolean": {
    differs: "The live tag has only two values",
    freedom: "Tag: dataType of a tag is the choice of the product",
    aspect: "live tag",
    install: liveAs((value) => value % 2 === 1, { dataType: "boolean" }),
  },
  "unknown-sources-empty": {
    differs: "Monitoring an unknown source is answered with an empty list",
    freedom: "Endpoints 13: the outcome for an unknown source is not shown",
    install: (at) =>
      at.around("monitorTags", async (call, proceed) => {
        try {
          return await proceed(call);
        } catch (thrown) {
          if (!(thrown instanceof Refusal) || thrown.status !== 404) throw thrown;
          return { kind: "json", status: 200, body: { data: [] } };
        }
      }),
  },
} as const satisfies Variations;

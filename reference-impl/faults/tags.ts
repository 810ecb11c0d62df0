// Faults of the tag service: virtual tags, direct access, monitoring and streams.
import { badInput, notFound, Refusal } from "../http/refusal.ts";
import { type Fields, fields, items } from "./edits.ts";
import { type Fault, faults } from "./fault.ts";
import { swallows, takes } from "./habits.ts";
import { changed, type Step, type Switchboard } from "./switchboard.ts";

const definitions = ["createVirtualTag", "updateVirtualTag"] as const;

/** Shortens a name that is too long, so that it is taken. */
function shortens(member: string): Fault["install"] {
  return (at) => {
    at.lenient(definitions, "json", member);
    at.body(definitions, (body) => ({
      ...body,
      [member]: typeof body[member] === "string" ? body[member].slice(0, 1024) : body[member],
    }));
  };
}

function refuses(
  id: Parameters<Switchboard["around"]>[0],
  isMeant: (body: Fields) => boolean,
): Fault["install"] {
  return (at) =>
    at.around(id, (call, next) => {
      if (isMeant({ ...call.body })) throw badInput("it is not taken");
      return next(call);
    });
}

const virtualFaults = faults([
  [
    "virtual-tag-of-one-type-is-refused",
    "CORE-TAG-27",
    "subtle",
    "A virtual tag of the type raw is refused.",
    refuses("createVirtualTag", ({ dataType }) => dataType === "raw"),
  ],
  [
    "virtual-tag-loses-its-unit",
    "CORE-TAG-27",
    "plain",
    "The unit of a new virtual tag is not stored.",
    (at) => at.body("createVirtualTag", ({ dataUnit: _unit, ...body }) => body),
  ],
  [
    "updated-tag-keeps-its-unit",
    "CORE-TAG-28",
    "plain",
    "The unit of an update is answered and not stored.",
    (at) =>
      at.around("updateVirtualTag", async (call, next) => {
        const { dataUnit, ...body } = call.body;
        const answer = await next(changed(call, { body }));
        return answer.kind === "json" && dataUnit !== undefined
          ? { ...answer, body: { data: { ...fields(fields(answer.body)["data"]), dataUnit } } }
          : answer;
      }),
  ],
  [
    "deleted-tag-stays-listed",
    "CORE-TAG-29",
    "plain",
    "A virtual tag that was deleted is listed as before.",
    (at) => {
      const deleted: Fields[] = [];
      at.around("deleteVirtualTag", async (call, next) => {
        const answer = await next(call);
        deleted.push({ dataType: "int32", dataSize: 0, dataUnit: "", access: "rw", ...call.body });
        return answer;
      });
      at.answer("listTags", (body) => ({ data: [...items(body["data"]), ...deleted] }));
    },
  ],
  [
    "deleting-a-tag-takes-its-source-along",
    "CORE-TAG-29",
    "subtle",
    "Deleting a virtual tag hides the others of its source.",
    (at) => {
      const gone = new Set<string>();
      const keyOf = (tag: Fields): string => `${String(tag["prvdName"])}/${String(tag["srcName"])}`;
      at.body("deleteVirtualTag", (body) => {
        gone.add(keyOf(body));
        return body;
      });
      at.answer("listTags", (body) => ({ data: items(body["data"]).filter((tag) => !gone.has(keyOf(tag))) }));
    },
  ],
  [
    "provider-name-of-any-length",
    "CORE-TAG-38",
    "subtle",
    "A provider name of more than 1024 characters is cut.",
    shortens("prvdName"),
  ],
  [
    "source-name-of-any-length",
    "CORE-TAG-39",
    "subtle",
    "A source name of more than 1024 characters is cut.",
    shortens("srcName"),
  ],
  [
    "tag-name-of-any-length",
    "CORE-TAG-40",
    "subtle",
    "A tag name of more than 1024 characters is cut.",
    shortens("tagName"),
  ],
  [
    "names-of-1000-characters-are-refused",
    "CORE-TAG-37",
    "subtle",
    "Names of virtual tags of more than 1000 characters are refused.",
    refuses("createVirtualTag", ({ prvdName, srcName, tagName }) =>
      [prvdName, srcName, tagName].some((name) => String(name).length > 1000),
    ),
  ],
  [
    "unit-of-16-characters-is-refused",
    "CORE-TAG-41",
    "subtle",
    "A unit of 16 characters is refused.",
    refuses(definitions, ({ dataUnit }) => String(dataUnit ?? "").length === 16),
  ],
  [
    "unit-of-any-length",
    "CORE-TAG-42",
    "subtle",
    "A unit of more than 16 characters is cut.",
    (at) => {
      at.lenient(definitions, "json", "dataUnit");
      at.body(definitions, (body) => ({ ...body, dataUnit: String(body["dataUnit"] ?? "").slice(0, 16) }));
    },
  ],
  [
    "largest-data-size-is-refused",
    "CORE-TAG-43",
    "subtle",
    "A data size above 2147483647 is refused.",
    refuses(definitions, ({ dataSize }) => Number(dataSize) > 2_147_483_647),
  ],
  [
    "data-size-wraps-around",
    "CORE-TAG-44",
    "subtle",
    "A data size of 4294967296 is taken as 0.",
    (at) => {
      at.lenient(definitions, "json", "dataSize");
      at.body(definitions, (body) => ({ ...body, dataSize: Number(body["dataSize"] ?? 0) >>> 0 }));
    },
  ],
  [
    "unknown-data-type-is-a-string",
    "CORE-TAG-45",
    "plain",
    "A data type that is none is taken as string.",
    takes(
      "createVirtualTag",
      "dataType",
      "string",
      (type) => !/^u?int(8|16|32|64)$|^(float|double|string|boolean|raw)$/.test(String(type)),
    ),
  ],
  [
    "unknown-access-is-read-and-write",
    "CORE-TAG-46",
    "plain",
    "An access that is none is taken as rw.",
    takes("createVirtualTag", "access", "rw", (access) => !["r", "w", "rw"].includes(String(access))),
  ],
  [
    "tag-without-access-is-created",
    "CORE-TAG-47",
    "plain",
    "A virtual tag needs no access.",
    takes("createVirtualTag", "access", "rw"),
  ],
  [
    "unknown-tag-is-deleted",
    "CORE-TAG-58",
    "plain",
    "Deleting a virtual tag that does not exist is answered as if it had.",
    (at) =>
      swallows(
        at,
        "deleteVirtualTag",
        { data: [] },
        (thrown) => thrown instanceof Refusal && thrown.status === 404,
      ),
  ],
  [
    "deleting-answers-what-was-deleted",
    "CORE-TAG-57",
    "subtle",
    "Deleting a virtual tag answers the deleted one alone.",
    (at) =>
      at.answer("deleteVirtualTag", (_body, call) => ({
        data: [{ dataType: "int32", dataSize: 0, dataUnit: "", access: "rw", ...call.body }],
      })),
  ],
]);

/** Changes the values that direct reads show. */
function reads(edit: (value: unknown, type: unknown) => unknown): Fault["install"] {
  return (at) =>
    at.answer("readTag", (body) => ({ ...body, dataValue: edit(body["dataValue"], body["dataType"]) }));
}

const accessFaults = faults([
  [
    "write-is-answered-and-lost",
    "CORE-TAG-30",
    "plain",
    "A value that was written is not read back.",
    (at) => at.around("writeTag", () => ({ kind: "json", status: 200, body: { message: "ok" } })),
  ],
  [
    "small-integers-wrap-around",
    "CORE-TAG-30",
    "subtle",
    "The largest uint16 is read back as -1.",
    reads((value, type) => (type === "uint16" && Number(value) > 32_767 ? Number(value) - 65_536 : value)),
  ],
  [
    "doubles-are-singles",
    "CORE-TAG-30",
    "subtle",
    "A double is read back in single precision.",
    reads((value, type) => (type === "double" ? Math.fround(Number(value)) : value)),
  ],
  [
    "strings-lose-what-is-not-ascii",
    "CORE-TAG-30",
    "subtle",
    "Characters beyond ASCII are read back as question marks.",
    // oxlint-disable-next-line no-control-regex -- ASCII begins with control characters
    reads((value, type) => (type === "string" ? String(value).replaceAll(/[^\u0000-\u007f]/gu, "?") : value)),
  ],
  [
    "64-bit-integers-are-rounded",
    "CORE-TAG-31",
    "subtle",
    "64-bit integers beyond 2^53 are rounded to what a double holds.",
    reads((value) => (typeof value === "bigint" ? BigInt(Number(value)) : value)),
  ],
  [
    "write-only-tag-is-read",
    "CORE-TAG-32",
    "plain",
    "A tag with access w is read directly.",
    (at) =>
      swallows(
        at,
        "readTag",
        { prvdName: "", srcName: "", tagName: "", timestamp: "0", dataType: "int32", dataValue: 0 },
        (thrown) => thrown instanceof Refusal && thrown.message.includes("only be written"),
      ),
  ],
  [
    "write-only-tag-is-a-404",
    "CORE-TAG-32",
    "subtle",
    "Reading a tag with access w is refused with 404.",
    (at) => at.around("readTag", otherStatus("only be written")),
  ],
  [
    "read-only-tag-is-written",
    "CORE-TAG-33",
    "plain",
    "A write to a tag with access r is answered as if it were done.",
    (at) =>
      swallows(
        at,
        "writeTag",
        { message: "ok" },
        (thrown) => thrown instanceof Refusal && thrown.message.includes("only be read"),
      ),
  ],
  [
    "read-only-tag-cannot-be-read",
    "CORE-TAG-34",
    "plain",
    "Only tags with access rw are read directly.",
    (at) => {
      const readOnly = new Set<string>();
      at.data("createVirtualTag", (tag) => {
        if (tag["access"] === "r") readOnly.add(String(tag["tagName"]));
        return tag;
      });
      at.around("readTag", (call, next) => {
        if (readOnly.has(call.path["tag"] ?? "")) throw badInput("access: the tag cannot be read");
        return next(call);
      });
    },
  ],
  [
    "write-only-tag-cannot-be-written",
    "CORE-TAG-35",
    "plain",
    "Only tags with access rw are written directly.",
    (at) => {
      const writeOnly = new Set<string>();
      at.data("createVirtualTag", (tag) => {
        if (tag["access"] === "w") writeOnly.add(String(tag["tagName"]));
        return tag;
      });
      at.around("writeTag", (call, next) => {
        if (writeOnly.has(call.path["tag"] ?? "")) throw badInput("access: the tag cannot be written");
        return next(call);
      });
    },
  ],
  [
    "write-without-a-value-is-taken",
    "CORE-TAG-36",
    "plain",
    "A malformed write is answered as if it were done.",
    (at) => {
      at.lenient("writeTag", "json", "dataType", "dataValue");
      swallows(
        at,
        "writeTag",
        { message: "ok" },
        (thrown) => thrown instanceof Refusal && /dataType|dataValue/.test(thrown.message),
      );
    },
  ],
  [
    "value-out-of-range-is-taken",
    "CORE-TAG-60",
    "subtle",
    "A value outside the range of its type is answered as if it were written.",
    (at) =>
      swallows(
        at,
        "writeTag",
        { message: "ok" },
        (thrown) => thrown instanceof Refusal && thrown.message.includes("an integer from"),
      ),
  ],
  [
    "read-shows-the-present-time",
    "CORE-TAG-59",
    "subtle",
    "timestamp of a direct read is the time of the read.",
    (at) => at.answer("readTag", (body) => ({ ...body, timestamp: String(Date.now()) })),
  ],
  [
    "read-shows-seconds",
    "CORE-TAG-59",
    "plain",
    "timestamp of a direct read is in seconds.",
    (at) =>
      at.answer("readTag", (body) => ({
        ...body,
        timestamp: String(Math.floor(Number(body["timestamp"]) / 1000)),
      })),
  ],
]);

function otherStatus(word: string): Step {
  return (call, next) =>
    next(call).catch((thrown: unknown) => {
      throw thrown instanceof Refusal && thrown.message.includes(word) ? notFound("the tag") : thrown;
    });
}

const isStream = (query: Fields): boolean =>
  query["streamInterval"] !== undefined || query["onChanged"] === true;

const monitorFaults = faults([
  [
    "monitoring-is-one-behind",
    "CORE-TAG-48",
    "subtle",
    "Monitoring answers the value before the last.",
    (at) => {
      const last = new Map<string, unknown>();
      at.around("monitorTags", async (call, next) => {
        const answer = await next(call);
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
    "Monitoring answers all tags of the source whatever tags says.",
    (at) => at.query("monitorTags", (query) => (isStream(query) ? query : { ...query, tags: undefined })),
  ],
  [
    "history-is-the-present-value",
    "CORE-TAG-50",
    "plain",
    "With ms only the present values are answered.",
    (at) => at.query("monitorTags", ({ ms: _ms, ...query }) => query),
  ],
  [
    "history-has-no-end",
    "CORE-TAG-50",
    "subtle",
    "With ms all values that are kept are answered.",
    (at) =>
      at.query("monitorTags", (query) => (query["ms"] === undefined ? query : { ...query, ms: 86_400_000 })),
  ],
  [
    "stream-interval-is-doubled",
    "CORE-TAG-51",
    "subtle",
    "A stream at an interval answers at twice the interval.",
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
    "A stream at an interval answers at half the interval.",
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
    "A stream at an interval leaves out every tenth round.",
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
    "One change in 500 does not come over the stream.",
    ofChanges((count) => (count % 500 === 0 ? "lost" : "sent")),
  ],
  [
    "one-change-in-100-comes-twice",
    "CORE-TAG-52",
    "subtle",
    "One change in 100 comes twice over the stream.",
    ofChanges((count) => (count % 100 === 0 ? "twice" : "sent")),
  ],
  [
    "two-changes-are-swapped",
    "CORE-TAG-52",
    "subtle",
    "Two changes in 200 come in the wrong order.",
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
    "A stream of changes answers twice a second while nothing changes.",
    (at) =>
      at.query("monitorTags", (query) =>
        query["onChanged"] === true ? { ...query, onChanged: undefined, streamInterval: 500 } : query,
      ),
  ],
  [
    "differences-are-values",
    "CORE-TAG-54",
    "plain",
    "compute diff streams the values themselves.",
    (at) => at.query("monitorTags", ({ compute: _compute, ...query }) => query),
  ],
  [
    "differences-have-no-sign",
    "CORE-TAG-54",
    "subtle",
    "compute diff streams differences without their sign.",
    (at) =>
      at.frames("monitorTags", (frame, call) =>
        call.query["compute"] === "diff" ? [frame.replace('"dataValue":-', '"dataValue":')] : [frame],
      ),
  ],
  [
    "stream-ignores-tags",
    "CORE-TAG-55",
    "plain",
    "A stream holds all tags of the source whatever tags says.",
    (at) => at.query("monitorTags", (query) => (isStream(query) ? { ...query, tags: undefined } : query)),
  ],
]);

/** What becomes of the changes on each stream, by their number. */
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

export const tagFaults: readonly Fault[] = [...virtualFaults, ...accessFaults, ...monitorFaults];

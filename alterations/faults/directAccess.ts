// Faults of direct reads and writes of tags.
import { badInput, notFound, Refusal } from "../../reference-impl/base/refusal.ts";
import { fields, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { hidesRejections } from "./habits.ts";
import { changed, type Step } from "../mechanism/operationAlterations.ts";

export const accessFaults: readonly Fault[] = faults([
  [
    "write-is-answered-and-lost",
    "CORE-TAG-30",
    "plain",
    "A written value is not read back.",
    (at) => at.around("writeTag", () => ({ kind: "json", status: 200, body: { message: "ok" } })),
  ],
  [
    "write-reaches-the-like-named-tag",
    "CORE-TAG-37",
    "subtle",
    "A write to a tag with capital letters changes the tag of the same name in small letters, if there is one.",
    (at) =>
      at.around("writeTag", (call, proceed) => {
        const tag = text(call.path["tag"]).toLowerCase();
        if (tag === call.path["tag"]) return proceed(call);
        return proceed(changed(call, { path: { ...call.path, tag } })).catch(() => proceed(call));
      }),
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
    "64-bit integers beyond 2^53 are rounded to double precision.",
    reads((value) => (typeof value === "bigint" ? BigInt(Number(value)) : value)),
  ],
  [
    "write-only-tag-is-read",
    "CORE-TAG-32",
    "plain",
    "A direct read of a tag with access w succeeds.",
    (at) =>
      hidesRejections(
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
    "A direct read of a tag with access w is rejected with 404.",
    (at) => at.around("readTag", otherStatus("only be written")),
  ],
  [
    "read-only-tag-is-written",
    "CORE-TAG-33",
    "plain",
    "A write to a tag with access r is answered with success.",
    (at) =>
      hidesRejections(
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
    "A direct read of a tag with access r is rejected.",
    (at) => {
      const readOnly = new Set<string>();
      at.tagValue((tag, value, ts, set) => {
        if (tag.access === "r") readOnly.add(tag.tagName);
        set(tag, value, ts);
      });
      at.around("updateVirtualTag", (call, proceed) => {
        const { tagName, access } = call.body;
        if (access === "r") readOnly.add(text(tagName));
        else readOnly.delete(text(tagName));
        return proceed(call);
      });
      at.around("readTag", (call, proceed) => {
        if (readOnly.has(call.path["tag"] ?? "")) throw badInput("access: the tag cannot be read");
        return proceed(call);
      });
    },
  ],
  [
    "write-only-tag-cannot-be-written",
    "CORE-TAG-35",
    "plain",
    "A write to a tag with access w is rejected.",
    (at) => {
      const writeOnly = new Set<string>();
      at.data(["createVirtualTag", "updateVirtualTag"], (tag) => {
        if (tag["access"] === "w") writeOnly.add(String(tag["tagName"]));
        return tag;
      });
      at.around("writeTag", (call, proceed) => {
        if (writeOnly.has(call.path["tag"] ?? "")) throw badInput("access: the tag cannot be written");
        return proceed(call);
      });
    },
  ],
  [
    "write-without-a-value-is-taken",
    "CORE-TAG-36",
    "plain",
    "A malformed write is answered with success.",
    (at) => {
      at.lenient("writeTag", "json", "dataType", "dataValue");
      hidesRejections(
        at,
        "writeTag",
        { message: "ok" },
        (thrown) => thrown instanceof Refusal && /dataType|dataValue/.test(thrown.message),
      );
    },
  ],
  [
    "broken-json-is-rejected-without-a-message",
    "CORE-TAG-36",
    "subtle",
    "A direct write whose body is no JSON document is rejected with the error body of other operations.",
    (at) =>
      at.jsonValue((value, { id }, status) => {
        const { message } = fields(value);
        return id === "writeTag" && status === 400 && text(message).startsWith("the body")
          ? { error: { code: status, message } }
          : value;
      }),
  ],
  [
    "write-to-a-missing-tag-is-rejected-without-a-message",
    "CORE-TAG-36",
    "subtle",
    "A direct write to a tag that does not exist is a 400 with the error body of other operations.",
    (at) =>
      at.wholeAnswer((answer, { id }) => {
        if (id !== "writeTag" || answer.status !== 404) return;
        answer.status = 400;
        answer.body = Buffer.from(JSON.stringify({ error: { code: 400, message: "no such tag" } }));
      }),
  ],
  [
    "value-out-of-range-is-taken",
    "CORE-TAG-60",
    "subtle",
    "A value outside the range of its type is answered with success.",
    (at) =>
      hidesRejections(
        at,
        "writeTag",
        { message: "ok" },
        (thrown) => thrown instanceof Refusal && thrown.message.includes("an integer from"),
      ),
  ],
  [
    "read-shows-seconds",
    "CORE-TAG-59",
    "plain",
    "`timestamp` of a direct read is in seconds.",
    (at) =>
      at.answer("readTag", (body) => ({
        ...body,
        timestamp: String(Math.floor(Number(body["timestamp"]) / 1000)),
      })),
  ],
]);

/** Changes the values that direct reads show. */
function reads(edit: (value: unknown, type: unknown) => unknown): Fault["install"] {
  return (at) =>
    at.answer("readTag", (body) => ({ ...body, dataValue: edit(body["dataValue"], body["dataType"]) }));
}

function otherStatus(word: string): Step {
  return (call, proceed) =>
    proceed(call).catch((thrown: unknown) => {
      throw thrown instanceof Refusal && thrown.message.includes(word) ? notFound("the tag") : thrown;
    });
}

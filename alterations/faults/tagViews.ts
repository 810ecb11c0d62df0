// Faults of single views of a tag: its definition, its names and its times, where the other views are right.
import { setTimeout as delay } from "node:timers/promises";
import { notFound } from "../../reference-impl/base/refusal.ts";
import type { Answer } from "../../reference-impl/http/handler.ts";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed, type Step } from "../mechanism/operationAlterations.ts";
import { faults } from "./fault.ts";
import { isField } from "./habits.ts";

const keyOf = ({ prvdName, srcName, tagName }: Fields): string =>
  [prvdName, srcName, tagName].map(text).join("/");
const pathKey = ({ provider, source, tag }: Readonly<Record<string, string>>): string =>
  [provider, source, tag].join("/");
const listed = (answer: Answer): Fields[] =>
  answer.kind === "json" ? items(fields(answer.body)["data"]) : [];
const escaped = (value: unknown): string =>
  text(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Direct access to a tag of a source that does not exist takes the first tag of its name. */
const inAnySource: Step = async (call, proceed, ask) => {
  const tags = listed(await ask("listTags"));
  const isKnown = tags.some(({ srcName }) => srcName === call.path["source"]);
  const other = tags.find(({ tagName }) => tagName === call.path["tag"]);
  if (isKnown || other === undefined) return proceed(call);
  const path = { ...call.path, provider: text(other["prvdName"]), source: text(other["srcName"]) };
  return proceed(changed(call, { path }));
};

/** A member of each view keeps the first value that it showed of a tag. */
function freezes(at: GatewayAlterations, member: string): (value: Fields) => Fields {
  const first = new Map<string, unknown>();
  at.around("deleteVirtualTag", (call, proceed) => {
    first.delete(keyOf(call.body));
    return proceed(call);
  });
  return (value) => {
    if (isField(text(value["prvdName"])) || value["srcName"] === "simulator") return value;
    const key = keyOf(value);
    if (!first.has(key)) first.set(key, value[member]);
    return { ...value, [member]: first.get(key) };
  };
}

const storingTakesMs = 5;

/** The list shows a document that each update takes before it waits; `base` is what it then stores its tag in. */
function storesWhole(
  at: GatewayAlterations,
  base: (
    before: ReadonlyMap<string, Fields>,
    now: ReadonlyMap<string, Fields>,
  ) => ReadonlyMap<string, Fields>,
): void {
  let document: ReadonlyMap<string, Fields> = new Map();
  const known = new Set<string>();
  at.around(["createVirtualTag", "updateVirtualTag", "deleteVirtualTag"], async (call, proceed) => {
    const key = keyOf(fields(call.body));
    const answer = await proceed(call);
    const body = answer.kind === "json" ? fields(answer.body) : {};
    const isDeletion = Array.isArray(body["data"]);
    const before = document;
    if (!isDeletion && known.has(key)) {
      await delay(storingTakesMs);
      document = base(before, document);
    }
    known.add(key);
    const others = [...document].filter(([one]) => one !== key);
    document = new Map(isDeletion ? others : [...others, [key, fields(body["data"])]]);
    return answer;
  });
  at.answer("listTags", (body) => ({
    ...body,
    data: items(body["data"])
      .filter((tag) => !known.has(keyOf(tag)))
      .concat([...document.values()]),
  }));
}

export const tagViewFaults = faults([
  [
    "names-with-a-percent-sign-stay",
    "CORE-TAG-29",
    "subtle",
    "Deleting a virtual tag whose name has a percent sign is answered with success, and the tag stays.",
    (at) =>
      at.around("deleteVirtualTag", (call, proceed) =>
        text(call.body["tagName"]).includes("%")
          ? { kind: "json", status: 200, body: { data: [] } }
          : proceed(call),
      ),
  ],
  [
    "written-texts-set-the-size",
    "CORE-TAG-28",
    "subtle",
    "A direct write to a tag of type string sets its listed `dataSize` to the length of the text.",
    (at) => {
      const sizes = new Map<string, number>();
      at.around("writeTag", (call, proceed) => {
        if (call.body["dataType"] === "string")
          sizes.set(pathKey(call.path), text(call.body["dataValue"]).length);
        return proceed(call);
      });
      at.data("listTags", (tag) => ({ ...tag, dataSize: sizes.get(keyOf(tag)) ?? tag["dataSize"] }));
    },
  ],
  [
    "direct-reads-show-the-narrowest-type",
    "CORE-TAG-19",
    "subtle",
    "A direct read of an integer below 128 shows the `dataType` int8.",
    (at) =>
      at.answer("readTag", (body) =>
        body["dataType"] === "int32" && Math.abs(Number(body["dataValue"])) < 128
          ? { ...body, dataType: "int8" }
          : body,
      ),
  ],
  [
    "raw-bytes-beyond-ascii-are-question-marks",
    "CORE-TAG-30",
    "subtle",
    "A direct read of a raw tag shows a question mark for every byte beyond 127.",
    (at) =>
      at.answer("readTag", (body) =>
        body["dataType"] === "raw" && typeof body["dataValue"] === "string"
          ? {
              ...body,
              dataValue: Buffer.from(
                [...Buffer.from(body["dataValue"], "base64")].map((byte) => (byte > 127 ? 63 : byte)),
              ).toString("base64"),
            }
          : body,
      ),
  ],
  [
    "virtual-tags-take-no-writes-after-a-reboot",
    "CORE-TAG-27",
    "subtle",
    "After a reboot, the virtual tags of before are listed, and take no direct writes.",
    (at) => {
      const present = new Set<string>();
      at.boot(() => present.clear());
      at.around(["createVirtualTag", "updateVirtualTag"], (call, proceed) => {
        present.add(keyOf(call.body));
        return proceed(call);
      });
      at.around("writeTag", (call, proceed) => {
        if (call.path["provider"] === "rackproof" && !present.has(pathKey(call.path)))
          throw notFound("the tag");
        return proceed(call);
      });
    },
  ],
  [
    "writes-find-the-name-in-any-source",
    "CORE-TAG-62",
    "subtle",
    "A direct write to a source that does not exist writes to a tag of that name in another source.",
    (at) => at.around("writeTag", inAnySource),
  ],
  [
    "reads-find-the-name-in-any-source",
    "CORE-TAG-62",
    "subtle",
    "A direct read in a source that does not exist shows a tag of that name in another source.",
    (at) => at.around("readTag", inAnySource),
  ],
  [
    "monitoring-finds-the-names-in-any-source",
    "CORE-TAG-62",
    "subtle",
    "Monitoring of a source that does not exist shows the tags of another source of the provider.",
    (at) =>
      at.around("monitorTags", async (call, proceed, ask) => {
        const own = listed(await ask("listTags")).filter(
          ({ prvdName }) => prvdName === call.path["provider"],
        );
        const isKnown = own.some(({ srcName }) => srcName === call.path["source"]);
        const source = text(own[0]?.["srcName"]);
        return proceed(isKnown ? call : changed(call, { path: { ...call.path, source } }));
      }),
  ],
  [
    "direct-reads-have-the-time-of-the-first",
    "CORE-TAG-59",
    "subtle",
    "`timestamp` of direct reads of a virtual tag stays that of the first one.",
    (at) => at.answer("readTag", freezes(at, "timestamp")),
  ],
  [
    "monitored-values-have-the-time-of-the-first",
    "CORE-TAG-14",
    "subtle",
    "`ts` in monitoring without `ms` stays that of the first value of a virtual tag.",
    (at) => {
      const freeze = freezes(at, "ts");
      at.data("monitorTags", (value, { query }) => (query["ms"] === undefined ? freeze(value) : value));
    },
  ],
  [
    "streamed-values-have-the-time-of-the-first",
    "CORE-TAG-14",
    "subtle",
    "`ts` on streams stays that of the first value of a virtual tag.",
    (at) => {
      const freeze = freezes(at, "ts");
      at.frames("monitorTags", (frame) => {
        if (!frame.startsWith("data:")) return [frame];
        const { prvdName, srcName, tagName, ts } = fields(JSON.parse(frame.slice(5)));
        const shown = freeze({ prvdName, srcName, tagName, ts });
        return [frame.replace(/"ts":\d+/, `"ts":${Number(shown["ts"])}`)];
      });
    },
  ],
  [
    "direct-reads-show-names-as-in-the-path",
    "CORE-TAG-17",
    "subtle",
    "A direct read shows `tagName` percent-encoded.",
    (at) => at.answer("readTag", (body) => ({ ...body, tagName: encodeURIComponent(text(body["tagName"])) })),
  ],
  [
    "monitored-units-are-escaped",
    "CORE-TAG-13",
    "subtle",
    "Monitoring shows `dataUnit` with the characters that HTML escapes.",
    (at) => at.data("monitorTags", (value) => ({ ...value, dataUnit: escaped(value["dataUnit"]) })),
  ],
  [
    "monitored-providers-are-escaped",
    "CORE-TAG-08",
    "subtle",
    "Monitoring shows `prvdName` with the characters that HTML escapes.",
    (at) => at.data("monitorTags", (value) => ({ ...value, prvdName: escaped(value["prvdName"]) })),
  ],
  [
    "live-tags-are-not-listed",
    "CORE-TAG-21",
    "subtle",
    "List tags omits the tags that change by themselves.",
    (at) =>
      at.answer("listTags", (body) => ({
        ...body,
        data: items(body["data"]).filter(({ srcName }) => srcName !== "simulator"),
      })),
  ],
  [
    "values-shift-with-a-deletion",
    "CORE-TAG-30",
    "subtle",
    "After the deletion of a virtual tag, direct reads of the next one in the list show the value of the deleted one.",
    (at) => {
      const shifted = new Map<string, unknown>();
      at.around("deleteVirtualTag", async (call, proceed, ask) => {
        const { prvdName: provider, srcName: source, tagName } = fields(call.body);
        const tags = listed(await ask("listTags"));
        const next = tags[tags.findIndex((tag) => keyOf(tag) === keyOf(fields(call.body))) + 1];
        const path = { provider: text(provider), source: text(source), tag: text(tagName) };
        const read = await ask("readTag", { path }).catch(() => undefined);
        const answer = await proceed(call);
        if (next !== undefined && next["srcName"] === source && read?.kind === "json")
          shifted.set(keyOf(next), fields(read.body)["dataValue"]);
        return answer;
      });
      at.around("writeTag", (call, proceed) => {
        shifted.delete(pathKey(call.path));
        return proceed(call);
      });
      at.answer("readTag", (body) => ({ ...body, dataValue: shifted.get(keyOf(body)) ?? body["dataValue"] }));
    },
  ],
  [
    "deletion-empties-the-values-of-the-source",
    "CORE-TAG-48",
    "subtle",
    "After the deletion of a virtual tag, monitoring of its source shows only tags that are written again.",
    (at) => {
      const emptied = new Set<string>();
      at.around("deleteVirtualTag", async (call, proceed, ask) => {
        const answer = await proceed(call);
        for (const tag of listed(await ask("listTags")))
          if (tag["prvdName"] === call.body["prvdName"] && tag["srcName"] === call.body["srcName"])
            emptied.add(keyOf(tag));
        return answer;
      });
      at.around("writeTag", (call, proceed) => {
        emptied.delete(pathKey(call.path));
        return proceed(call);
      });
      at.answer("monitorTags", (body) => ({
        ...body,
        data: items(body["data"]).filter((value) => !emptied.has(keyOf(value))),
      }));
    },
  ],
  [
    "updates-of-tags-at-the-same-time-are-lost",
    "CORE-TAG-28",
    "subtle",
    "Of two updates of virtual tags at the same time, the list shows one.",
    (at) => storesWhole(at, (before) => before),
  ],
  [
    "deleted-tag-returns-with-another-update",
    "CORE-TAG-29",
    "subtle",
    "A virtual tag that is deleted while another one is updated is listed again.",
    (at) => storesWhole(at, (before, now) => new Map([...before, ...now])),
  ],
]);

// Faults of what remains of tags, and of what one tag, or one operation on it, does to another view.
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import type { Answer } from "../../reference-impl/http/handler.ts";
import { type Fields, fields, items, put, text } from "../mechanism/edits.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import { type Fault, faults } from "./fault.ts";
import { accepts, isField } from "./habits.ts";

const keyOf = ({ prvdName, srcName, tagName }: Fields): string =>
  [prvdName, srcName, tagName].map(text).join("/");
const pathKey = ({ provider, source, tag }: Readonly<Record<string, string>>): string =>
  [provider, source, tag].join("/");
const isFrozen = (path: Readonly<Record<string, string>>): boolean => path["source"] === "simulator";

export const tagTraceFaults: readonly Fault[] = faults([
  [
    "deleted-tag-is-still-read",
    "CORE-TAG-29",
    "subtle",
    "A deleted virtual tag can still be read directly, with its last value.",
    (at) => {
      const last = new Map<string, Answer>();
      at.around("deleteVirtualTag", async (call, proceed, ask) => {
        const [provider, source, tag] = ["prvdName", "srcName", "tagName"].map((name) =>
          text(call.body[name]),
        );
        const path = { provider: provider ?? "", source: source ?? "", tag: tag ?? "" };
        const read = await ask("readTag", { path }).catch(() => undefined);
        if (read !== undefined) last.set(pathKey(path), read);
        return proceed(call);
      });
      at.around("readTag", (call, proceed) =>
        proceed(call).catch((thrown: unknown) => {
          const read = last.get(pathKey(call.path));
          if (read === undefined) throw thrown;
          return read;
        }),
      );
    },
  ],
  [
    "tags-of-one-name-share-their-value",
    "CORE-TAG-62",
    "subtle",
    "Tags of one provider that have the same `tagName` in different sources share one value.",
    (at) =>
      at.around("writeTag", async (call, proceed, ask) => {
        const answer = await proceed(call);
        const listed = await ask("listTags");
        for (const tag of listed.kind === "json" ? items(fields(listed.body)["data"]) : [])
          if (tag["tagName"] === call.path["tag"] && tag["prvdName"] === call.path["provider"])
            await proceed(changed(call, { path: { ...call.path, source: text(tag["srcName"]) } })).catch(
              () => undefined,
            );
        return answer;
      }),
  ],
  [
    "monitored-type-is-that-of-the-creation",
    "CORE-TAG-11",
    "subtle",
    "Monitoring shows the `dataType` that a virtual tag had before its first update.",
    (at) => {
      const first = new Map<string, unknown>();
      at.body("createVirtualTag", (body) => {
        first.set(keyOf(body), body["dataType"]);
        return body;
      });
      at.answer("monitorTags", (body) => ({
        ...body,
        data: items(body["data"]).map((value) => ({
          ...value,
          dataType: first.get(keyOf(value)) ?? value["dataType"],
        })),
      }));
    },
  ],
  [
    "system-tag-is-deleted",
    "CORE-TAG-58",
    "subtle",
    "Deleting a virtual tag with the names of a system tag removes the system tag from the list.",
    (at) => {
      const gone = new Set<string>();
      at.around("deleteVirtualTag", (call, proceed) =>
        proceed(call).catch((thrown: unknown): Answer => {
          if (call.body["prvdName"] !== "system") throw thrown;
          gone.add(keyOf(call.body));
          return { kind: "json", status: 200, body: { data: [] } };
        }),
      );
      at.answer("listTags", (body) => ({ data: items(body["data"]).filter((tag) => !gone.has(keyOf(tag))) }));
    },
  ],
  [
    "update-without-access-is-accepted",
    "CORE-TAG-47",
    "subtle",
    "An update of a virtual tag without access is accepted as rw.",
    accepts("updateVirtualTag", "access", "rw"),
  ],
  [
    "deletion-without-a-name-takes-the-source",
    "CORE-TAG-58",
    "subtle",
    "Deleting a virtual tag without `tagName` deletes all virtual tags of its source.",
    (at) => {
      at.lenient("deleteVirtualTag", "json", "tagName");
      at.around("deleteVirtualTag", async (call, proceed, ask) => {
        if (call.body["tagName"] !== undefined) return proceed(call);
        const listed = await ask("listTags");
        for (const tag of listed.kind === "json" ? items(fields(listed.body)["data"]) : [])
          if (tag["prvdName"] === call.body["prvdName"] && tag["srcName"] === call.body["srcName"])
            await proceed(changed(call, { body: { ...call.body, tagName: tag["tagName"] } }));
        return { kind: "json", status: 200, body: { data: [] } };
      });
    },
  ],
  [
    "long-name-cannot-be-deleted",
    "CORE-TAG-37",
    "subtle",
    "Deleting a virtual tag with a name of more than 255 characters is rejected.",
    (at) =>
      at.around("deleteVirtualTag", (call, proceed) => {
        if (text(call.body["tagName"]).length > 255) throw badInput("tagName: it is too long");
        return proceed(call);
      }),
  ],
  [
    "provider-matches-the-beginning-of-names",
    "CORE-TAG-61",
    "subtle",
    "`provider` of List tags matches every provider whose name begins with it.",
    (at) =>
      at.around("listTags", async (call, proceed, ask) => {
        const answer = await proceed(call);
        const all = await ask("listTags");
        const provider = text(call.query["provider"]);
        if (provider === "" || all.kind !== "json" || answer.kind !== "json") return answer;
        const data = items(fields(all.body)["data"]);
        return {
          ...answer,
          body: { data: data.filter((tag) => text(tag["prvdName"]).startsWith(provider)) },
        };
      }),
  ],
  [
    "rejected-write-is-stored",
    "CORE-TAG-33",
    "subtle",
    "A write to a tag with access r is rejected, and its value is shown by direct reads.",
    (at) => {
      const stored = new Map<string, unknown>();
      at.around("writeTag", (call, proceed) =>
        proceed(call).catch((thrown: unknown) => {
          if (thrown instanceof Refusal && thrown.message.includes("only be read"))
            stored.set(pathKey(call.path), call.body["dataValue"]);
          throw thrown;
        }),
      );
      at.answer("readTag", (body, call) => ({
        ...body,
        dataValue: stored.get(pathKey(call.path)) ?? body["dataValue"],
      }));
    },
  ],
  [
    "write-without-a-value-stores-0",
    "CORE-TAG-36",
    "subtle",
    "A write without `dataValue` stores 0.",
    accepts("writeTag", "dataValue", 0),
  ],
  [
    "field-points-take-texts-as-0",
    "CORE-TAG-36",
    "subtle",
    "A text written to a number of a field device is accepted, and writes 0.",
    (at) =>
      at.body("writeTag", (body, call) =>
        isField(call.path["provider"] ?? "") && body["dataValue"] === "seven"
          ? { ...body, dataValue: 0 }
          : body,
      ),
  ],
  [
    "texts-of-digits-are-numbers",
    "CORE-TAG-30",
    "subtle",
    "Direct reads show a text of digits as a number.",
    (at) =>
      at.answer("readTag", (body) =>
        /^\d+$/.test(text(body["dataValue"])) ? { ...body, dataValue: Number(body["dataValue"]) } : body,
      ),
  ],
  [
    "direct-read-exchanges-its-names",
    "CORE-TAG-15",
    "subtle",
    "Direct reads show the provider as source, and the source as provider.",
    (at) =>
      at.answer("readTag", (body) => ({ ...body, prvdName: body["srcName"], srcName: body["prvdName"] })),
  ],
  [
    "direct-reads-of-a-live-tag-stand-still",
    "CORE-TAG-34",
    "subtle",
    "Direct reads of a live tag show the value of the first one.",
    (at) => {
      const first = new Map<string, unknown>();
      at.answer("readTag", (body, call) => {
        const key = pathKey(call.path);
        if (isFrozen(call.path) && !first.has(key)) first.set(key, body["dataValue"]);
        return { ...body, dataValue: first.get(key) ?? body["dataValue"] };
      });
    },
  ],
  [
    "disk-names-its-tags-crosswise",
    "CORE-LOG-09",
    "subtle",
    "`tags.free` of a disk names the tag of its used bytes, and `tags.used` that of its free bytes.",
    (at) =>
      at.data(["getLog", "setLog"], (data) => ({
        ...data,
        disks: items(data["disks"]).map((disk) => {
          const { free, used } = fields(disk["tags"]);
          return put(put(disk, "tags.free", used), "tags.used", free);
        }),
      })),
  ],
]);

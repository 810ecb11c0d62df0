// Faults of virtual tags.
import { badInput, Refusal } from "../../reference-impl/base/refusal.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { hidesRejections, accepts } from "./habits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const definitions = ["createVirtualTag", "updateVirtualTag"] as const;

export const virtualFaults: readonly Fault[] = faults([
  [
    "virtual-tag-of-one-type-is-refused",
    "CORE-TAG-27",
    "subtle",
    "A virtual tag of the type raw is rejected.",
    rejects("createVirtualTag", ({ dataType }) => dataType === "raw"),
  ],
  [
    "virtual-tag-loses-its-unit",
    "CORE-TAG-27",
    "plain",
    "The unit of a new virtual tag is not stored.",
    (at) => at.body("createVirtualTag", ({ dataUnit: _unit, ...body }) => body),
  ],
  [
    "list-omits-empty-units",
    "CORE-TAG-06",
    "subtle",
    "List tags omits `dataUnit` of a tag where it is empty.",
    (at) => at.data("listTags", ({ dataUnit, ...tag }) => (dataUnit === "" ? tag : { ...tag, dataUnit })),
  ],
  [
    "recreated-tag-has-its-old-members",
    "CORE-TAG-27",
    "subtle",
    "A virtual tag that is created again after its deletion is listed with its earlier `dataUnit` and `access`.",
    (at) => {
      const first = new Map<unknown, { dataUnit: unknown; access: unknown }>();
      const deleted = new Set<unknown>();
      at.around(["createVirtualTag", "updateVirtualTag"], (call, proceed) => {
        const { tagName, dataUnit, access } = call.body;
        if (!deleted.has(tagName)) first.set(tagName, { dataUnit, access });
        return proceed(call);
      });
      at.around("deleteVirtualTag", (call, proceed) => {
        deleted.add(call.body["tagName"]);
        return proceed(call);
      });
      at.data("listTags", (tag) =>
        deleted.has(tag["tagName"]) ? { ...tag, ...first.get(tag["tagName"]) } : tag,
      );
    },
  ],
  [
    "updated-tag-is-stored-by-the-next-one",
    "CORE-TAG-28",
    "subtle",
    "A reboot before the next virtual tag is created or deleted loses an update.",
    (at) => {
      let open: Store | undefined;
      let former: readonly Fields[] = [];
      at.boot((store) => {
        open = store;
      });
      at.around(definitions, async (call, proceed) => {
        const before = open?.all("SELECT key, tag FROM virtual_tag") ?? [];
        const answer = await proceed(call);
        const isUpdate = before.length === open?.all("SELECT key FROM virtual_tag").length;
        former = isUpdate ? [...former, ...before] : [];
        return answer;
      });
      at.around("deleteVirtualTag", async (call, proceed) => {
        former = [];
        return proceed(call);
      });
      at.reboot((_reason, proceed) => {
        for (const { key, tag } of former.toReversed())
          open?.run("UPDATE virtual_tag SET tag = ? WHERE key = ?", text(tag), text(key));
        proceed();
      });
    },
  ],
  [
    "virtual-tags-listed-twice-after-a-reboot",
    "CORE-TAG-27",
    "subtle",
    "After a reboot, List tags contains each virtual tag twice.",
    (at) => {
      let stored: readonly unknown[] = [];
      at.boot((store) => {
        if (store.get("SELECT 1 FROM sqlite_master WHERE name = 'virtual_tag'") !== undefined)
          stored = store
            .all("SELECT json_extract(tag, '$.tagName') AS name FROM virtual_tag")
            .map(({ name }) => name);
      });
      at.answer("listTags", (body) => {
        const data = items(body["data"]).map(fields);
        return { ...body, data: [...data, ...data.filter((tag) => stored.includes(tag["tagName"]))] };
      });
    },
  ],
  [
    "dots-join-the-names-of-tags",
    "CORE-TAG-62",
    "subtle",
    "Two tags whose provider, source and name joined by dots are the same text are one tag.",
    (at) => {
      const joined = ({ prvdName, srcName, tagName }: Fields): string =>
        [prvdName, srcName, tagName].join(".");
      at.around("createVirtualTag", async (call, proceed, ask) => {
        const listed = await ask("listTags");
        const tags = listed.kind === "json" ? items(fields(listed.body)["data"]).map(fields) : [];
        if (tags.some((tag) => joined(tag) === joined(call.body))) throw new Refusal(409, "the tag exists");
        return proceed(call);
      });
    },
  ],
  [
    "reboot-opens-virtual-tags",
    "CORE-TAG-27",
    "subtle",
    "A reboot sets `access` of virtual tags to rw.",
    (at) =>
      at.boot((store) => {
        if (store.get("SELECT 1 FROM sqlite_master WHERE name = 'virtual_tag'") !== undefined)
          store.run("UPDATE virtual_tag SET tag = json_set(tag, '$.access', 'rw')");
      }),
  ],
  [
    "updated-tag-keeps-its-unit",
    "CORE-TAG-28",
    "plain",
    "The unit in an update of a virtual tag is returned but not stored.",
    (at) =>
      at.around("updateVirtualTag", async (call, proceed) => {
        const { dataUnit, ...body } = call.body;
        const answer = await proceed(changed(call, { body }));
        return answer.kind === "json" && dataUnit !== undefined
          ? { ...answer, body: { data: { ...fields(fields(answer.body)["data"]), dataUnit } } }
          : answer;
      }),
  ],
  [
    "monitored-unit-is-that-of-the-creation",
    "CORE-TAG-13",
    "subtle",
    "Monitoring shows the `dataUnit` that a virtual tag had before its first update.",
    (at) => {
      const first = new Map<unknown, unknown>();
      at.around("createVirtualTag", (call, proceed) => {
        first.set(call.body["tagName"], call.body["dataUnit"]);
        return proceed(call);
      });
      at.answer("monitorTags", (body) => ({
        ...body,
        data: items(body["data"])
          .map(fields)
          .map((value) => ({
            ...value,
            dataUnit: first.get(value["tagName"]) ?? value["dataUnit"],
          })),
      }));
    },
  ],
  [
    "deletion-ignores-the-case-of-names",
    "CORE-TAG-29",
    "subtle",
    "Deleting a virtual tag also deletes the tag whose name differs in case only.",
    (at) =>
      at.around("deleteVirtualTag", async (call, proceed) => {
        const name = text(call.body["tagName"]);
        for (const tagName of [name.toUpperCase(), name.toLowerCase()])
          if (tagName !== name)
            await proceed(changed(call, { body: { ...call.body, tagName } })).catch(() => undefined);
        return proceed(call);
      }),
  ],
  [
    "deleted-tag-stays-listed",
    "CORE-TAG-29",
    "plain",
    "A deleted virtual tag stays in the list.",
    (at) => {
      const deleted: Fields[] = [];
      at.around("deleteVirtualTag", async (call, proceed) => {
        const answer = await proceed(call);
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
    "Deleting a virtual tag also hides the other tags of its source.",
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
    "A provider name of more than 1024 characters is accepted and cut.",
    shortens("prvdName"),
  ],
  [
    "source-name-of-any-length",
    "CORE-TAG-39",
    "subtle",
    "A source name of more than 1024 characters is accepted and cut.",
    shortens("srcName"),
  ],
  [
    "tag-name-of-any-length",
    "CORE-TAG-40",
    "subtle",
    "A tag name of more than 1024 characters is accepted and cut.",
    shortens("tagName"),
  ],
  [
    "names-of-1000-characters-are-refused",
    "CORE-TAG-37",
    "subtle",
    "Names of virtual tags of more than 1000 characters are rejected.",
    rejects("createVirtualTag", ({ prvdName, srcName, tagName }) =>
      [prvdName, srcName, tagName].some((name) => String(name).length > 1000),
    ),
  ],
  [
    "unit-of-16-characters-is-refused",
    "CORE-TAG-41",
    "subtle",
    "A unit of 16 characters is rejected.",
    rejects(definitions, ({ dataUnit }) => text(dataUnit).length === 16),
  ],
  [
    "tag-made-write-only-is-still-read",
    "CORE-TAG-32",
    "subtle",
    "A tag whose access was changed to w is listed with it, but can still be read directly.",
    (at) => {
      const hidden = new Set<string>();
      const keyOf = ({ prvdName, srcName, tagName }: Fields): string =>
        [prvdName, srcName, tagName].map(text).join("/");
      at.body("updateVirtualTag", (body) => {
        if (body["access"] !== "w") hidden.delete(keyOf(body));
        else hidden.add(keyOf(body));
        return body["access"] === "w" ? { ...body, access: "rw" } : body;
      });
      at.data(["listTags", "updateVirtualTag"], (tag) =>
        hidden.has(keyOf(tag)) ? { ...tag, access: "w" } : tag,
      );
    },
  ],
  [
    "unit-of-any-length",
    "CORE-TAG-42",
    "subtle",
    "A unit of more than 16 characters is accepted and cut.",
    (at) => {
      at.lenient(definitions, "json", "dataUnit");
      at.body(definitions, (body) => ({ ...body, dataUnit: text(body["dataUnit"]).slice(0, 16) }));
    },
  ],
  [
    "largest-data-size-is-refused",
    "CORE-TAG-43",
    "subtle",
    "A data size above 2147483647 is rejected.",
    rejects(definitions, ({ dataSize }) => Number(dataSize) > 2_147_483_647),
  ],
  [
    "data-size-0-counts-as-left-out",
    "CORE-TAG-43",
    "subtle",
    "A data size of 0 counts as not given: a virtual tag gets the size of its data type.",
    (at) => at.body(definitions, (body) => (body["dataSize"] === 0 ? { ...body, dataSize: 4 } : body)),
  ],
  [
    "data-size-wraps-around",
    "CORE-TAG-44",
    "subtle",
    "A data size of 4294967296 is accepted as 0.",
    (at) => {
      at.lenient(definitions, "json", "dataSize");
      at.body(definitions, (body) => ({ ...body, dataSize: Number(body["dataSize"] ?? 0) >>> 0 }));
    },
  ],
  [
    "unknown-data-type-is-a-string",
    "CORE-TAG-45",
    "plain",
    "An unknown data type is accepted as string.",
    accepts(
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
    "An unknown access is accepted as rw.",
    accepts("createVirtualTag", "access", "rw", (access) => !["r", "w", "rw"].includes(String(access))),
  ],
  [
    "tag-without-access-is-created",
    "CORE-TAG-47",
    "plain",
    "A virtual tag without access is accepted.",
    accepts("createVirtualTag", "access", "rw"),
  ],
  [
    "unknown-tag-is-deleted",
    "CORE-TAG-58",
    "plain",
    "Deleting a virtual tag that does not exist is answered with success.",
    (at) =>
      hidesRejections(
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
    "Deleting a virtual tag returns only the deleted one.",
    (at) =>
      at.answer("deleteVirtualTag", (_body, call) => ({
        data: [{ dataType: "int32", dataSize: 0, dataUnit: "", access: "rw", ...call.body }],
      })),
  ],
  [
    "three-names-share-their-limit",
    "CORE-TAG-37",
    "subtle",
    "A virtual tag whose three names have more than 2048 characters together is rejected.",
    (at) =>
      at.around("createVirtualTag", (call, proceed) => {
        const { prvdName, srcName, tagName } = call.body;
        if ([prvdName, srcName, tagName].map(text).join("").length > 2048)
          throw badInput("tagName: it is too long");
        return proceed(call);
      }),
  ],
]);

/** Cuts a name that is too long, so that it is accepted. */
function shortens(member: string): Fault["install"] {
  return (at) => {
    at.lenient(definitions, "json", member);
    at.body(definitions, (body) => ({
      ...body,
      [member]: typeof body[member] === "string" ? body[member].slice(0, 1024) : body[member],
    }));
  };
}

function rejects(
  id: Parameters<GatewayAlterations["around"]>[0],
  isMeant: (body: Fields) => boolean,
): Fault["install"] {
  return (at) =>
    at.around(id, (call, proceed) => {
      if (isMeant({ ...call.body })) throw badInput("it is not accepted");
      return proceed(call);
    });
}

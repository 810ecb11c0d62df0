// Faults of virtual tags that were created before the last boot: they are listed, but not in use.
import { notFound } from "../../reference-impl/base/refusal.ts";
import { type Fault, faults } from "./fault.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { fields, items, text } from "../mechanism/edits.ts";

/** Installs the fault with a test for names of tags that the boot found in the store. */
const withStored =
  (install: (at: GatewayAlterations, isStored: (tagName: unknown) => boolean) => void): Fault["install"] =>
  (at) => {
    let stored: ReadonlySet<unknown> = new Set();
    at.boot((store) => {
      const hasTags = store.get("SELECT 1 FROM sqlite_master WHERE name = 'virtual_tag'") !== undefined;
      const sql = "SELECT json_extract(tag, '$.tagName') AS name FROM virtual_tag";
      stored = new Set(hasTags ? store.all(sql).map(({ name }) => name) : []);
    });
    install(at, (tagName) => stored.has(tagName));
  };

export const earlierBootFaults: readonly Fault[] = faults([
  [
    "tags-of-an-earlier-boot-are-not-streamed",
    "CORE-TAG-52",
    "subtle",
    "A stream of changes sends no value of virtual tags that were created before the last boot.",
    withStored((at, isStored) =>
      at.frames("monitorTags", (frame, { query }) =>
        query["onChanged"] === true &&
        frame.startsWith("data:") &&
        isStored(fields(JSON.parse(frame.slice(5)))["tagName"])
          ? []
          : [frame],
      ),
    ),
  ],
  [
    "tags-of-an-earlier-boot-are-not-monitored",
    "CORE-TAG-48",
    "subtle",
    "Monitoring omits virtual tags that were created before the last boot.",
    withStored((at, isStored) =>
      at.answer("monitorTags", (body) => ({
        ...body,
        data: items(body["data"]).filter(({ tagName }) => !isStored(tagName)),
      })),
    ),
  ],
  [
    "writes-to-tags-of-an-earlier-boot-are-lost",
    "CORE-TAG-30",
    "subtle",
    "A write to a virtual tag that was created before the last boot is answered and has no effect.",
    withStored((at, isStored) =>
      at.around("writeTag", (call, proceed) =>
        isStored(call.path["tag"]) ? { kind: "json", status: 200, body: {} } : proceed(call),
      ),
    ),
  ],
  ...(
    [
      ["updated", "updateVirtualTag", "CORE-TAG-28"],
      ["deleted", "deleteVirtualTag", "CORE-TAG-29"],
    ] as const
  ).map(
    ([done, operation, requirement]) =>
      [
        `tags-of-an-earlier-boot-cannot-be-${done}`,
        requirement,
        "subtle",
        `A virtual tag that was created before the last boot cannot be ${done}.`,
        withStored((at, isStored) =>
          at.around(operation, (call, proceed) => {
            if (isStored(call.body["tagName"])) throw notFound(`the tag ${text(call.body["tagName"])}`);
            return proceed(call);
          }),
        ),
      ] as const,
  ),
]);

// Faults of virtual tags that were deleted and created again: the deletion continues, or the deleted tag is listed again.
import type { Store } from "../../reference-impl/store/store.ts";
import { type Fields, fields, items, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { type Fault, faults } from "./fault.ts";

const keyOf = ({ prvdName, srcName, tagName }: Fields): string =>
  [prvdName, srcName, tagName].map(text).join("\u0000");

/** Installs the fault with a test for tags that were created after one of their name was deleted. */
const withAgain =
  (install: (at: GatewayAlterations, isAgain: (name: Fields) => boolean) => void): Fault["install"] =>
  (at) => {
    const [deleted, again] = [new Set<string>(), new Set<string>()];
    at.around("deleteVirtualTag", (call, proceed) => {
      deleted.add(keyOf(call.body));
      return proceed(call);
    });
    at.around("createVirtualTag", async (call, proceed) => {
      const answer = await proceed(call);
      if (deleted.has(keyOf(call.body))) again.add(keyOf(call.body));
      return answer;
    });
    install(at, (name) => again.has(keyOf(name)));
  };

/** A reboot treats the rows of tags that were created again; `first` is what was stored of each when it was deleted. */
const atReboot =
  (treat: (store: Store, key: string, first: string) => void): Fault["install"] =>
  (at) => {
    let open: Store | undefined;
    const first = new Map<string, string>();
    at.boot((store) => {
      open = store;
    });
    at.around("deleteVirtualTag", (call, proceed) => {
      const row = open?.get("SELECT tag FROM virtual_tag WHERE key = ?", keyOf(call.body));
      if (row !== undefined) first.set(keyOf(call.body), text(row["tag"]));
      return proceed(call);
    });
    at.reboot((_reason, proceed) => {
      if (open !== undefined) for (const [key, tag] of first) treat(open, key, tag);
      proceed();
    });
  };

export const tagAgainFaults: readonly Fault[] = faults([
  [
    "writes-go-to-the-deleted-tag",
    "CORE-TAG-30",
    "subtle",
    "A write to a virtual tag that was deleted and created again is accepted and has no effect.",
    withAgain((at, isAgain) =>
      at.around("writeTag", (call, proceed) => {
        const { provider, source, tag } = call.path;
        return isAgain({ prvdName: provider, srcName: source, tagName: tag })
          ? { kind: "json", status: 200, body: {} }
          : proceed(call);
      }),
    ),
  ],
  [
    "tag-created-again-is-not-monitored",
    "CORE-TAG-48",
    "subtle",
    "Monitoring omits virtual tags that were deleted and created again.",
    withAgain((at, isAgain) =>
      at.answer("monitorTags", (body) => ({
        ...body,
        data: items(body["data"]).filter((value) => !isAgain(value)),
      })),
    ),
  ],
  [
    "tag-created-again-is-not-streamed",
    "CORE-TAG-52",
    "subtle",
    "A stream of changes sends no value of virtual tags that were deleted and created again.",
    withAgain((at, isAgain) =>
      at.frames("monitorTags", (frame, { query }) =>
        query["onChanged"] === true &&
        frame.startsWith("data:") &&
        isAgain(fields(JSON.parse(frame.slice(5))))
          ? []
          : [frame],
      ),
    ),
  ],
  [
    "deletion-comes-a-second-late",
    "CORE-TAG-27",
    "subtle",
    "A second after its deletion a virtual tag is deleted once more, although it was created again.",
    (at) =>
      at.around("deleteVirtualTag", async (call, proceed) => {
        const answer = await proceed(call);
        setTimeout(() => void proceed(call).catch(() => undefined), 1000).unref();
        return answer;
      }),
  ],
  [
    "reboot-deletes-tags-created-again",
    "CORE-TAG-27",
    "subtle",
    "A reboot deletes the virtual tags that were deleted and created again before it.",
    atReboot((store, key) => store.run("DELETE FROM virtual_tag WHERE key = ?", key)),
  ],
  [
    "reboot-returns-the-members-of-a-deleted-tag",
    "CORE-TAG-27",
    "subtle",
    "After a reboot a virtual tag that was deleted and created again has the members that it had before.",
    atReboot((store, key, first) => store.run("UPDATE virtual_tag SET tag = ? WHERE key = ?", first, key)),
  ],
]);

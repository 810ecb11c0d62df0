// Faults of all answers, of field devices, of parallel clients and of odd input.
import type { Answer } from "../../reference-impl/http/handler.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { type Fields, items } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { changed, everywhere } from "../mechanism/operationAlterations.ts";

const generalFaults = faults([
  [
    "services-and-ssh-without-a-wrapper",
    "CORE-GENERAL-01",
    "crude",
    "List permissions returns the bare list, without data.",
    (at) => at.answer("listPermissions", (body) => body["data"]),
  ],
  [
    "upgrade-jobs-count-one-more",
    "CORE-GENERAL-02",
    "plain",
    "`count` of the upgrade jobs is one too high.",
    (at) => at.answer("listUpgradeJobs", (body) => ({ ...body, count: items(body["data"]).length + 1 })),
  ],
  [
    "timestamps-in-local-time",
    "CORE-GENERAL-03",
    "subtle",
    "Timestamps have no offset.",
    (at) => at.answer(everywhere, (body) => withoutOffsets(body)),
  ],
  [
    "rejected-ssh-configuration-is-partly-stored",
    "CORE-GENERAL-10",
    "subtle",
    "A set of the SSH configuration that is rejected for its port has stored `enable`.",
    (at) => {
      let present: Fields = {};
      at.data(["getSsh", "setSsh"], (data) => (present = data));
      at.around("setSsh", (call, proceed) =>
        proceed(call).catch(async (thrown: unknown) => {
          await proceed(changed(call, { body: { ...present, enable: call.body["enable"] } }));
          throw thrown;
        }),
      );
    },
  ],
  [
    "log-shows-free-space-as-used",
    "CORE-GENERAL-11",
    "subtle",
    "`used` and `free` of disks are exchanged in the log configuration.",
    (at) =>
      at.data(["getLog", "setLog"], (data) => ({
        ...data,
        disks: items(data["disks"]).map((disk) => ({ ...disk, used: disk["free"], free: disk["used"] })),
      })),
  ],
  [
    "log-downloads-as-any-file",
    "CORE-GENERAL-12",
    "plain",
    "The downloaded log has the media type application/octet-stream.",
    (at) =>
      at.around("getLog", async (call, proceed) => {
        const answer = await proceed(call);
        return answer.kind === "file" ? { ...answer, contentType: "application/octet-stream" } : answer;
      }),
  ],
]);

function withoutOffsets(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)Z$/, "$1");
  if (Array.isArray(value)) return value.map(withoutOffsets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutOffsets(inner)]));
}

const parallelFaults = faults([
  [
    "parallel-updates-are-lost",
    "CORE-CONC-02",
    "subtle",
    "Of two simultaneous updates of the upgrade configuration, one overwrites the other.",
    (at) => {
      // The configuration is read when the request comes and written whole a moment later.
      let present: Fields | undefined;
      at.around("updateUpgradeConfiguration", async (call, proceed) => {
        const before = present ?? {};
        await new Promise((resolve) => setTimeout(resolve, 20));
        const scalars = ["retryCount", "retryInterval", "allowOverCellular"];
        const kept = Object.fromEntries(Object.entries(before).filter(([name]) => scalars.includes(name)));
        return proceed(changed(call, { body: { ...kept, ...call.body } }));
      });
      at.data(["getUpgradeConfiguration", "updateUpgradeConfiguration"], (data) => {
        present = data;
        return data;
      });
    },
  ],
  [
    "parallel-roles-share-an-id",
    "CORE-CONC-03",
    "subtle",
    "Roles created at the same time are returned with the same id.",
    (at) => {
      let last: { readonly id: unknown; readonly atMs: number } | undefined;
      at.data("createRole", (role) => {
        const nowMs = performance.now();
        if (last !== undefined && nowMs - last.atMs < 10) return { ...role, id: last.id };
        last = { id: role["id"], atMs: nowMs };
        return role;
      });
    },
  ],
  [
    "stale-reads-side-by-side",
    "CORE-CONC-01",
    "subtle",
    "A direct read occasionally returns the value before the last one.",
    (at) => {
      const seen = new Map<string, unknown[]>();
      let asked = 0;
      at.answer("readTag", (body) => {
        const key = JSON.stringify([body["prvdName"], body["srcName"], body["tagName"]]);
        const values = seen.get(key) ?? [];
        if (values.at(-1) !== body["dataValue"]) values.push(body["dataValue"]);
        seen.set(key, values.slice(-3));
        return ++asked % 7 === 0 && values.length > 1 ? { ...body, dataValue: values.at(-2) } : body;
      });
    },
  ],
]);

const mistake: Answer = {
  kind: "json",
  status: 500,
  body: { error: { code: 1, message: "a mistake of the gateway" } },
};

const robustnessFaults = faults([
  [
    "a-control-character-is-a-500",
    "CORE-ROBUST-01",
    "subtle",
    "A control character in a string of a request is answered with 500.",
    (at) =>
      at.around(everywhere, (call, proceed) => {
        const isOdd = Object.values(call.body).some(
          // oxlint-disable-next-line no-control-regex -- the pattern is meant to find control characters
          (value) => typeof value === "string" && /[\u0000-\u0008]/.test(value),
        );
        return isOdd ? mistake : proceed(call);
      }),
  ],
  [
    "a-negative-id-is-a-500",
    "CORE-ROBUST-01",
    "subtle",
    "A negative id is answered with 500.",
    (at) => at.around(everywhere, (call, proceed) => (Number(call.path["id"]) < 0 ? mistake : proceed(call))),
  ],
  [
    "a-long-text-is-never-answered",
    "CORE-ROBUST-02",
    "subtle",
    "A request with a string of more than 1000 characters gets no answer.",
    (at) =>
      at.around(everywhere, (call, proceed) =>
        Object.values({ ...call.body, ...call.path, ...call.query }).some(
          (value) => typeof value === "string" && value.length > 1000,
        )
          ? new Promise<Answer>(() => undefined)
          : proceed(call),
      ),
  ],
  [
    "a-refused-update-is-done-in-part",
    "CORE-PROVISION-12",
    "subtle",
    "A provisioning update with a member of a wrong type is rejected, but its other members are set.",
    (at) => {
      at.lenient("setProvision", "json", "enable");
      at.around("setProvision", async (call, proceed) => {
        const { enable, ...rest } = call.body;
        if (enable === undefined || typeof enable === "boolean") return proceed(call);
        await proceed(changed(call, { body: rest }));
        throw new Refusal(400, "enable: expected boolean");
      });
    },
  ],
  [
    "upgrades-are-declared-and-not-served",
    "CORE-PROFILE-01",
    "crude",
    "The upgrade operations answer 404.",
    (at) =>
      at.around(
        everywhere.filter((id) => id.includes("Upgrade")),
        () => {
          throw new Refusal(404, "no such resource");
        },
      ),
  ],
]);

export const everywhereFaults: readonly Fault[] = [...generalFaults, ...parallelFaults, ...robustnessFaults];

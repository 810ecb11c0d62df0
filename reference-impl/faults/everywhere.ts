// Faults of all answers, of field devices, of parallel clients and of odd input.
import type { Answer } from "../http/handler.ts";
import { Refusal } from "../http/refusal.ts";
import { type Fields, fields, items } from "./edits.ts";
import { type Fault, faults } from "./fault.ts";
import { changed, everywhere, type Switchboard } from "./switchboard.ts";

const generalFaults = faults([
  [
    "services-and-ssh-without-a-wrapper",
    "CORE-GENERAL-01",
    "crude",
    "List permissions answers the list itself.",
    (at) => at.answer("listPermissions", (body) => body["data"]),
  ],
  [
    "upgrade-jobs-count-one-more",
    "CORE-GENERAL-02",
    "plain",
    "count of the upgrade jobs is one more than there are.",
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
    "refusals-have-a-text-for-a-code",
    "CORE-GENERAL-08",
    "plain",
    "The code in the body of a refusal is a text.",
    (at) =>
      at.around(everywhere, (call, next) =>
        next(call).catch((thrown: unknown): Answer => {
          if (!(thrown instanceof Refusal) || thrown.data !== undefined) throw thrown;
          const body = { error: { code: "E_REFUSED", message: thrown.message } };
          return { kind: "json", status: thrown.status, body };
        }),
      ),
  ],
]);

function withoutOffsets(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)Z$/, "$1");
  if (Array.isArray(value)) return value.map(withoutOffsets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutOffsets(inner)]));
}

/** Whether a provider's values come from a field device rather than from users. */
const isField = (provider: string): boolean => provider === "modbusmaster" || provider.startsWith("opcua");

/** Changes the values of field devices on their way into the gateway. */
function ofDevices(
  edit: (value: Parameters<Parameters<Switchboard["value"]>[0]>[1], type: string) => typeof value,
): Fault["install"] {
  return (at) =>
    at.value((tag, value, ts, set) =>
      set(tag, isField(tag.prvdName) ? edit(value, tag.dataType) : value, ts),
    );
}

const fieldFaults = faults([
  [
    "words-of-32-bits-are-swapped",
    "CORE-FIELD-01",
    "subtle",
    "The words of 32-bit values of field devices are swapped.",
    ofDevices((value, type) =>
      type === "uint32" && typeof value === "number"
        ? ((value & 0xff_ff) * 0x1_00_00 + (value >>> 16)) % 2 ** 32
        : value,
    ),
  ],
  [
    "signed-values-lose-their-sign",
    "CORE-FIELD-01",
    "subtle",
    "int16 values of field devices are shown as uint16.",
    ofDevices((value, type) =>
      type === "int16" && typeof value === "number" && value < 0 ? value + 65_536 : value,
    ),
  ],
  [
    "floats-of-devices-are-whole",
    "CORE-FIELD-01",
    "subtle",
    "float values of field devices lose their fraction.",
    ofDevices((value, type) => (type === "float" && typeof value === "number" ? Math.trunc(value) : value)),
  ],
  [
    "64-bit-values-of-devices-are-rounded",
    "CORE-FIELD-04",
    "subtle",
    "64-bit values of field devices are rounded to what a double holds.",
    ofDevices((value) => (typeof value === "bigint" ? BigInt(Number(value)) : value)),
  ],
  [
    "changes-of-devices-are-lost-under-load",
    "CORE-FIELD-03",
    "subtle",
    "One change in 500 of field devices is passed over.",
    (at) => {
      let count = 0;
      at.value((tag, value, ts, set) => {
        if (isField(tag.prvdName) && ++count % 500 === 0) return;
        set(tag, value, ts);
      });
    },
  ],
  [
    "writes-do-not-reach-the-device",
    "CORE-FIELD-06",
    "plain",
    "A write to a field device is answered and not sent.",
    (at) =>
      at.around("writeTag", (call, next) =>
        isField(call.path["provider"] ?? "")
          ? { kind: "json", status: 200, body: { message: "ok" } }
          : next(call),
      ),
  ],
  [
    "read-only-point-is-written",
    "CORE-FIELD-08",
    "plain",
    "A write to a read-only tag of a field device is answered as if it were done.",
    (at) =>
      at.around("writeTag", (call, next) =>
        next(call).catch((thrown: unknown): Answer => {
          if (!isField(call.path["provider"] ?? "") || !(thrown instanceof Refusal)) throw thrown;
          return { kind: "json", status: 200, body: { message: "ok" } };
        }),
      ),
  ],
  [
    "tags-of-devices-have-another-type",
    "CORE-FIELD-09",
    "plain",
    "Tags of field devices are listed as double.",
    (at) =>
      at.data("listTags", (tag) => (isField(String(tag["prvdName"])) ? { ...tag, dataType: "double" } : tag)),
  ],
  [
    "device-failure-is-not-recorded",
    "CORE-FIELD-13",
    "plain",
    "A field device that fails raises no event.",
    (at) => at.raise((kind, detail, next) => (kind === 40 ? undefined : next(kind, detail))),
  ],
  [
    "device-return-is-not-recorded",
    "CORE-FIELD-14",
    "plain",
    "A field device that is back raises no event.",
    (at) => at.raise((kind, detail, next) => (kind === 39 ? undefined : next(kind, detail))),
  ],
  [
    "function-failure-is-not-recorded",
    "CORE-FIELD-15",
    "plain",
    "A function that a device refuses raises no event.",
    (at) => at.raise((kind, detail, next) => (kind === 42 ? undefined : next(kind, detail))),
  ],
  [
    "wrong-function-is-not-recorded",
    "CORE-FIELD-16",
    "plain",
    "A master that calls a wrong function raises no event.",
    (at) => at.raise((kind, detail, next) => (kind === 47 ? undefined : next(kind, detail))),
  ],
]);

const parallelFaults = faults([
  [
    "parallel-updates-are-lost",
    "CORE-CONC-02",
    "subtle",
    "Of two updates of the upgrade configuration at the same time one overwrites the other.",
    (at) => {
      // The configuration is read when the request comes and written whole a moment later.
      let present: Fields | undefined;
      at.around("updateUpgradeConfiguration", async (call, next) => {
        const before = present ?? {};
        await new Promise((resolve) => setTimeout(resolve, 20));
        const scalars = ["retryCount", "retryInterval", "allowOverCellular"];
        const kept = Object.fromEntries(Object.entries(before).filter(([name]) => scalars.includes(name)));
        return next(changed(call, { body: { ...kept, ...call.body } }));
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
    "Roles that are made at the same time are answered with the same id.",
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
    "A direct read now and then answers the value before the last.",
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

const robustnessFaults = faults([
  [
    "a-nul-in-a-text-is-a-500",
    "CORE-ROBUST-01",
    "subtle",
    "A control character in a text of an entry is answered with 500.",
    (at) =>
      at.around("createEvent", (call, next) => {
        const isOdd = Object.values(call.body).some(
          // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
          (value) => typeof value === "string" && /[\u0000-\u0008]/.test(value),
        );
        return isOdd
          ? { kind: "json", status: 500, body: { error: { code: 1, message: "oops" } } }
          : next(call);
      }),
  ],
  [
    "a-negative-id-is-a-500",
    "CORE-ROBUST-01",
    "subtle",
    "A negative id of a user is answered with 500.",
    (at) =>
      at.around("getUser", (call, next) =>
        Number(call.path["id"]) < 0
          ? { kind: "json", status: 500, body: { error: { code: 1, message: "oops" } } }
          : next(call),
      ),
  ],
  [
    "an-acknowledged-write-comes-later",
    "CORE-POWER-03",
    "subtle",
    "A provisioning that was acknowledged is stored 2 s later.",
    (at) => {
      let shown: unknown;
      at.around("setProvision", (call, next) => {
        shown = call.body;
        setTimeout(() => void next(call).finally(() => (shown = undefined)), 2000);
        return { kind: "json", status: 200, body: { data: call.body } };
      });
      at.data("getProvision", (data) => ({ ...data, ...fields(shown) }));
    },
  ],
]);

export const everywhereFaults: readonly Fault[] = [
  ...generalFaults,
  ...fieldFaults,
  ...parallelFaults,
  ...robustnessFaults,
];

// Faults of the values of field devices and of the streams that show them.
import type { Answer } from "../../reference-impl/http/handler.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { fields, items, put, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { isField, withoutEvents } from "./habits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

/** Changes the values of field devices on their way into the gateway. */
function ofDevices(
  edit: (value: Parameters<Parameters<GatewayAlterations["tagValue"]>[0]>[1], type: string) => typeof value,
): Fault["install"] {
  return (at) =>
    at.tagValue((tag, value, ts, set) =>
      set(tag, isField(tag.prvdName) ? edit(value, tag.dataType) : value, ts),
    );
}

const pollFaults = faults([
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
    "64-bit values of field devices are rounded to double precision.",
    ofDevices((value) => (typeof value === "bigint" ? BigInt(Number(value)) : value)),
  ],
  [
    "changes-of-devices-are-lost-under-load",
    "CORE-FIELD-03",
    "subtle",
    "One change in 500 of the values of field devices is lost.",
    (at) => {
      let count = 0;
      at.tagValue((tag, value, ts, set) => {
        if (isField(tag.prvdName) && ++count % 500 === 0) return;
        set(tag, value, ts);
      });
    },
  ],
  [
    "writes-do-not-reach-the-device",
    "CORE-FIELD-06",
    "plain",
    "A write to a field device is answered with success but not sent.",
    (at) =>
      at.around("writeTag", (call, proceed) =>
        isField(call.path["provider"] ?? "")
          ? { kind: "json", status: 200, body: { message: "ok" } }
          : proceed(call),
      ),
  ],
  [
    "writes-of-a-line-reach-its-first-unit",
    "CORE-FIELD-06",
    "subtle",
    "Writes to any unit of a serial line reach its first unit.",
    (at) =>
      at.around("writeTag", (call, proceed) => {
        const source = text(call.path["source"]);
        const first = source.replace(/^line-\d+$/, "line-1");
        return proceed(changed(call, { path: { ...call.path, source: first } }));
      }),
  ],
  [
    "direct-reads-ask-the-first-device",
    "CORE-FIELD-01",
    "subtle",
    "Direct reads of input registers are answered by the first device, whichever device the tag belongs to.",
    (at) =>
      at.around("readTag", async (call, proceed) => {
        const answer = await proceed(call);
        if (!text(call.path["tag"]).startsWith("sequence") || answer.kind !== "json") return answer;
        const path = { ...call.path, source: "plc", tag: "input-uint32-ABCD" };
        const first = await proceed(changed(call, { path })).catch(() => answer);
        return first.kind === "json"
          ? { ...answer, body: { ...fields(answer.body), dataValue: fields(first.body)["dataValue"] } }
          : answer;
      }),
  ],
  [
    "read-only-point-is-written",
    "CORE-FIELD-08",
    "plain",
    "A write to a read-only tag of a field device is answered with success.",
    (at) =>
      at.around("writeTag", (call, proceed) =>
        proceed(call).catch((thrown: unknown): Answer => {
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
    "The failure of a field device is not recorded as an event.",
    withoutEvents(40),
  ],
  [
    "device-failure-is-a-warning",
    "CORE-EVENT-68",
    "subtle",
    "The failure of a field device is recorded with the severity warning.",
    (at) => {
      at.data("getEvents", (record) =>
        record["event"] === "slave device failed" ? { ...record, severity: "warning" } : record,
      );
      at.frames("getEvents", (frame) => [
        frame.includes('"slave device failed"') ? frame.replace('"alert"', '"warning"') : frame,
      ]);
    },
  ],
  [
    "device-return-is-not-recorded",
    "CORE-FIELD-14",
    "plain",
    "The recovery of a field device is not recorded as an event.",
    withoutEvents(39),
  ],
  [
    "function-failure-is-not-recorded",
    "CORE-FIELD-15",
    "plain",
    "A function that a device rejects is not recorded as an event.",
    withoutEvents(42),
  ],
  [
    "wrong-function-is-not-recorded",
    "CORE-FIELD-16",
    "plain",
    "A Modbus client that calls a wrong function is not recorded as an event.",
    withoutEvents(47),
  ],
]);

const deviceFailed = 40;
const deviceConnected = 39;
const functionFailed = 42;

const troubleFaults = faults([
  [
    "monitoring-of-devices-is-off-by-one",
    "CORE-FIELD-02",
    "subtle",
    "Monitoring shows the numbers of field devices one too high.",
    (at) =>
      at.data("monitorTags", (value) =>
        isField(String(value["prvdName"])) && typeof value["dataValue"] === "number"
          ? { ...value, dataValue: value["dataValue"] + 1 }
          : value,
      ),
  ],
  [
    "not-a-number-is-written-as-such",
    "CORE-FIELD-05",
    "subtle",
    "A value that is not a number is written as NaN in the JSON of a stream.",
    (at) => at.frames("monitorTags", (frame) => [frame.replace('"dataValue":null', '"dataValue":NaN')]),
  ],
  [
    "value-read-back-is-the-one-before",
    "CORE-FIELD-07",
    "subtle",
    "The first read after a write to a field device returns the previous value.",
    (at) => {
      const last = new Map<string, unknown>();
      const stale = new Set<string>();
      const keyOf = (path: Readonly<Record<string, string>>): string =>
        [path["provider"], path["source"], path["tag"]].join("/");
      at.around("writeTag", async (call, proceed) => {
        const answer = await proceed(call);
        if (isField(call.path["provider"] ?? "")) stale.add(keyOf(call.path));
        return answer;
      });
      at.answer("readTag", (body, call) => {
        const key = keyOf(call.path);
        const before = last.get(key);
        last.set(key, body["dataValue"]);
        return stale.delete(key) && before !== undefined ? { ...body, dataValue: before } : body;
      });
    },
  ],
  [
    "failure-of-a-device-shows-as-a-value",
    "CORE-FIELD-12",
    "subtle",
    "When a device fails, its numbers are shown as 77.",
    (at) => {
      const known = new Map<string, Parameters<Parameters<typeof at.tagValue>[0]>>();
      at.raise((kind, detail, proceed) => {
        if (kind === deviceFailed || kind === functionFailed)
          for (const [tag, value, , set] of known.values())
            if (detail.message.includes(tag.srcName) && typeof value === "number") set(tag, 77, Date.now());
        proceed(kind, detail);
      });
      at.tagValue((tag, value, ts, set) => {
        if (isField(tag.prvdName)) known.set(`${tag.srcName}/${tag.tagName}`, [tag, value, ts, set]);
        set(tag, value, ts);
      });
    },
  ],
  [
    "failing-device-holds-the-others-up",
    "CORE-FIELD-10",
    "plain",
    "When a field device fails, the values of the other devices stop updating.",
    (at) => {
      // A recovery of another device does not end what the failed one holds up.
      let failed = 0;
      at.raise((kind, detail, proceed) => {
        if (kind === deviceFailed) failed += 1;
        if (kind === deviceConnected) failed = Math.max(0, failed - 1);
        proceed(kind, detail);
      });
      at.tagValue((tag, value, ts, set) => {
        if (failed === 0 || !isField(tag.prvdName)) set(tag, value, ts);
      });
    },
  ],
  [
    "device-that-is-back-stays-silent",
    "CORE-FIELD-11",
    "plain",
    "The values of a field device do not update after its recovery.",
    (at) => {
      let state: "well" | "failed" | "silent" = "well";
      at.raise((kind, detail, proceed) => {
        if (kind === deviceFailed) state = "failed";
        if (kind === deviceConnected && state === "failed") state = "silent";
        proceed(kind, detail);
      });
      at.tagValue((tag, value, ts, set) => {
        if (state !== "silent" || !isField(tag.prvdName)) set(tag, value, ts);
      });
    },
  ],
  [
    "values-stay-away-after-a-restart-of-the-service",
    "CORE-FIELD-18",
    "plain",
    "After modbusmaster is disabled and enabled, its values do not update.",
    (at) => {
      let isSilent = false;
      at.around("disableService", async (call, proceed) => {
        isSilent ||= call.path["id"] === "modbusmaster";
        return proceed(call);
      });
      at.around("operateApp", async (call, proceed) => {
        isSilent ||= call.path["action"] === "stop";
        return proceed(call);
      });
      at.tagValue((tag, value, ts, set) => {
        if (!isSilent || !isField(tag.prvdName)) set(tag, value, ts);
      });
    },
  ],
  [
    "stopped-service-goes-on-streaming",
    "CORE-FIELD-29",
    "subtle",
    "modbusmaster is shown as disabled, but its values keep updating.",
    (at) => {
      let isOff = false;
      const switches = (enable: boolean): void =>
        at.around(enable ? "enableService" : "disableService", (call, proceed) => {
          if (call.path["id"] !== "modbusmaster") return proceed(call);
          isOff = !enable;
          return { kind: "json", status: 200, body: { data: { enable } } };
        });
      switches(true);
      switches(false);
      at.answer("listServices", (body) =>
        isOff
          ? put(
              body,
              "data.protocol",
              items(fields(body["data"])["protocol"]).map((one) =>
                one["id"] === "modbusmaster" ? { ...one, enable: false } : one,
              ),
            )
          : body,
      );
    },
  ],
]);

export const fieldFaults: readonly Fault[] = [...pollFaults, ...troubleFaults];

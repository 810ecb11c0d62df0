// The points of the rack that comes with the embedded gateways: every data type and order on every kind of wire, and
// enough tags for the published maximum load of such gateways.
import { type TagDataType, tagDataTypes } from "../../interface/resources/tags.ts";
import { bytesByType, type FieldPoint, type ModbusAddress, wordOrders } from "../field/point.ts";

const pollFastMs = 50;
const pollTypesMs = 50;
const pollSerialMs = 200;
/** The units that cases choose first are polled often, the others as a long line polls. */
const oftenPolledUnits = 4;
const pollSeldomMs = 1000;

const tcpProvider = "modbus_tcp_master";
const serialProvider = "modbus_serial_master";
const opcuaProvider = "opcua_client";

interface PointWish {
  readonly device: string;
  readonly source: string;
  readonly provider: string;
  readonly name: string;
  readonly type: TagDataType;
  readonly access: FieldPoint["access"];
  readonly pollIntervalMs: number;
  readonly at: FieldPoint["at"];
}

function point({ device, source, provider, name, type, access, pollIntervalMs, at }: PointWish): FieldPoint {
  return {
    id: `${source}/${name}`,
    device,
    tag: { provider, source, tag: name },
    dataType: type,
    dataSizeBytes: bytesByType[type],
    access,
    pollIntervalMs,
    at,
  };
}

/** Every data type, numbers of several registers in the four orders, and the four tables. */
export function typePoints(device: string, unit: number): FieldPoint[] {
  const points: FieldPoint[] = [];
  const next = { "holding-registers": 0, "input-registers": 0, coils: 0, "discrete-inputs": 0 };
  const add = (table: ModbusAddress["table"], type: TagDataType, order: ModbusAddress["order"]): void => {
    const isBit = table === "coils" || table === "discrete-inputs";
    const quantity = isBit ? 1 : Math.max(1, bytesByType[type] / 2);
    const isReadOnly = table === "discrete-inputs" || table === "input-registers";
    points.push(
      point({
        device,
        source: device,
        provider: tcpProvider,
        name: `${table.split("-")[0]}-${type}-${order}`,
        type,
        access: isReadOnly ? "r" : "rw",
        pollIntervalMs: pollTypesMs,
        at: { kind: "modbus", unit, table, address: next[table], quantity, order },
      }),
    );
    next[table] += quantity;
  };
  for (const type of tagDataTypes) {
    const orders =
      bytesByType[type] >= 4 && type !== "string" && type !== "raw" ? wordOrders : (["ABCD"] as const);
    for (const order of orders) add("holding-registers", type, order);
    add("input-registers", type, "ABCD");
  }
  add("coils", "boolean", "ABCD");
  add("discrete-inputs", "boolean", "ABCD");
  return points;
}

/** Points that take sequence numbers: `count` 32-bit input registers in a row. */
export function sequencePoints(device: string, unit: number, count: number): FieldPoint[] {
  return Array.from({ length: count }, (_, index) =>
    point({
      device,
      source: device,
      provider: tcpProvider,
      name: `sequence${index + 1}`,
      type: "uint32",
      access: "r",
      pollIntervalMs: pollFastMs,
      at: { kind: "modbus", unit, table: "input-registers", address: index * 2, quantity: 2, order: "ABCD" },
    }),
  );
}

/** Units of one serial line, each with its own value; the line polls them in turn. */
export function linePoints(device: string, units: number): FieldPoint[] {
  return Array.from({ length: units }, (_, index) => {
    const unit = index + 1;
    const wish = {
      device,
      source: `${device}-${unit}`,
      provider: serialProvider,
      pollIntervalMs: unit <= oftenPolledUnits ? pollSerialMs : pollSeldomMs,
    } as const;
    const at = (address: number, quantity: number) =>
      ({ kind: "modbus", unit, table: "holding-registers", address, quantity, order: "ABCD" }) as const;
    return [
      point({ ...wish, name: "count", type: "uint32", access: "rw", at: at(0, 2) }),
      point({ ...wish, name: "level", type: "float", access: "r", at: at(2, 2) }),
    ];
  }).flat();
}

/** A node of every data type. */
export function nodePoints(device: string): FieldPoint[] {
  return tagDataTypes.map((type) =>
    point({
      device,
      source: device,
      provider: opcuaProvider,
      name: type,
      type,
      access: "rw",
      pollIntervalMs: pollTypesMs,
      at: { kind: "opcua", nodeId: `ns=1;s=types.${type}` },
    }),
  );
}

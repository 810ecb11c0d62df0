// The field devices of a rack file: what is wired to a gateway, and the register or node of each tag.
import Type, { type Static } from "typebox";
import { serviceIds } from "../../interface/resources/services.ts";
import { type TagDataType, tagDataTypes } from "../../interface/resources/tags.ts";
import {
  bytesByType,
  type FieldPoint,
  type ModbusTable,
  modbusTables,
  wordOrders,
} from "../../rigs/index.ts";

const Strict = { additionalProperties: false };
const Name = Type.String({ minLength: 1 });
const Positive = Type.Integer({ minimum: 1 });

const PointEntry = Type.Object(
  {
    /** Name of the tag; with `count`, numbered from 1. */
    name: Name,
    /** Source of the tag; default the device's name. */
    source: Type.Optional(Name),
    type: Type.Unsafe<TagDataType>(Type.Enum([...tagDataTypes])),
    access: Type.Optional(Type.Enum(["r", "w", "rw"])),
    /** Unit identifier; default 1. */
    unit: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    table: Type.Optional(Type.Enum([...modbusTables])),
    address: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    order: Type.Optional(Type.Enum([...wordOrders])),
    /** Registers of a text or of raw bytes; default 8. */
    registers: Type.Optional(Type.Integer({ minimum: 1, maximum: 123 })),
    nodeId: Type.Optional(Name),
    /** Number of consecutive points. */
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 2048 })),
  },
  Strict,
);
type PointEntry = Static<typeof PointEntry>;

const shared = {
  name: Name,
  provider: Name,
  pollIntervalMs: Positive,
  /** The service or the app of the gateway that polls it; cases that stop it use this. */
  polledBy: Type.Optional(
    Type.Object({ service: Type.Optional(Type.Enum([...serviceIds])), app: Type.Optional(Name) }, Strict),
  ),
  points: Type.Array(PointEntry, { minItems: 1 }),
};
const HostPort = Type.String({ pattern: "^[^\\s:]+:\\d{1,5}$" });

const ModbusTcpEntry = Type.Object(
  {
    kind: Type.Literal("modbus-tcp"),
    ...shared,
    /** Host and port where a simulated device listens. */
    listen: Type.Optional(HostPort),
    /** Host and port of a real device. */
    device: Type.Optional(HostPort),
  },
  Strict,
);
const ModbusRtuEntry = Type.Object(
  {
    kind: Type.Literal("modbus-rtu"),
    ...shared,
    /** Path of a serial port, or `pty` for a pair of pseudo-terminals. */
    port: Name,
    baudRate: Type.Optional(Positive),
    parity: Type.Optional(Type.Enum(["none", "even", "odd"])),
    dataBits: Type.Optional(Type.Enum([7, 8])),
    stopBits: Type.Optional(Type.Enum([1, 2])),
    characterTime: Type.Optional(Type.Boolean()),
  },
  Strict,
);
const OpcuaEntry = Type.Object(
  {
    kind: Type.Literal("opcua"),
    ...shared,
    listen: Type.Optional(HostPort),
    /** Endpoint of a real server. */
    endpoint: Type.Optional(Type.String({ pattern: "^opc\\.tcp://" })),
    security: Type.Optional(Type.Enum(["none", "Basic256Sha256"])),
  },
  Strict,
);

export const FieldEntry = Type.Union([ModbusTcpEntry, ModbusRtuEntry, OpcuaEntry]);
export type FieldEntry = Static<typeof FieldEntry>;

/** The points of a device's entry. Throws an Error that names the point and the missing member. */
export function pointsOf(entry: FieldEntry): FieldPoint[] {
  return entry.points.flatMap((one) => {
    const count = one.count ?? 1;
    return Array.from({ length: count }, (_, index) => toPoint(entry, one, index, count));
  });
}

function toPoint(entry: FieldEntry, one: PointEntry, index: number, count: number): FieldPoint {
  const tag = count === 1 ? one.name : `${one.name}${index + 1}`;
  const source = one.source ?? entry.name;
  const isText = one.type === "string" || one.type === "raw";
  const registers = isText
    ? (one.registers ?? bytesByType[one.type] / 2)
    : Math.max(1, bytesByType[one.type] / 2);
  return {
    id: `${source}/${tag}`,
    device: entry.name,
    tag: { provider: entry.provider, source, tag },
    dataType: one.type,
    dataSizeBytes: isText ? registers * 2 : bytesByType[one.type],
    access: one.access ?? "r",
    pollIntervalMs: entry.pollIntervalMs,
    at:
      entry.kind === "opcua"
        ? nodeOf(entry.name, one, index, count)
        : registersOf(entry.name, one, index, registers),
  };
}

function nodeOf(device: string, one: PointEntry, index: number, count: number): FieldPoint["at"] {
  if (one.nodeId === undefined)
    throw new Error(`${device}/${one.name}: a point of an OPC UA server needs its nodeId`);
  return { kind: "opcua", nodeId: count === 1 ? one.nodeId : `${one.nodeId}${index + 1}` };
}

function registersOf(device: string, one: PointEntry, index: number, registers: number): FieldPoint["at"] {
  if (one.address === undefined)
    throw new Error(`${device}/${one.name}: a point of a Modbus device needs its address`);
  const table: ModbusTable = one.table ?? (one.type === "boolean" ? "coils" : "holding-registers");
  const quantity = table === "coils" || table === "discrete-inputs" ? 1 : registers;
  return {
    kind: "modbus",
    unit: one.unit ?? 1,
    table,
    address: one.address + index * quantity,
    quantity,
    order: one.order ?? "ABCD",
  };
}

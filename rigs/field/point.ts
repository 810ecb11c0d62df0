// A point: one tag of the gateway, and the register or node of a field device behind it.
import type { TagDataType } from "../../interface/resources/tags.ts";

/** Value of a point in the form tags have it: 64-bit integers beyond a double as bigint, raw bytes as base64. */
export type PointValue = number | bigint | boolean | string;

export const modbusTables = ["coils", "discrete-inputs", "input-registers", "holding-registers"] as const;
export type ModbusTable = (typeof modbusTables)[number];

/**
 * Order of the bytes A (most significant) to D of a 32-bit value over its registers, and likewise of longer ones:
 * ABCD big-endian words and bytes, CDAB words swapped, BADC bytes swapped within words, DCBA both.
 */
export const wordOrders = ["ABCD", "CDAB", "BADC", "DCBA"] as const;
export type WordOrder = (typeof wordOrders)[number];

/** Bytes of a value in a field device; those of texts and raw bytes where a rack says nothing else. */
export const bytesByType: Readonly<Record<TagDataType, number>> = {
  uint8: 1,
  uint16: 2,
  uint32: 4,
  uint64: 8,
  int8: 1,
  int16: 2,
  int32: 4,
  int64: 8,
  float: 4,
  double: 8,
  boolean: 1,
  string: 16,
  raw: 16,
};

export interface ModbusAddress {
  readonly kind: "modbus";
  /** Unit identifier, 1 to 247 (also 0 and 255 over TCP). */
  readonly unit: number;
  readonly table: ModbusTable;
  /** Address of the first coil or register, from 0. */
  readonly address: number;
  /** Number of registers, or of coils: 1 to 4 for numbers, more for text and raw bytes. */
  readonly quantity: number;
  readonly order: WordOrder;
}

export interface OpcuaAddress {
  readonly kind: "opcua";
  /** Node id as clients write it: `ns=1;s=line.temperature`. */
  readonly nodeId: string;
}

export interface FieldPoint {
  /** Unique within the rack: `<device>/<name>`. */
  readonly id: string;
  /** Name of the field device that it belongs to. */
  readonly device: string;
  readonly tag: { readonly provider: string; readonly source: string; readonly tag: string };
  readonly dataType: TagDataType;
  readonly dataSizeBytes: number;
  readonly access: "r" | "w" | "rw";
  /** How often the gateway is set up to poll it, in milliseconds; the sampling interval of an OPC UA node. */
  readonly pollIntervalMs: number;
  readonly at: ModbusAddress | OpcuaAddress;
}

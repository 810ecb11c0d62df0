// Tag values as OPC UA variants. The library keeps 64-bit integers as pairs of 32-bit words.
import type { DataType, Variant } from "node-opcua";
import type { TagDataType } from "../../interface/resources/tags.ts";
import type { PointValue } from "../field/point.ts";

/** Data type of the node behind a tag, by its name in OPC UA Part 6. */
export const opcuaTypes = {
  boolean: "Boolean",
  uint8: "Byte",
  int8: "SByte",
  uint16: "UInt16",
  int16: "Int16",
  uint32: "UInt32",
  int32: "Int32",
  uint64: "UInt64",
  int64: "Int64",
  float: "Float",
  double: "Double",
  string: "String",
  raw: "ByteString",
} as const satisfies Record<TagDataType, keyof typeof DataType>;

const wordBits = 32n;
const wordMask = 0xffff_ffffn;

/** The value in the form of the library's variants. */
export function toVariantValue(dataType: TagDataType, value: PointValue): unknown {
  if (dataType === "uint64" || dataType === "int64") {
    const bits = BigInt.asUintN(64, BigInt(value));
    return [Number(bits >> wordBits), Number(bits & wordMask)];
  }
  return dataType === "raw" ? Buffer.from(String(value), "base64") : value;
}

/** The value of a variant; undefined for one that a tag cannot have. */
export function fromVariant(dataType: TagDataType, variant: Pick<Variant, "value">): PointValue | undefined {
  const value: unknown = variant.value;
  if (dataType === "uint64" || dataType === "int64") {
    if (!Array.isArray(value)) return undefined;
    const words = value.map((word) => BigInt(Number(word)));
    const bits = ((words[0] ?? 0n) << wordBits) | (words[1] ?? 0n);
    const whole = dataType === "int64" ? BigInt.asIntN(64, bits) : bits;
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
  }
  if (dataType === "raw") return Buffer.isBuffer(value) ? value.toString("base64") : undefined;
  return typeof value === "number" || typeof value === "boolean" || typeof value === "string"
    ? value
    : undefined;
}

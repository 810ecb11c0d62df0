// Tag values and the variants of the library, which holds 64-bit integers as two words.
import type { TagDataType } from "../../../interface/resources/tags.ts";
import { fromSingle, type TagValue } from "../../groups/tags/dataTypes.ts";

export const nodeTypes = {
  uint8: "Byte",
  uint16: "UInt16",
  uint32: "UInt32",
  uint64: "UInt64",
  int8: "SByte",
  int16: "Int16",
  int32: "Int32",
  int64: "Int64",
  float: "Float",
  double: "Double",
  string: "String",
  boolean: "Boolean",
  raw: "ByteString",
} as const;

/** Undefined when the variant holds nothing that such a tag can show. */
export function tagValueOf(dataType: TagDataType, value: unknown): TagValue | undefined {
  switch (dataType) {
    case "uint64":
    case "int64": {
      if (!Array.isArray(value) || value.length !== 2) return undefined;
      const bits = BigInt(Number(value[0])) * 2n ** 32n + BigInt(Number(value[1]) >>> 0);
      const whole = dataType === "int64" ? BigInt.asIntN(64, bits) : BigInt.asUintN(64, bits);
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
    }
    case "raw":
      return Buffer.isBuffer(value) ? value.toString("base64") : undefined;
    case "string":
      return typeof value === "string" ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "float":
      return typeof value === "number" ? fromSingle(value) : undefined;
    case "uint8":
    case "uint16":
    case "uint32":
    case "int8":
    case "int16":
    case "int32":
    case "double":
      return typeof value === "number" ? value : undefined;
  }
}

export function variantValueOf(dataType: TagDataType, value: TagValue): unknown {
  if (dataType === "raw") return Buffer.from(String(value), "base64");
  if (dataType !== "uint64" && dataType !== "int64") return value;
  const bits = BigInt.asUintN(64, BigInt(value));
  return [Number(bits / 2n ** 32n), Number(bits % 2n ** 32n)];
}

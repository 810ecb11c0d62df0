// Tag values in 16-bit registers, as bytes off the wire.
import type { TagDataType } from "../../../interface/resources/tags.ts";
import { fromSingle, type TagValue } from "../../groups/tags/dataTypes.ts";

/** Where a value lies and how. */
interface Layout {
  readonly dataType: TagDataType;
  readonly table: "coils" | "discrete-inputs" | "input-registers" | "holding-registers";
  readonly order?: "ABCD" | "CDAB" | "BADC" | "DCBA";
  /** Registers of a text or of raw bytes. */
  readonly quantity?: number;
}

const registersByType: Partial<Record<TagDataType, number>> = {
  uint32: 2,
  int32: 2,
  float: 2,
  uint64: 4,
  int64: 4,
  double: 4,
};
const defaultTextRegisters = 16;

/** How many registers, or coils, a command takes. */
export function registersOf({ dataType, quantity, table }: Layout): number {
  if (table === "coils" || table === "discrete-inputs") return 1;
  if (dataType === "string" || dataType === "raw") return quantity ?? defaultTextRegisters;
  return registersByType[dataType] ?? 1;
}

/** Size in bytes of the value of such a tag. */
export function bytesOf(layout: Layout): number {
  const single: Partial<Record<TagDataType, number>> = { boolean: 1, uint8: 1, int8: 1 };
  return single[layout.dataType] ?? registersOf(layout) * 2;
}

/** The value in registers that begin at the offset, in bytes. */
export function decode(bytes: Buffer, offset: number, layout: Layout): TagValue {
  const { dataType } = layout;
  const length = registersOf(layout) * 2;
  // Most values lie in the order of the protocol and are read in place.
  const isPlain = (layout.order ?? "ABCD") === "ABCD";
  const source = isPlain ? bytes : reorder(bytes.subarray(offset, offset + length), layout.order);
  const at = isPlain ? offset : 0;
  switch (dataType) {
    case "boolean":
      return source.readUInt16BE(at) !== 0;
    case "uint8":
      return source.readUInt8(at + 1);
    case "int8":
      return source.readInt8(at + 1);
    case "uint16":
      return source.readUInt16BE(at);
    case "int16":
      return source.readInt16BE(at);
    case "uint32":
      return source.readUInt32BE(at);
    case "int32":
      return source.readInt32BE(at);
    case "uint64":
      return narrow(source.readBigUInt64BE(at));
    case "int64":
      return narrow(source.readBigInt64BE(at));
    case "float":
      return fromSingle(source.readFloatBE(at));
    case "double":
      return source.readDoubleBE(at);
    case "string": {
      const text = source.subarray(at, at + length);
      const end = text.indexOf(0);
      return text.subarray(0, end < 0 ? length : end).toString("utf8");
    }
    case "raw":
      return source.subarray(at, at + length).toString("base64");
  }
}

/** The registers of a checked value, as bytes. */
export function encode(value: TagValue, layout: Layout): Buffer {
  const bytes = Buffer.alloc(registersOf(layout) * 2);
  switch (layout.dataType) {
    case "boolean":
      bytes.writeUInt16BE(value === true ? 1 : 0);
      break;
    case "uint8":
      bytes.writeUInt8(Number(value), 1);
      break;
    case "int8":
      bytes.writeInt8(Number(value), 1);
      break;
    case "uint16":
      bytes.writeUInt16BE(Number(value));
      break;
    case "int16":
      bytes.writeInt16BE(Number(value));
      break;
    case "uint32":
      bytes.writeUInt32BE(Number(value));
      break;
    case "int32":
      bytes.writeInt32BE(Number(value));
      break;
    case "uint64":
      bytes.writeBigUInt64BE(BigInt(value));
      break;
    case "int64":
      bytes.writeBigInt64BE(BigInt(value));
      break;
    case "float":
      bytes.writeFloatBE(Number(value));
      break;
    case "double":
      bytes.writeDoubleBE(Number(value));
      break;
    case "string":
      bytes.write(String(value), "utf8");
      break;
    case "raw":
      Buffer.from(String(value), "base64").copy(bytes);
      break;
  }
  return reorder(bytes, layout.order);
}

/** Each order is its own inverse, so that one function serves both ways. */
function reorder(bytes: Buffer, order: Layout["order"]): Buffer {
  const copy = Buffer.from(bytes);
  if (order === "DCBA") return copy.reverse();
  if (order === "BADC") return copy.swap16();
  // Words in the opposite order: all bytes reversed, then each word turned back.
  if (order === "CDAB") return copy.reverse().swap16();
  return copy;
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

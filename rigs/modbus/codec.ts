// Values of points in registers, as the bytes that travel: two a register, the high one first.
import type { TagDataType } from "../../interface/resources/tags.ts";
import type { ModbusAddress, PointValue, WordOrder } from "../field/point.ts";

/** The registers of a value. Texts and raw bytes are filled up with zeros, and cut at the end of the registers. */
export function encodeRegisters(dataType: TagDataType, at: ModbusAddress, value: PointValue): Buffer {
  const bytes = Buffer.alloc(at.quantity * 2);
  switch (dataType) {
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
  return ordered(bytes, at.order);
}

/** The value in registers; the inverse of `encodeRegisters`. */
export function decodeRegisters(dataType: TagDataType, at: ModbusAddress, registers: Buffer): PointValue {
  const bytes = ordered(registers, at.order);
  switch (dataType) {
    case "boolean":
      return bytes.readUInt16BE() !== 0;
    case "uint8":
      return bytes.readUInt8(1);
    case "int8":
      return bytes.readInt8(1);
    case "uint16":
      return bytes.readUInt16BE();
    case "int16":
      return bytes.readInt16BE();
    case "uint32":
      return bytes.readUInt32BE();
    case "int32":
      return bytes.readInt32BE();
    case "uint64":
      return exact(bytes.readBigUInt64BE());
    case "int64":
      return exact(bytes.readBigInt64BE());
    case "float":
      return bytes.readFloatBE();
    case "double":
      return bytes.readDoubleBE();
    case "string": {
      const end = bytes.indexOf(0);
      return bytes.subarray(0, end < 0 ? bytes.length : end).toString("utf8");
    }
    case "raw":
      return bytes.toString("base64");
  }
}

/** Turns the protocol's own order into the point's, and back: each order undoes itself. */
function ordered(bytes: Buffer, order: WordOrder): Buffer {
  const copy = Buffer.from(bytes);
  switch (order) {
    case "ABCD":
      return copy;
    case "CDAB":
      return copy.reverse().swap16();
    case "BADC":
      return copy.swap16();
    case "DCBA":
      return copy.reverse();
  }
}

function exact(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

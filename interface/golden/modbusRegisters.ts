// Values in Modbus registers, with the bytes written out by hand. Every codec of this repository is tested against them.
// 16-bit registers: examples of "MODBUS Application Protocol Specification V1.1b3" (4.2, 6.3, 6.4, 6.6, 6.12), high byte
// first. Longer integers: two's complement; float and double: IEEE 754 binary32 and binary64; both in the four byte
// orders in use, which the specification leaves open. Text: UTF-8, two bytes a register, filled with zeros.
import type { TagDataType } from "../resources/tags.ts";

export interface RegisterVector {
  readonly dataType: TagDataType;
  readonly value: number | bigint | boolean | string;
  readonly order: "ABCD" | "CDAB" | "BADC" | "DCBA";
  /** The registers on the wire, two bytes each, in hexadecimal. */
  readonly registers: string;
}

type Row = readonly [
  dataType: TagDataType,
  value: RegisterVector["value"],
  order: RegisterVector["order"],
  registers: string,
];

const rows: readonly Row[] = [
  // One register.
  ["uint16", 0x1234, "ABCD", "1234"],
  ["uint16", 555, "ABCD", "022B"],
  ["uint16", 100, "ABCD", "0064"],
  ["uint16", 10, "ABCD", "000A"],
  ["uint16", 3, "ABCD", "0003"],
  ["uint16", 258, "ABCD", "0102"],
  ["uint16", 65_535, "ABCD", "FFFF"],
  ["uint16", 0x1234, "CDAB", "1234"],
  ["uint16", 0x1234, "BADC", "3412"],
  ["uint16", 0x1234, "DCBA", "3412"],
  ["int16", -1, "ABCD", "FFFF"],
  ["int16", -2, "BADC", "FEFF"],
  ["int16", -32_768, "ABCD", "8000"],
  ["int16", 32_767, "ABCD", "7FFF"],
  // A byte is the low byte of its register.
  ["uint8", 200, "ABCD", "00C8"],
  ["uint8", 200, "BADC", "C800"],
  ["int8", -1, "ABCD", "00FF"],
  ["int8", -128, "ABCD", "0080"],
  ["int8", 127, "ABCD", "007F"],
  ["boolean", true, "ABCD", "0001"],
  ["boolean", false, "ABCD", "0000"],
  ["boolean", true, "BADC", "0100"],
  // Two registers.
  ["uint32", 0x01020304, "ABCD", "0102 0304"],
  ["uint32", 0x01020304, "CDAB", "0304 0102"],
  ["uint32", 0x01020304, "BADC", "0201 0403"],
  ["uint32", 0x01020304, "DCBA", "0403 0201"],
  ["uint32", 4_294_967_295, "ABCD", "FFFF FFFF"],
  ["int32", -2, "ABCD", "FFFF FFFE"],
  ["int32", -2, "CDAB", "FFFE FFFF"],
  ["int32", -2, "BADC", "FFFF FEFF"],
  ["int32", -2, "DCBA", "FEFF FFFF"],
  ["int32", -2_147_483_648, "ABCD", "8000 0000"],
  ["float", 1, "ABCD", "3F80 0000"],
  ["float", 1, "CDAB", "0000 3F80"],
  ["float", 1, "BADC", "803F 0000"],
  ["float", 1, "DCBA", "0000 803F"],
  ["float", -2, "ABCD", "C000 0000"],
  ["float", 123_456, "ABCD", "47F1 2000"],
  ["float", 123_456, "CDAB", "2000 47F1"],
  ["float", 123_456, "BADC", "F147 0020"],
  ["float", 123_456, "DCBA", "0020 F147"],
  ["float", 0.1, "ABCD", "3DCC CCCD"],
  // Four registers.
  ["uint64", 0x0102030405060708n, "ABCD", "0102 0304 0506 0708"],
  ["uint64", 0x0102030405060708n, "CDAB", "0708 0506 0304 0102"],
  ["uint64", 0x0102030405060708n, "BADC", "0201 0403 0605 0807"],
  ["uint64", 0x0102030405060708n, "DCBA", "0807 0605 0403 0201"],
  ["uint64", 18_446_744_073_709_551_615n, "ABCD", "FFFF FFFF FFFF FFFF"],
  ["uint64", 1, "ABCD", "0000 0000 0000 0001"],
  ["int64", -2, "ABCD", "FFFF FFFF FFFF FFFE"],
  ["int64", -2, "CDAB", "FFFE FFFF FFFF FFFF"],
  ["int64", -9_223_372_036_854_775_808n, "ABCD", "8000 0000 0000 0000"],
  ["int64", 9_007_199_254_740_993n, "ABCD", "0020 0000 0000 0001"],
  ["double", 1, "ABCD", "3FF0 0000 0000 0000"],
  ["double", -0.5, "ABCD", "BFE0 0000 0000 0000"],
  ["double", 0.1, "ABCD", "3FB9 9999 9999 999A"],
  ["double", 0.1, "CDAB", "999A 9999 9999 3FB9"],
  ["double", 0.1, "BADC", "B93F 9999 9999 9A99"],
  ["double", 0.1, "DCBA", "9A99 9999 9999 B93F"],
  // Text and raw bytes.
  ["string", "AB", "ABCD", "4142"],
  ["string", "ABC", "ABCD", "4142 4300"],
  ["string", "ABC", "BADC", "4241 0043"],
  ["string", "10 \u00B5m", "ABCD", "3130 20C2 B56D"],
  ["string", "", "ABCD", "0000 0000"],
  ["raw", "AQIDBA==", "ABCD", "0102 0304"],
  ["raw", "AQIDBA==", "BADC", "0201 0403"],
];

export const modbusRegisterVectors: readonly RegisterVector[] = rows.map(
  ([dataType, value, order, registers]) => ({ dataType, value, order, registers }),
);

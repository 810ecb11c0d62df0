import { expect, test } from "vitest";
import { modbusRegisterVectors } from "../../interface/golden/modbusRegisters.ts";
import type { ModbusAddress } from "../field/point.ts";
import { decodeRegisters, encodeRegisters } from "./codec.ts";

const holding = { kind: "modbus", unit: 1, table: "holding-registers", address: 0 } as const;

test.each(modbusRegisterVectors)("$dataType $value in $order is $registers", (vector) => {
  const { dataType, value, order, registers } = vector;
  const bytes = Buffer.from(registers.replaceAll(" ", ""), "hex");
  const at: ModbusAddress = { ...holding, quantity: bytes.length / 2, order };
  expect(encodeRegisters(dataType, at, value)).toEqual(bytes);
  const expected = dataType === "float" ? Math.fround(Number(value)) : value;
  expect(decodeRegisters(dataType, at, bytes)).toEqual(expected);
});

test.each([
  ["uint16", 65_536],
  ["int8", -129],
  ["uint64", -1],
] as const)("a %s of %d does not fit", (dataType, value) => {
  const at: ModbusAddress = { ...holding, quantity: 4, order: "ABCD" };
  expect(() => encodeRegisters(dataType, at, value)).toThrow(RangeError);
});

test("text is cut between characters, and read up to its first zero", () => {
  const at: ModbusAddress = { ...holding, quantity: 2, order: "ABCD" };
  expect(encodeRegisters("string", at, "abc\u00B5").toString("hex")).toBe("61626300");
  expect(decodeRegisters("string", at, Buffer.from("61006263", "hex"))).toBe("a");
});

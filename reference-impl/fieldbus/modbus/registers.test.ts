import { expect, test } from "vitest";
import { modbusRegisterVectors } from "../../../interface/golden/modbusRegisters.ts";
import { decode, encode } from "./registers.ts";

test.each(modbusRegisterVectors)("$dataType $value in $order is $registers", (vector) => {
  const { dataType, value, order, registers } = vector;
  const bytes = Buffer.from(registers.replaceAll(" ", ""), "hex");
  const layout = { dataType, table: "holding-registers", order, quantity: bytes.length / 2 } as const;
  expect(encode(value, layout)).toEqual(bytes);
  expect(decode(bytes, 0, layout)).toEqual(value);
  // Somewhere in a block of registers that were read together.
  const block = Buffer.concat([Buffer.from("ffff", "hex"), bytes, Buffer.from("ffff", "hex")]);
  expect(decode(block, 2, layout)).toEqual(value);
});

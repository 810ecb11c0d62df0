import { expect, test } from "vitest";
import type { FieldPoint, FieldRack } from "../../rigs/index.ts";
import { isMarked, isSame, onePerForm } from "./fieldPoints.ts";

const point = (dataType: FieldPoint["dataType"], dataSizeBytes = 4) =>
  ({ dataType, dataSizeBytes }) as FieldPoint;

test.each([["/wBaAQ=="], ["FF005A01"], ["ff:00:5a:01"], ["0xff005a01"], [[255, 0, 90, 1]]])(
  "raw bytes are the same in any notation: %j",
  (shown) => {
    expect(isSame(point("raw"), shown, "/wBaAQ==")).toBe(true);
    expect(isSame(point("raw"), shown, "/wBaAg==")).toBe(false);
  },
);

test("numbers are compared to the precision of their type, and texts without padding", () => {
  expect(isSame(point("float"), 0.1, Math.fround(0.1))).toBe(true);
  expect(isSame(point("double", 8), 0.1, Math.fround(0.1))).toBe(false);
  expect(isSame(point("float"), 340282350000000000000000000000000000000n, Math.fround(3.4028235e38))).toBe(
    true,
  );
  expect(isSame(point("double", 8), 10n ** 22n, 1e22)).toBe(true);
  expect(isSame(point("double", 8), 10n ** 22n + 10n ** 7n, 1e22)).toBe(false);
  expect(isSame(point("uint64", 8), "18446744073709551615", 18446744073709551615n)).toBe(true);
  expect(isSame(point("uint64", 8), 18446744073709551614n, 18446744073709551615n)).toBe(false);
  expect(isSame(point("string", 8), "plain   ", "plain")).toBe(true);
});

test("every form has a point, and every table of each device", () => {
  const placed = (device: string, tables: readonly string[]) => ({
    name: device,
    kind: "modbus-tcp",
    points: tables.map((table, address) => ({
      id: `${device}/${table}`,
      dataType: "int16",
      at: { kind: "modbus", unit: 1, table, address, quantity: 1, order: "ABCD" },
    })),
  });
  const devices = [
    placed("a", ["coils", "input-registers", "input-registers"]),
    placed("b", ["input-registers", "holding-registers", "input-registers"]),
  ];
  const chosen = onePerForm({ devices } as unknown as FieldRack);
  expect(chosen.map(({ point }) => point.id)).toEqual([
    "a/coils",
    "a/input-registers",
    "b/holding-registers",
    "b/input-registers",
  ]);
});

test.each([
  ["a mark that appears now", {}, {}, { quality: "bad" }, true],
  ["a mark that is missing now", { good: true }, { good: true }, {}, true],
  ["another mark than usual", { quality: 1 }, { quality: 1 }, { quality: 0 }, true],
  ["a member that differs each time", { seq: 1 }, { seq: 2 }, { seq: 3 }, false],
  ["the usual mark", { quality: 1 }, { quality: 1 }, { quality: 1 }, false],
])("%s", (_, one, other, marks, expected) => {
  const shown = 0;
  expect(
    isMarked({ shown, marks }, [
      { shown, marks: one },
      { shown, marks: other },
    ]),
  ).toBe(expected);
  expect(isMarked({ shown, marks }, [{ shown, marks: one }, undefined])).toBe(false);
});

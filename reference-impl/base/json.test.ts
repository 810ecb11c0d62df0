import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson, stringifyJson } from "./json.ts";

test.each([
  "18446744073709551615",
  "-9223372036854775808",
  '{"a":[9007199254740993,{"b":-9007199254740993}],"text":"12345678901234567890"}',
])("%s is parsed and written digit for digit", (text) => {
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test("integers that a double holds, and everything with a fraction or an exponent, stay numbers", () => {
  expect(parseJson("[9007199254740991,1.0000000000000001,1e20,0.12345678901234567]")).toEqual([
    9_007_199_254_740_991,
    1,
    1e20,
    Number("0.12345678901234567"),
  ]);
  expect(Object.is(parseJson("-0"), -0)).toBe(true);
});

test("every text that JSON.parse accepts is parsed to the same value, except for rounded digits", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(
        JSON.parse(JSON.stringify(JSON.parse(text))),
      );
    }),
  );
});

test("any 64-bit integer survives being written and parsed", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (value) => {
      const parsed = parseJson(stringifyJson([value]));
      expect(parsed).toEqual([Number.isSafeInteger(Number(value)) ? Number(value) : value]);
    }),
  );
});

import { expect, test } from "vitest";
import { stringifyJson } from "../../reference-impl/base/json.ts";
import { parseExactJson } from "./exactJson.ts";

test.each([
  "-0",
  '{"a":-0,"b":0,"c":[-0]}',
  '{"tagName":"rp-tag-0fa8","dataValue":-9223372036854775808}',
  '{"a":-0,"b":18446744073709551615,"c":0.5}',
])("%s is written unchanged, with the sign of a zero and every digit", (text) => {
  expect(stringifyJson(parseExactJson(text))).toBe(text);
});

// How the same JSON value is written.
import type { Variations } from "./variation.ts";

const json = "Conventions: a JSON object; how JSON is written is RFC 8259's business";
const time = "Conventions: RFC 3339 leaves offset and fraction to the writer";

export const notationVariations = {
  "pretty-json": { differs: "JSON with line ends and indentation", freedom: json },
  "escaped-json": { differs: "letters and slashes of JSON strings as escapes, in names too", freedom: json },
  "number-forms": { differs: "whole numbers as 7.0, 7e0, 7E+0 and 1e3", freedom: json },
  "members-reversed": { differs: "members of objects in the opposite order", freedom: json },
  "times-with-offset": {
    differs: "time stamps with an offset of five and a half hours",
    freedom: time,
    aspect: "time stamps",
  },
  "times-with-fractions": {
    differs: "time stamps with nine digits of a second",
    freedom: time,
    aspect: "time stamps",
  },
  "times-with-zero-offset": { differs: "+00:00 in place of Z", freedom: time, aspect: "time stamps" },
} as const satisfies Variations;

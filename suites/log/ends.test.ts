import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { endsOf, holdsAnEnd } from "./ends.ts";

const line = (number: number) =>
  JSON.stringify({ at: `2026-02-03T04:05:0${number}.123Z`, text: `a line of some length, number ${number}` });
const log = (last: number, wrap: (lines: string[]) => string) => [
  { name: "log", content: Buffer.from(wrap(Array.from({ length: last }, (_, index) => line(index + 1)))) },
];

test.each([
  ["lines", (lines: string[]) => `${lines.join("\n")}\n`],
  [
    "one JSON list",
    (lines: string[]) => JSON.stringify({ lines: lines.map((text) => JSON.parse(text)) }, null, 2),
  ],
])(
  "a log as %s holds its earlier end when lines were added, and none of a log that was emptied",
  (_form, wrap) => {
    const ends = endsOf(log(3, wrap));
    expect(holdsAnEnd(log(5, wrap), ends)).toBe(true);
    expect(holdsAnEnd(log(2, wrap), ends)).toBe(false);
  },
);

test("a file that is compressed once more is read", () => {
  const packed = (last: number) =>
    log(last, (lines) => lines.join("\n")).map((file) => ({ ...file, content: gzipSync(file.content) }));
  expect(holdsAnEnd(packed(5), endsOf(packed(3)))).toBe(true);
  expect(holdsAnEnd(packed(2), endsOf(packed(3)))).toBe(false);
});

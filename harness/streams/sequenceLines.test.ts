import fc from "fast-check";
import { expect, test } from "vitest";
import { SequenceLines } from "./sequenceLines.ts";
import { ValueLines } from "./valueLines.ts";

const names = ["a", "b", "ü", 'quo"te'];
const indexes = new Map(names.map((name, index) => [name, index]));

/** Texts of one value as different gateways may write it. */
const writings: ((tagName: string, value: number) => string)[] = [
  (tagName, value) => `data:${JSON.stringify({ prvdName: "p", tagName, dataValue: value, ts: 1 })}\n\n`,
  (tagName, value) => `data: ${JSON.stringify({ ts: 1, dataValue: value, tagName })}\n\n`,
  (tagName, value) =>
    `id:1\nevent:message\ndata:${JSON.stringify({ tagName, dataValue: String(value) })}\n\n`,
  (tagName, value) => `data:${JSON.stringify([{ tagName, dataValue: value }])}\r\n\r\n`,
  (tagName, value) =>
    `: comment\ndata:${JSON.stringify({ tagName, more: { dataValue: 9 }, dataValue: value })}\n`,
];

test("counting mode sees what full parsing sees, however a gateway writes and wherever chunks end", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(names.length - 1), fc.nat(2 ** 32), fc.nat(writings.length - 1)), {
        minLength: 1,
      }),
      fc.integer({ min: 1, max: 80 }),
      (values, chunkBytes) => {
        const bytes = Buffer.from(
          values.map(([index, value, style]) => writings[style]?.(names[index] ?? "", value) ?? "").join(""),
        );
        const seen: [number, number][] = [];
        const lines = new SequenceLines(indexes, {
          value: (index, sequence) => void seen.push([index, sequence]),
          other: () => undefined,
        });
        for (let at = 0; at < bytes.length; at += chunkBytes) lines.push(bytes.subarray(at, at + chunkBytes));
        expect(seen).toEqual(values.map(([index, value]) => [index, value]));
      },
    ),
  );
});

test("lines without a whole number of a wanted tag are distinguished", () => {
  const others: string[] = [];
  const lines = new SequenceLines(indexes, {
    value: () => undefined,
    other: (line) => void others.push(line),
  });
  const wrong = ['data:{"tagName":"a","dataValue":1.5}', 'data:{"tagName":"z","dataValue":1}', "data:{oops"];
  lines.push(Buffer.from(['data:{"tagName":"a","dataValue":1}', ...wrong, ""].join("\n")));
  expect(others).toEqual(wrong);
});

test("full reading keeps every digit and tells malformed lines", () => {
  const seen: unknown[] = [];
  const malformed: string[] = [];
  const lines = new ValueLines({
    value: (json) => void seen.push(json),
    malformed: (line) => void malformed.push(line),
  });
  lines.push(
    Buffer.from('data:{"dataValue":18446744073709551615}\ndata:[{"dataValue":1}]\nid:3\ndata:{nope\n'),
  );
  expect(seen).toEqual([{ dataValue: 18446744073709551615n }, { dataValue: 1 }]);
  expect(malformed).toEqual(["data:{nope"]);
});

test("full reading tells which messages have a name of their own", () => {
  const seen: unknown[] = [];
  const malformed: string[] = [];
  const lines = new ValueLines({
    value: (json, isNamed) => void seen.push([json, isNamed]),
    malformed: (line) => void malformed.push(line),
  });
  lines.push(
    Buffer.from("event: ping\r\ndata: {}\r\ndata: sign\r\n\r\nevent: message\ndata: {}\n\ndata: no\n"),
  );
  expect(seen).toEqual([
    [{}, true],
    [{}, false],
  ]);
  expect(malformed).toEqual(["data: no"]);
});

test("signs of life with a name of their own are no lines to report in counting mode", () => {
  const seen: unknown[] = [];
  const lines = new SequenceLines(indexes, {
    value: (index, sequence) => void seen.push([index, sequence]),
    other: (line) => void seen.push(line),
  });
  const value = 'data:{"tagName":"a","dataValue":1}\n\n';
  lines.push(Buffer.from(`${value}event: ping\ndata: {}\n\n${value}data: {}\n\n`));
  expect(seen).toEqual([[0, 1], [0, 1], "data: {}"]);
});

// Which requirement a wrong answer is laid to.
import Type from "typebox";
import { expect, test } from "vitest";
import { operation } from "../operations/index.ts";
import { DataOf, field, Nullable, Timestamp } from "./schema.ts";
import { checker } from "./validate.ts";

const value = {
  prvdName: "p",
  srcName: "s",
  tagName: "t",
  dataType: "int32",
  dataValue: 1,
  dataUnit: "",
  ts: 1,
};
const check = (id: "monitorTags" | "readTag", body: unknown) => {
  const { answer } = operation(id);
  if (answer === undefined) throw new Error(`${id} has a stated shape`);
  return checker(answer)(body).map(({ pointer, requirement }) => `${requirement} at ${pointer}`);
};

test("inside a list or an object that may be either, a wrong member breaks its own requirement", () => {
  expect(check("monitorTags", { data: [value, { ...value, ts: "1" }] })).toEqual([
    "CORE-TAG-14 at /data/1/ts",
  ]);
  expect(check("monitorTags", { data: { ...value, dataType: "word" } })).toEqual([
    "CORE-TAG-11 at /data/dataType",
  ]);
  expect(check("monitorTags", { data: "text" })).toEqual(["CORE-TAG-22 at /data"]);
});

test("a direct read inside data breaks the sentence that there is none around it", () => {
  const { ts, dataUnit: _unit, ...rest } = value;
  const read = { ...rest, timestamp: String(ts) };
  expect(check("readTag", read)).toEqual([]);
  expect(check("readTag", { ...read, data: "more that nobody asked for" })).toEqual([]);
  expect(check("readTag", { data: read })).toContain("CORE-TAG-23 at ");
});

test.each([2n ** 53n + 1n, -(2n ** 63n), 2n ** 64n - 1n, 10n ** 400n])("%d is an integer", (number) => {
  const schema = DataOf(Type.Object({ n: field("CORE-X-01", Type.Integer()) }));
  expect(checker(schema)({ data: { n: number } })).toEqual([]);
});

test("integers beyond 53 bits are found at any depth", () => {
  const schema = DataOf(Type.Array(Type.Object({ n: Type.Array(Type.Integer()) })));
  expect(checker(schema)({ data: [{ n: [1] }, { n: [1, 2n ** 64n] }] })).toEqual([]);
});

test("an integer beyond 53 bits is compared with the limits of its member", () => {
  const schema = Type.Object({ n: field("CORE-X-01", Type.Integer({ minimum: 0, maximum: 4_294_967_295 })) });
  expect(checker(schema)({ n: 2n ** 64n })).toMatchObject([{ pointer: "/n", requirement: "CORE-X-01" }]);
  expect(checker(schema)({ n: -(2n ** 64n) })).toMatchObject([{ pointer: "/n", requirement: "CORE-X-01" }]);
});

test("a member that may be null breaks its requirement once", () => {
  const schema = DataOf(Type.Object({ at: field("CORE-X-01", Nullable(Timestamp)) }));
  const problems = checker(schema)({ data: { at: "yesterday" } });
  expect(problems).toMatchObject([
    { pointer: "/data/at", requirement: "CORE-X-01", expected: "an RFC 3339 date-time or null" },
  ]);
});

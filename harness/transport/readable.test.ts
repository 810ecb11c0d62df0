import { expect, test } from "vitest";
import { readable } from "./readable.ts";

const problems = [
  { pointer: "/data/1/users", expected: "array", found: "null" },
  { pointer: "/data/1/description", expected: "string", found: "absent" },
];
const body = {
  count: 2,
  data: [
    { id: 1, users: [] as unknown },
    { id: 2, users: null as unknown },
  ],
};
const read = () =>
  readable(body, problems, ({ pointer }) => {
    throw new Error(pointer);
  });

test("members without a problem are read, also beside one with a problem", () => {
  expect(read().count).toBe(2);
  expect(read().data.map(({ id }) => id)).toEqual([1, 2]);
  expect(read().data[0]).toEqual({ id: 1, users: [] });
  expect(read().data.find(({ id }) => id === 2)?.id).toBe(2);
});

test("a member with a problem fails when it is read, and so does a comparison of its whole object", () => {
  expect(() => read().data[1]?.users).toThrow("/data/1/users");
  expect(() => Object.entries(read().data[1] ?? {})).toThrow("/data/1");
  expect(() => JSON.stringify(read())).toThrow("/data/1");
  expect(() => ({ ...read().data[1] })).toThrow("/data/1");
});

test("without problems the body itself is returned", () => {
  expect(
    readable(body, [], () => {
      throw new Error("unused");
    }),
  ).toBe(body);
});

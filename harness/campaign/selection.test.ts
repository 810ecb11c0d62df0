import { expect, test } from "vitest";
import { aCase } from "../testing/aCase.ts";
import { select } from "./selection.ts";

const cases = [
  aCase("roles/created", { group: "roles", requirements: ["CORE-ROLE-01"] }),
  aCase("roles/updated", { group: "roles", tags: ["smoke"] }),
  aCase("users/added", { group: "users" }),
];
const ids = (expression: string): string[] => select(cases, expression).map((one) => one.id);

test("an empty expression selects everything", () => {
  expect(ids("")).toHaveLength(3);
});

test("words name groups, cases, requirements and tags, and are joined", () => {
  expect(ids("users")).toEqual(["users/added"]);
  expect(ids("CORE-ROLE-01,users/added")).toEqual(["roles/created", "users/added"]);
  expect(ids("smoke")).toEqual(["roles/updated"]);
});

test("an exclamation mark leaves out, a star stands for anything", () => {
  expect(ids("roles,!smoke")).toEqual(["roles/created"]);
  expect(ids("!roles")).toEqual(["users/added"]);
  expect(ids("*/added")).toEqual(["users/added"]);
});

test("a word that names nothing is an error, because a campaign of nothing would look green", () => {
  expect(() => ids("rolls")).toThrow(/--select rolls/);
});

import { expect, test } from "vitest";
import { parseProfile } from "../profile/load.ts";
import { isAdvice } from "./declarations.ts";

const profile = (capabilities: string): ReturnType<typeof parseProfile> =>
  parseProfile(`name: any\ncredentials: { name: admin, password: x }\n${capabilities}`, "the test", {
    environment: {},
  });

test("the published error body is advice until the profile declares it", () => {
  const silent = profile("capabilities: { websocket: true }");
  const declared = profile("capabilities: { published-errors: true }");
  for (const id of ["CORE-GENERAL-08", "CORE-USER-58", "CORE-CONFIG-35"]) {
    expect(isAdvice(id, silent, {})).toBe(true);
    expect(isAdvice(id, declared, {})).toBe(false);
  }
  // Other published requirements, and stated ones, are no advice.
  expect(isAdvice("CORE-TAG-57", silent, {})).toBe(false);
  expect(isAdvice("CORE-AUTH-09", silent, {})).toBe(false);
});

test("a permission that the profile leaves to its default is advice, beside one that it declares", () => {
  const one = profile("binding: { operations: { listTags: { permission: TAGS } } }");
  const field = (operation: string): string => `binding.operations.${operation}.permission`;
  expect(isAdvice("CORE-AUTH-23", one, {}, field("listTags"))).toBe(false);
  expect(isAdvice("CORE-AUTH-23", one, {}, field("updateRole"))).toBe(true);
  expect(isAdvice("CORE-AUTH-18", one, {}, field("updateRole"))).toBe(false);
});

import { expect, test } from "vitest";
import { authorisationOf, authorisationText, permits } from "./authorisation.ts";

test("one of the ways suffices, with all of its permissions", () => {
  const authorisation = authorisationOf([["read", "site"], "all"]);
  const allows = (...held: string[]): boolean => permits(authorisation, new Set(held));
  expect([allows("read"), allows("site"), allows("read", "site"), allows("all"), allows()]).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(authorisationText(authorisation)).toBe("read and site or all");
});

test("one permission is one way, and the two words stay", () => {
  expect(authorisationOf("read")).toEqual([["read"]]);
  expect(["none", "signed-in"].map(authorisationOf)).toEqual(["none", "signed-in"]);
  expect(permits("signed-in", new Set())).toBe(true);
});

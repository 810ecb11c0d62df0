import { expect, test } from "vitest";
import { differingMembers } from "./differing.ts";

const app = { id: "device", displayName: "Device", description: "Field simulator and device access" };

test.each([
  ["one member", { ...app, version: "1" }, { ...app, version: "2" }, { version: "1" }, { version: "2" }],
  ["a missing member", { ...app }, { ...app, version: "2" }, {}, { version: "2" }],
  [
    "a member of a member",
    { ...app, license: { paid: true, type: "free" } },
    { ...app, license: { paid: false, type: "free" } },
    { license: { paid: true } },
    { license: { paid: false } },
  ],
  [
    "an element of a list",
    [app, { ...app, version: "1" }],
    [app, { ...app, version: "2" }],
    { "[1]": { version: "1" } },
    { "[1]": { version: "2" } },
  ],
])("%s that differs is shown alone", (_what, observed, expected, seen, wanted) => {
  expect(differingMembers(observed, expected)).toEqual({ observed: seen, expected: wanted });
});

test.each([
  ["short values", { a: 1 }, { a: 2 }],
  ["lists of different length", [app], [app, app]],
  ["a value of another type", "no object", app],
  ["objects without a common member", { other: 1 }, app],
])("%s are shown whole", (_what, observed, expected) => {
  expect(differingMembers(observed, expected)).toBeUndefined();
});

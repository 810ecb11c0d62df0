// Derived faults as data: each is complete, unique and can be injected.
import { expect, test } from "vitest";
import { requirements } from "../../../interface/requirements/index.ts";
import { GatewayAlterations } from "../../mechanism/gatewayAlterations.ts";
import { derivedFaults } from "./index.ts";
import { leavesOf } from "./leaves.ts";
import { mistakes } from "./mistakes.ts";
import { places, storedMembers } from "./places.ts";

test("ids are unique and name operator and place", () => {
  const ids = derivedFaults.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^derived\/[a-z\d-]+\/[\w.+-]+$/.test(id))).toEqual([]);
  expect(ids.length).toBeGreaterThan(2000);
});

test("every fault violates requirements that exist, in a sentence", () => {
  const known = new Set<string>(requirements.map(({ id }) => id));
  const wrong = derivedFaults.filter(
    ({ requirement, alsoViolates = [], what }) =>
      ![requirement, ...alsoViolates].every((id) => known.has(id)) || !what.endsWith("."),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test("every fault can be injected", () => {
  const failed = derivedFaults.filter(({ install }) => {
    const at = new GatewayAlterations();
    install(at);
    return at.edges().definition === undefined;
  });
  expect(failed).toEqual([]);
});

test("every member that a place stores is shown by a view", () => {
  const missing = places.flatMap((place) =>
    storedMembers(place)
      .filter((member) => !place.views.some((view) => leavesOf(view).some(({ path }) => path === member)))
      .map((member) => `${place.name}.${member}`),
  );
  expect(missing).toEqual([]);
});

test.each([
  ["int16", 40_000, -25_536],
  ["sign-lost", -1, 4_294_967_295],
  ["trimmed", " a ", "a"],
  ["bytes-as-characters", "ä", "Ã¤"],
  ["html-escaped", "a<b", "a&lt;b"],
  ["without-astral-characters", "\u{1D11E}", "_"],
  ["day-and-month-exchanged", "2030-02-03T04:05:06Z", "2030-03-02T04:05:06Z"],
  ["until-2038", "2040-02-03T04:05:06Z", "2038-01-19T03:14:07Z"],
])("the mistake %s changes %j to %j", (id, value, expected) => {
  expect(mistakes.find((mistake) => mistake.id === id)?.edit(value)).toBe(expected);
});

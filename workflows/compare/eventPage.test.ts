import { expect, test } from "vitest";
import { parseProfile } from "../../harness/profile/load.ts";
import { judgePage } from "./eventPage.ts";
import { Names } from "./names.ts";
import { World } from "./world.ts";

const profile = parseProfile("name: any\ncredentials: { name: admin, password: x }", "the test", {
  environment: {},
});
const origin = "rp-play-own";

/** Three events, a day apart, of two categories. */
function threeEvents(): { names: Names; world: World; records: Record<string, unknown>[] } {
  const names = new Names(profile, "play");
  const world = new World();
  const records = ["alpha", "beta", "alpha"].map((category, index) => {
    const label = `event${index + 1}`;
    const createdAt = `2026-01-0${index + 1}T00:00:00Z`;
    names.made(label, "event", `rp-play-${label}`);
    world.created("event", label);
    const facts = { category: `"${category}"`, origin: '"own"', createdAt: `instant ${createdAt}` };
    for (const [field, text] of Object.entries(facts))
      world.expect(`event ${label}`, field, text, "CORE-EVENT-32", index);
    return { message: `rp-play-${label}`, category, origin, createdAt };
  });
  return { names, world, records };
}

function broken(query: Record<string, unknown>, page: Record<string, unknown>): string[] {
  const { names, world } = threeEvents();
  return judgePage({ origins: [origin], ...query }, page, names, world).flatMap(({ standing, requirement }) =>
    standing === "contrary" ? [requirement ?? "silent"] : [],
  );
}

const [first, second, third] = threeEvents().records;
const whole = { count: 3, data: [third, second, first], limit: 100, offset: 0, total: 3 };

test("a right page breaks nothing: whole, second of two, filtered, sorted", () => {
  expect(broken({}, whole)).toEqual([]);
  expect(broken({ limit: 2, offset: 2 }, { ...whole, data: [first], limit: 2, offset: 2 })).toEqual([]);
  expect(broken({ categories: "beta" }, { ...whole, data: [second], total: 1 })).toEqual([]);
  expect(broken({ sort: "asc" }, { ...whole, data: [first, second, third] })).toEqual([]);
  // Which of two events of one category comes first is left open.
  const byCategory = { order: "category", sort: "asc" };
  expect(broken(byCategory, { ...whole, data: [third, first, second] })).toEqual([]);
  expect(broken(byCategory, { ...whole, data: [first, third, second] })).toEqual([]);
});

test("each way in which a page is wrong is named by its requirement", () => {
  expect(broken({}, { ...whole, total: 2 })).toEqual(["CORE-EVENT-15"]);
  expect(broken({}, { ...whole, data: [third, second] })).toEqual(["CORE-EVENT-14"]);
  expect(broken({}, { ...whole, data: [first, second, third] })).toEqual(["CORE-EVENT-17"]);
  expect(broken({}, { ...whole, data: [second, third, first] })).toEqual(["CORE-EVENT-16"]);
  expect(broken({}, { ...whole, limit: 50 })).toEqual(["CORE-EVENT-11"]);
  expect(broken({ limit: 2 }, { ...whole, data: [third, second], limit: 3 })).toEqual(["CORE-EVENT-13"]);
  const unfiltered = broken({ categories: "beta" }, { ...whole, total: 1 });
  expect(unfiltered).toContain("CORE-EVENT-21");
});

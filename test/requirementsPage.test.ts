// docs/requirements.md is generated: it lists every requirement and case. `npm run check` compares the file.
import { expect, test } from "vitest";
import { requirements } from "../interface/requirements/index.ts";
import { suite } from "../suites/index.ts";
import { requirementsPage } from "../tools/docs/requirementsPage.ts";

test("the page lists every requirement once, with its place and either its cases or the reason why it has none", () => {
  const entries = requirementsPage()
    .split(/^- (?=\*\*CORE-)/m)
    .slice(1);
  const ids = entries.map((entry) => /^\*\*(CORE-[A-Z]+-\d+)\*\*/.exec(entry)?.[1]);
  expect(new Set(ids)).toEqual(new Set(requirements.map(({ id }) => id)));
  expect(ids).toHaveLength(requirements.length);
  for (const entry of entries) {
    expect(entry).toMatch(/^ {2}- Place: \S/m);
    expect(/^ {2}- Tested by `/m.test(entry)).toBe(!/^ {2}- Not tested: \S/m.test(entry));
  }
});

test("the page names every case that tests a requirement, with its title", () => {
  const page = requirementsPage();
  const testing = suite.filter(({ requirements: ids }) => ids.length > 0);
  expect(testing.length).toBeGreaterThan(150);
  expect(testing.filter(({ id, title }) => !page.includes(`Tested by \`${id}\`: ${title}\n`))).toEqual([]);
});

// What "passed 1.0" means must not change: sets that were frozen stay as they are, and the suite can still fulfil them.
import { expect, test } from "vitest";
import { requirements } from "../interface/requirements/index.ts";
import { shapeCases } from "../harness/campaign/shapes.ts";
import { frozenSets, newestFrozenSet, readFrozenSet } from "../workflows/release/requirementSet.ts";
import { suite } from "../suites/index.ts";

test.each([...frozenSets().keys()])(
  "requirement set %s is unchanged since it was frozen, and the suite has all of it",
  (name) => {
    // Reading throws when the file's digest is not the one in the index.
    const set = readFrozenSet(name)?.set ?? { requirements: [] };
    const decides = new Map([...suite, ...shapeCases].map((one) => [one.id, new Set(one.requirements)]));
    const stated = new Set(
      requirements.filter((one) => one.level === "stated").map((one) => one.id as string),
    );
    expect(set.requirements.map((one) => one.id).filter((id) => !stated.has(id))).toEqual([]);
    const gone = set.requirements.flatMap(({ id, cases }) =>
      cases.filter((caseId) => decides.get(caseId)?.has(id) !== true).map((caseId) => `${caseId} for ${id}`),
    );
    expect(gone).toEqual([]);
    expect(set.requirements.length).toBeGreaterThan(500);
  },
);

test("released sets keep their digest", () => {
  // A line here is never changed; a set that is frozen later gets one of its own.
  expect(Object.fromEntries(frozenSets())).toEqual({
    "1.0": "fc496da404e49a9c00b73314f29b3e38ec5f95bb794d760805d655dfd180a58a",
  });
});

test("no requirement stands in a set twice, and each excluded requirement has a reason", () => {
  const { set } = newestFrozenSet();
  const listed = [...set.requirements, ...set.leftAside].map((one) => one.id);
  expect(listed.filter((id, index) => listed.indexOf(id) !== index)).toEqual([]);
  expect(set.leftAside.filter((one) => one.reason === "")).toEqual([]);
});

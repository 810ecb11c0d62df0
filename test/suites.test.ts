// The register and the suite as a whole: every id leads somewhere, and nothing stated is left uncovered unawares.
import { expect, test } from "vitest";
import { operationIds, operations } from "../interface/operations/index.ts";
import { requirements } from "../interface/requirements/index.ts";
import { groups } from "../interface/vocabulary/groups.ts";
import { shapeCases } from "../harness/campaign/shapes.ts";
import { suite } from "../suites/index.ts";

const ids = requirements.map((requirement) => requirement.id as string);

test("requirement ids are unique and carry their group's code", () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const codes = new Set<string>([
    ...Object.values(groups).map((group) => group.code),
    "PROFILE",
    "FIELD",
    "POWER",
    "ROBUST",
    "CONC",
    "CLOCK",
    "LINE",
  ]);
  expect(ids.filter((id) => !codes.has(id.split("-")[1] ?? ""))).toEqual([]);
});

test("every requirement that a case or a schema names is in the register", () => {
  const named = [...suite, ...shapeCases].flatMap((one) => one.requirements);
  expect([...new Set(named.filter((id) => !ids.includes(id)))]).toEqual([]);
});

test("every stated requirement is covered, or says why not", () => {
  const covered = new Set([...suite, ...shapeCases].flatMap((one) => one.requirements));
  const open = requirements.filter(
    (one) =>
      one.level === "stated" &&
      one.untestable === undefined &&
      one.needs === undefined &&
      !covered.has(one.id),
  );
  expect(open.map((one) => `${one.id} ${one.statement}`)).toEqual([]);
});

test("case ids are unique and begin with their suite", () => {
  const caseIds = suite.map((one) => one.id);
  expect(caseIds.filter((id, index) => caseIds.indexOf(id) !== index)).toEqual([]);
  expect(caseIds.filter((id) => !/^[a-z]+(-[a-z]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
});

test("a case that changes something says which part of the state", () => {
  expect(
    suite
      .filter(
        ({ effect, touches, addsTo = [] }) => effect !== "read-only" && touches.length + addsTo.length === 0,
      )
      .map((one) => one.id),
  ).toEqual([]);
});

test("there are 58 operations, and every group has some", () => {
  expect(operationIds).toHaveLength(58);
  const used = new Set(operationIds.map((id) => operations[id].group));
  expect(Object.keys(groups).filter((group) => group !== "general" && !used.has(group as never))).toEqual([]);
});

// Derived faults by operator and kind of place.
import { expect, test } from "vitest";
import type { FaultResult } from "../../record/index.ts";
import { operatorRows } from "./operators.ts";

function result(fault: string, outcome: FaultResult["outcome"]): FaultResult {
  return {
    fault,
    outcome,
    requirement: "CORE-ROLE-16",
    subtlety: "subtle",
    what: "It is wrong.",
    failed: [],
    undecided: [],
    casesRun: 1,
    durationMs: 1,
  };
}

test("derived faults are counted by operator and kind of place, written ones are not", () => {
  const rows = operatorRows([
    result("derived/stale/listRoles-after-updateRole", "killed"),
    result("derived/stale/getRole-after-updateRole", "silent"),
    result("derived/echoed/updateRole.name", "killed-by-another"),
    result("derived/lost-at-reboot/log.enable", "not-reached"),
    result("list-roles-cut", "killed"),
  ]);
  expect(rows).toEqual([
    { operator: "echoed", cells: { reads: "", writes: "1/1", actions: "", stored: "", all: "1/1" } },
    { operator: "lost-at-reboot", cells: { reads: "", writes: "", actions: "", stored: "0/1", all: "0/1" } },
    { operator: "stale", cells: { reads: "1/2", writes: "", actions: "", stored: "", all: "1/2" } },
  ]);
});

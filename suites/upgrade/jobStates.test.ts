import { expect, test } from "vitest";
import type { CaseContext } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { followStates } from "./jobStates.ts";

/** Whether `lastState` is taken at each of the readings, given as state and `lastState`. */
function taken(...readings: readonly (readonly [state: string, lastState: string])[]): boolean[] {
  const seen: boolean[] = [];
  const that = (holds: boolean): boolean => {
    seen.push(holds);
    return holds;
  };
  const follow = followStates({ verify: () => ({ that }) } as unknown as Pick<CaseContext, "verify">);
  for (const [state, lastState] of readings) follow({ state, lastState } as UpgradeJob);
  return seen;
}

test("the previous state is the one that was read before, or a later one", () => {
  expect(taken(["created", ""], ["running", "created"], ["succeed", "running"])).toEqual([true, true]);
  expect(taken(["created", ""], ["running", "pending"])).toEqual([true]);
  expect(taken(["created", ""], ["running", "created"], ["succeed", "created"])).toEqual([true, false]);
  expect(taken(["created", ""], ["running", ""])).toEqual([false]);
});

test("a state that passes by itself counts or is skipped", () => {
  expect(taken(["suppended", "running"], ["resuming", "suppended"], ["running", "resuming"])).toEqual([
    true,
    true,
  ]);
  expect(taken(["suppended", "running"], ["resuming", "suppended"], ["running", "suppended"])).toEqual([
    true,
    true,
  ]);
  expect(taken(["created", ""], ["running", "created"], ["suppending", "running"])).toEqual([true, true]);
  expect(
    taken(["created", ""], ["running", "created"], ["suppending", "running"], ["suppended", "created"]),
  ).toEqual([true, true, false]);
});

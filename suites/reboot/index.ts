import type { TestCase } from "../../harness/index.ts";
import { dueScheduleCases } from "./dueSchedule.ts";
import { neighbourCases } from "./neighbours.ts";
import { rebootCases } from "./rebooting.ts";
import { resetCases } from "./resetting.ts";
import { schedulingCases } from "./scheduling.ts";

/** Group 5: reboot and reset. */
export const rebootSuite: readonly TestCase[] = [
  ...schedulingCases,
  ...rebootCases,
  ...dueScheduleCases,
  ...resetCases,
  ...neighbourCases,
];

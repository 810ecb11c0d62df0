import type { TestCase } from "../../harness/index.ts";
import { memberCases } from "./members.ts";
import { oneJobCases } from "./oneJob.ts";
import { oneValueCases } from "./oneValue.ts";
import { togetherCases } from "./together.ts";

/** Several clients at once: what they see must be explainable by some order, and nothing that was taken may be lost. */
export const concurrencySuite: readonly TestCase[] = [
  ...oneValueCases,
  ...memberCases,
  ...togetherCases,
  ...oneJobCases,
];

import type { TestCase } from "../../harness/index.ts";
import { memberCases } from "./members.ts";
import { oneJobCases } from "./oneJob.ts";
import { oneValueCases } from "./oneValue.ts";
import { togetherCases } from "./together.ts";

/** Several clients at once: their results must be linearisable, and no accepted change may be lost. */
export const concurrencySuite: readonly TestCase[] = [
  ...oneValueCases,
  ...memberCases,
  ...togetherCases,
  ...oneJobCases,
];

import type { TestCase } from "../../harness/suite/case.ts";
import { rebootCases } from "./rebooting.ts";
import { resetCases } from "./resetting.ts";
import { schedulingCases } from "./scheduling.ts";

export const rebootSuite: readonly TestCase[] = [...schedulingCases, ...rebootCases, ...resetCases];

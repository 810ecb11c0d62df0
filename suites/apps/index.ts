import type { TestCase } from "../../harness/suite/case.ts";
import { operatingCases } from "./operating.ts";
import { readingCases } from "./reading.ts";

/** Group 11: apps and jobs. */
export const appsSuite: readonly TestCase[] = [...readingCases, ...operatingCases];

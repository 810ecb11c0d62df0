import type { TestCase } from "../../harness/index.ts";
import { jobCases } from "./jobs.ts";
import { operatingCases } from "./operating.ts";
import { readingCases } from "./reading.ts";
import { uninstallingCases } from "./uninstalling.ts";

/** Group 11: apps and jobs. */
export const appsSuite: readonly TestCase[] = [
  ...readingCases,
  ...jobCases,
  ...operatingCases,
  ...uninstallingCases,
];

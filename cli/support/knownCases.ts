// Every case of this release, with the requirements that it decides.
import { shapeCases } from "../../harness/index.ts";
import { suite } from "../../suites/index.ts";
import type { KnownCase } from "../../workflows/expectedFailures/expectedFailures.ts";

export const knownCases: readonly KnownCase[] = [...suite, ...shapeCases];

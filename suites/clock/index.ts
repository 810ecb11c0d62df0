import type { TestCase } from "../../harness/index.ts";
import { durationCases } from "./durations.ts";
import { operationCases } from "./operation.ts";
import { scheduleCases } from "./schedules.ts";

export const clockSuite: readonly TestCase[] = [...operationCases, ...durationCases, ...scheduleCases];

import type { TestCase } from "../../harness/suite/case.ts";
import { applyCases } from "./applying.ts";
import { exportCases } from "./exporting.ts";
import { uploadCases } from "./uploading.ts";

export const configurationSuite: readonly TestCase[] = [...exportCases, ...uploadCases, ...applyCases];

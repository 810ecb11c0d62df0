import type { TestCase } from "../../harness/index.ts";
import { applyCases } from "./applying.ts";
import { exportCases } from "./exporting.ts";
import { rejectingCases } from "./rejecting.ts";
import { selectionCases } from "./selections.ts";
import { uploadCases } from "./uploading.ts";

/** Group 1: configuration. */
export const configurationSuite: readonly TestCase[] = [
  ...exportCases,
  ...selectionCases,
  ...uploadCases,
  ...rejectingCases,
  ...applyCases,
];

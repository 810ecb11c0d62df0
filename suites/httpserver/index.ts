import type { TestCase } from "../../harness/index.ts";
import { certificateCases } from "./certificates.ts";
import { movingCases } from "./moving.ts";
import { persistingCases } from "./persisting.ts";

/** Group 2: the HTTP server. */
export const httpserverSuite: readonly TestCase[] = [...movingCases, ...persistingCases, ...certificateCases];

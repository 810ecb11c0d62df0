import type { TestCase } from "../../harness/index.ts";
import { creatingCases } from "./creating.ts";
import { listingCases } from "./listing.ts";
import { updatingCases } from "./updating.ts";

/** Group 7: permissions and roles. */
export const rolesSuite: readonly TestCase[] = [...listingCases, ...creatingCases, ...updatingCases];

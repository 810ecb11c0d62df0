import type { TestCase } from "../harness/suite/case.ts";
import { declarationSuite } from "./declaration/index.ts";

/** Every case of the suite, the review of the declaration first. */
export const suite: readonly TestCase[] = [...declarationSuite];

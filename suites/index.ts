import type { TestCase } from "../harness/suite/case.ts";
import { appsSuite } from "./apps/index.ts";
import { authSuite } from "./auth/index.ts";
import { authorisationSuite } from "./authorisation/index.ts";
import { declarationSuite } from "./declaration/index.ts";
import { rolesSuite } from "./roles/index.ts";
import { usersSuite } from "./users/index.ts";

/** Every case of the suite, the review of the declaration first. */
export const suite: readonly TestCase[] = [
  ...declarationSuite,
  ...rolesSuite,
  ...usersSuite,
  ...authSuite,
  ...authorisationSuite,
  ...appsSuite,
];

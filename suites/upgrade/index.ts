import type { TestCase } from "../../harness/index.ts";
import { clientAuthenticationCases } from "./clientAuthentication.ts";
import { configuringCases } from "./configuring.ts";
import { jobCases } from "./jobs.ts";

export const upgradeSuite: readonly TestCase[] = [
  ...configuringCases,
  ...jobCases,
  ...clientAuthenticationCases,
];

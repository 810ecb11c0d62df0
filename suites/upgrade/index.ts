import type { TestCase } from "../../harness/index.ts";
import { clientAuthenticationCases } from "./clientAuthentication.ts";
import { configuringCases } from "./configuring.ts";
import { jobActionCases } from "./jobActions.ts";
import { jobParameterCases } from "./jobParameters.ts";
import { jobCases } from "./jobs.ts";
import { retryCases } from "./retries.ts";

export const upgradeSuite: readonly TestCase[] = [
  ...configuringCases,
  ...jobCases,
  ...retryCases,
  ...jobParameterCases,
  ...jobActionCases,
  ...clientAuthenticationCases,
];

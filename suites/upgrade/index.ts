import type { TestCase } from "../../harness/index.ts";
import { clientAuthenticationCases } from "./clientAuthentication.ts";
import { configuringCases } from "./configuring.ts";
import { failedBootCases } from "./failedBoot.ts";
import { hugeFileCases } from "./hugeFiles.ts";
import { installingCases } from "./installing.ts";
import { interruptedInstallationCases } from "./interruptedInstallations.ts";
import { jobActionCases } from "./jobActions.ts";
import { jobParameterCases } from "./jobParameters.ts";
import { jobCases } from "./jobs.ts";
import { packageCases } from "./packages.ts";
import { powerCutCases } from "./powerCuts.ts";
import { rejectedPackageCases } from "./rejectedPackages.ts";
import { oneOfTwoCases } from "./oneOfTwo.ts";
import { retryCases } from "./retries.ts";

export const upgradeSuite: readonly TestCase[] = [
  ...configuringCases,
  ...jobCases,
  ...hugeFileCases,
  ...retryCases,
  ...jobParameterCases,
  ...jobActionCases,
  ...oneOfTwoCases,
  ...clientAuthenticationCases,
  ...packageCases,
  ...installingCases,
  ...interruptedInstallationCases,
  ...rejectedPackageCases,
  ...failedBootCases,
  ...powerCutCases,
];

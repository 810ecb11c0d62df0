import type { TestCase } from "../../harness/index.ts";
import { accessCases } from "./accessing.ts";
import { differenceCases } from "./differences.ts";
import { historyCases } from "./history.ts";
import { joinedNameCases } from "./joinedNames.ts";
import { liveCases } from "./live.ts";
import { monitoringCases } from "./monitoring.ts";
import { sideBySideCases } from "./sideBySide.ts";
import { tagLimitCases } from "./tagLimits.ts";
import { viewCases } from "./views.ts";
import { virtualTagCases } from "./virtualTags.ts";

export const tagsSuite: readonly TestCase[] = [
  ...virtualTagCases,
  ...tagLimitCases,
  ...joinedNameCases,
  ...accessCases,
  ...historyCases,
  ...monitoringCases,
  ...differenceCases,
  ...sideBySideCases,
  ...viewCases,
  ...liveCases,
];

import type { TestCase } from "../../harness/index.ts";
import { configuringCases } from "./configuring.ts";
import { creatingCases } from "./creating.ts";
import { downloadingCases } from "./downloading.ts";
import { pagingCases } from "./paging.ts";
import { retentionCases } from "./retention.ts";
import { rotationCases } from "./rotation.ts";
import { signInFailureCases } from "./signInFailures.ts";
import { streamingCases } from "./streaming.ts";

export const eventsSuite: readonly TestCase[] = [
  ...creatingCases,
  ...streamingCases,
  ...downloadingCases,
  ...pagingCases,
  ...configuringCases,
  ...signInFailureCases,
  ...retentionCases,
  ...rotationCases,
];

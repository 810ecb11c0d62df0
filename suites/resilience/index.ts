import type { TestCase } from "../../harness/index.ts";
import { badLineCases } from "./badLine.ts";
import { lostPacketCases } from "./lostPackets.ts";
import { networkLossCases } from "./networkLoss.ts";
import { powerCutCases } from "./powerCut.ts";
import { resetAmidApplyCases } from "./resetAmidApply.ts";
import { storageAndClockCases } from "./storageAndClock.ts";

export const resilienceSuite: readonly TestCase[] = [
  ...powerCutCases,
  ...resetAmidApplyCases,
  ...networkLossCases,
  ...storageAndClockCases,
  ...badLineCases,
  ...lostPacketCases,
];

// Faults that operators make from the data of the interface, at every place where they make sense.
import type { Fault } from "../../mechanism/fault.ts";
import { accessFaults } from "./access.ts";
import { defaultFaults } from "./defaults.ts";
import { eventQueryFaults } from "./eventQueries.ts";
import { exportQueryFaults } from "./exportQueries.ts";
import { lastingFaults } from "./lasting.ts";
import { listFaults } from "./lists.ts";
import { reachingFaults } from "./reach.ts";
import { sessionFaults } from "./sessions.ts";
import { streamFaults } from "./streams.ts";
import { tagValueFaults } from "./tagValues.ts";
import { valueFaults } from "./values.ts";
import { writeFaults } from "./writes.ts";

export const derivedFaults: readonly Fault[] = [
  ...valueFaults,
  ...writeFaults,
  ...accessFaults,
  ...tagValueFaults,
  ...listFaults,
  ...eventQueryFaults,
  ...exportQueryFaults,
  ...defaultFaults,
  ...streamFaults,
  ...reachingFaults,
  ...lastingFaults,
  ...sessionFaults,
];

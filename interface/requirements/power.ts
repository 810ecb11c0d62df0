// What a lab expects of a gateway that loses its power. The interface does not speak of it, so that none of it decides
// conformance; a gateway that loses what it acknowledged is reported all the same.
import type { Requirement } from "./requirement.ts";

const shared = {
  group: "general",
  level: "declared",
  needs: "power",
  place: "The rack file, power",
} as const;

export const powerRequirements: readonly Requirement[] = [
  {
    id: "CORE-POWER-01",
    ...shared,
    statement: "A gateway whose power was cut comes up by itself when it is back.",
  },
  {
    id: "CORE-POWER-02",
    ...shared,
    capability: "events",
    statement: "Log entries that were acknowledged before a power cut are there afterwards.",
  },
  {
    id: "CORE-POWER-03",
    ...shared,
    capability: "ssh",
    statement: "A setting that was acknowledged before a power cut is there afterwards.",
  },
  {
    id: "CORE-POWER-04",
    ...shared,
    capability: "virtual-tags",
    statement: "Virtual tags that were acknowledged before a power cut are there afterwards.",
  },
  {
    id: "CORE-POWER-05",
    ...shared,
    statement: "What was not acknowledged before a power cut is absent afterwards or whole.",
  },
  {
    id: "CORE-POWER-06",
    ...shared,
    capability: "users",
    statement: "A user's record that was acknowledged before a power cut is there afterwards.",
  },
  {
    id: "CORE-POWER-07",
    ...shared,
    capability: "upgrade-jobs",
    statement: "Upgrade jobs that were acknowledged before a power cut are there afterwards.",
  },
  {
    id: "CORE-POWER-08",
    ...shared,
    needs: "reset-button",
    capability: "configuration",
    statement:
      "A configuration during whose application the gateway was reset is in force wholly or not at all.",
  },
  {
    id: "CORE-POWER-09",
    ...shared,
    needs: "network",
    capability: "upgrade-jobs",
    statement: "A download during which the network was away is completed when it is back.",
  },
  {
    id: "CORE-POWER-10",
    ...shared,
    needs: "network",
    statement: "A gateway whose network was away answers and streams again when it is back.",
  },
  {
    id: "CORE-POWER-11",
    ...shared,
    needs: "storage",
    statement:
      "A gateway whose disk is full keeps what it acknowledged, and takes writes again when there is room.",
  },
  {
    id: "CORE-POWER-12",
    ...shared,
    needs: "clock",
    statement: "A gateway whose clock jumped comes up and takes sign-ins.",
  },
];

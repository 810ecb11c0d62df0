// What a lab expects of a gateway that loses its power. The interface does not mention it, and none of it decides
// conformance; a gateway that loses acknowledged data is reported all the same.
import type { Requirement } from "./requirement.ts";

const shared = {
  group: "general",
  level: "recommended",
  source: "IEC 62443-4-2, CR 7.4: recovery to a known secure state after a disruption or failure",
  needs: "power",
  place: "Rack file: power",
} as const;
const network = { ...shared, needs: "network", place: "Rack file: network" } as const;

export const powerRequirements: readonly Requirement[] = [
  {
    id: "CORE-POWER-01",
    ...shared,
    statement: "The gateway starts without intervention when power returns after a power cut.",
  },
  {
    id: "CORE-POWER-02",
    ...shared,
    capability: "events",
    statement: "Log entries acknowledged before a power cut are stored after it.",
  },
  {
    id: "CORE-POWER-03",
    ...shared,
    capability: "ssh",
    statement: "A setting acknowledged before a power cut is stored after it.",
  },
  {
    id: "CORE-POWER-04",
    ...shared,
    capability: "virtual-tags",
    statement: "Virtual tags acknowledged before a power cut are stored after it.",
  },
  {
    id: "CORE-POWER-05",
    ...shared,
    statement: "A change not acknowledged before a power cut is either absent or complete after it.",
  },
  {
    id: "CORE-POWER-06",
    ...shared,
    capability: "users",
    statement: "A user record acknowledged before a power cut is stored after it.",
  },
  {
    id: "CORE-POWER-07",
    ...shared,
    capability: "upgrade-jobs",
    statement: "Upgrade jobs acknowledged before a power cut are stored after it.",
  },
  {
    id: "CORE-POWER-08",
    ...shared,
    needs: "reset-button",
    place: "Rack file: reset button",
    capability: "configuration",
    statement:
      "A configuration whose application is interrupted by the reset button is in force completely or not at all.",
  },
  {
    id: "CORE-POWER-09",
    ...network,
    capability: "upgrade-jobs",
    statement: "A download interrupted by a network loss completes when the network is available again.",
  },
  {
    id: "CORE-POWER-10",
    ...network,
    statement: "The gateway responds and streams again when the network is available again after a loss.",
  },
  {
    id: "CORE-POWER-11",
    ...shared,
    needs: "storage",
    place: "Rack file: storage",
    statement:
      "Acknowledged data stays stored while the disk is full, and the gateway accepts writes again when space is free.",
  },
  {
    id: "CORE-POWER-12",
    ...shared,
    needs: "clock",
    place: "Rack file: clock",
    statement: "The gateway starts and accepts sign-ins after a jump of its clock.",
  },
];

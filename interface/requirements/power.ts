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
];

// What a lab expects of a gateway on a bad line. The interface does not mention lines, and none of it decides conformance.
import type { Requirement } from "./requirement.ts";

const shared = {
  group: "general",
  level: "recommended",
  source: "IEC 62443-4-2, CR 7.1 and CR 7.2: denial of service and resource management",
  needs: "impaired-line",
  place: "Rack file: network",
} as const;

export const lineRequirements: readonly Requirement[] = [
  {
    id: "CORE-LINE-01",
    ...shared,
    capability: "tag-stream",
    statement:
      "The gateway serves no fewer stream clients after others vanished without closing their connections.",
  },
  {
    id: "CORE-LINE-02",
    ...shared,
    capability: "events",
    statement:
      "The gateway answers requests with small packets while large packets vanish, and all requests afterwards.",
  },
  {
    id: "CORE-LINE-03",
    ...shared,
    capability: "upgrade-jobs",
    statement:
      "A download completes after its server vanished without closing the connection and is available again.",
  },
  {
    id: "CORE-LINE-04",
    ...shared,
    source: "RFC 9110, 14.2: range requests",
    capability: "upgrade-jobs",
    statement: "A download that continues after a loss of its server requests only the missing bytes.",
  },
];

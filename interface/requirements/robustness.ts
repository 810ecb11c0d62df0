// What a lab expects of a gateway that is asked wrongly, or by many at once. The interface does not speak of most of it,
// so that none of it decides conformance; it is reported beside it.
import type { Requirement } from "./requirement.ts";

const shared = { group: "general", level: "declared" } as const;
const input = { ...shared, place: "Robustness: hostile input" };

export const robustnessRequirements: readonly Requirement[] = [
  {
    id: "CORE-ROBUST-01",
    ...input,
    statement:
      "A request that breaks the interface is refused (4xx) or served, and is no fault of the gateway (5xx).",
  },
  {
    id: "CORE-ROBUST-02",
    ...input,
    statement: "No request leaves the gateway without an answer to it, or without answers to others.",
  },
  {
    id: "CORE-ROBUST-03",
    ...input,
    statement: "The state of the gateway changes through accepted requests alone, and only where they aim.",
  },
  {
    id: "CORE-ROBUST-04",
    ...input,
    statement:
      "Bytes that are no HTTP, requests that never end and many connections leave the gateway serving others.",
  },
  {
    id: "CORE-ROBUST-05",
    ...input,
    statement: "Requests that are sent one behind the other on a connection are answered in their order.",
  },
];

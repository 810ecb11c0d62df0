// What a lab expects of a gateway that is asked wrongly, or by many at once. The interface does not speak of most of it,
// so that none of it decides conformance; it is reported beside it.
import type { Requirement } from "./requirement.ts";

const shared = { group: "general", level: "declared" } as const;
const together = { ...shared, place: "Robustness: several clients at once" };
const credentials = {
  ...shared,
  group: "auth",
  place: "Robustness: attacks on credentials",
  capability: "auth",
} as const;
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
  {
    id: "CORE-ROBUST-06",
    ...credentials,
    statement: "A user who may not manage users gains no permission by updating the own record.",
  },
  {
    id: "CORE-ROBUST-07",
    ...credentials,
    statement: "A token is refused once the password with which it was obtained was changed.",
  },
  {
    id: "CORE-ROBUST-08",
    ...credentials,
    statement: "A token of a user who was removed is refused, also when there are new users.",
  },
  {
    id: "CORE-CONC-01",
    ...together,
    statement:
      "What several clients read and write of one value can be explained by some order of their requests.",
  },
  {
    id: "CORE-CONC-02",
    ...together,
    statement: "Changes of different members of one thing at the same time are all kept.",
  },
  {
    id: "CORE-CONC-03",
    ...together,
    statement: "Things that are made at the same time are all there, each once and with an id of its own.",
  },
  {
    id: "CORE-CONC-04",
    ...together,
    capability: "upgrade-jobs",
    statement:
      "A job that several clients operate at once ends in the state they asked for, and the other jobs are left alone.",
  },
];

// What a lab expects of a gateway under invalid requests and concurrent clients. The interface states little of it, and
// none of it decides conformance; it is reported separately.
import type { Requirement } from "./requirement.ts";

const shared = { group: "general", level: "recommended" } as const;
const together = {
  ...shared,
  source: "CWE-362: concurrent use of a shared resource",
  place: "Robustness: concurrent clients",
};
const credentials = {
  ...shared,
  group: "auth",
  source: "OWASP ASVS 4.0.3, 3.3.3 and 4.1; CWE-269, CWE-613: rights and the end of sessions",
  place: "Robustness: attacks on credentials",
  capability: "auth",
} as const;
const input = {
  ...shared,
  source: "RFC 9110, 15.5 and 15.6; IEC 62443-4-2, CR 3.5: input validation",
  place: "Robustness: hostile input",
};

export const robustnessRequirements: readonly Requirement[] = [
  {
    id: "CORE-ROBUST-01",
    ...input,
    statement:
      "The gateway rejects a request that violates the interface with 4xx or serves it, without a 5xx.",
  },
  {
    id: "CORE-ROBUST-02",
    ...input,
    statement: "Every request gets a response, and none prevents the responses to other requests.",
  },
  {
    id: "CORE-ROBUST-03",
    ...input,
    statement:
      "Only accepted requests change the state of the gateway, and only the resource that they address.",
  },
  {
    id: "CORE-ROBUST-04",
    ...input,
    statement:
      "The gateway serves other clients during non-HTTP input, incomplete requests and a large number of connections.",
  },
  {
    id: "CORE-ROBUST-05",
    ...input,
    statement: "The gateway responds to pipelined requests in the order in which they were sent.",
  },
  {
    id: "CORE-ROBUST-06",
    ...credentials,
    statement: "A user without permission to manage users gains no permission by updating their own record.",
  },
  {
    id: "CORE-ROBUST-07",
    ...credentials,
    statement: "A change of a user's password ends the other sign-ins of the user.",
  },
  {
    id: "CORE-ROBUST-08",
    ...credentials,
    statement: "The gateway rejects the tokens of a removed user, including after new users are added.",
  },
  {
    id: "CORE-CONC-01",
    ...together,
    statement:
      "Concurrent reads and writes of one value have results that some order of the requests explains.",
  },
  {
    id: "CORE-CONC-02",
    ...together,
    statement: "The gateway stores concurrent changes to different members of one resource, each of them.",
  },
  {
    id: "CORE-CONC-03",
    ...together,
    statement: "Concurrently created resources all exist, each once and with a unique id.",
  },
  {
    id: "CORE-CONC-04",
    ...together,
    capability: "upgrade-jobs",
    statement:
      "A job that several clients operate concurrently reaches the requested state, and no other job changes.",
  },
];

// What a lab expects of a gateway whose time server sets its clock. The interface does not mention it, and none of it
// decides conformance.
import type { Requirement } from "./requirement.ts";

const shared = {
  group: "general",
  level: "recommended",
  source: "IEC 62443-4-2, CR 2.11 and CR 7.1: timestamps, and essential functions under disturbance",
  needs: "time-server",
  place: "Rack file: timeServer",
} as const;

export const clockRequirements: readonly Requirement[] = [
  {
    id: "CORE-CLOCK-01",
    ...shared,
    capability: "auth",
    statement: "The gateway accepts sign-ins, and does not restart, when its clock is set forward or back.",
  },
  {
    id: "CORE-CLOCK-02",
    ...shared,
    capability: "tag-stream",
    statement: "Tag streams and written values continue when the clock is set forward or back.",
  },
  {
    id: "CORE-CLOCK-03",
    ...shared,
    capability: "websocket",
    statement: "A websocket token is valid for 30 s of real time when the clock is set meanwhile.",
  },
  {
    id: "CORE-CLOCK-04",
    ...shared,
    capability: "reboot",
    statement: "A reboot at one time happens at most once when the clock is set back afterwards.",
  },
  {
    id: "CORE-CLOCK-05",
    ...shared,
    capability: "reboot",
    statement: "A scheduled reboot happens when the clock shows its time, whether or not it was set before.",
  },
  {
    id: "CORE-CLOCK-06",
    ...shared,
    capability: "configuration",
    statement:
      "The reboot after an applied configuration happens after 5 s of real time when the clock is set meanwhile.",
  },
  {
    id: "CORE-CLOCK-07",
    ...shared,
    capability: "events",
    statement:
      "Log entries are recorded, listed and streamed after the clock was set back, and later ones stay stored.",
  },
  {
    id: "CORE-CLOCK-08",
    ...shared,
    capability: "reboot",
    statement: "`lastBootAt` after a reboot is a time of the clock that was set before.",
  },
  {
    id: "CORE-CLOCK-09",
    ...shared,
    capability: "auth",
    statement: "The gateway accepts sign-ins and requests in 1970, on a leap day and after 2038.",
  },
];

// How long a case may take on the gateway of the profile.
import { defaultPatience, type Profile } from "../profile/profile.ts";
import type { TestCase } from "../suite/case.ts";

const defaultDeadlineMs = 60_000;

/** A gateway with longer waits than by default has as much more time for each case; none has less. */
export function caseDeadlineMs(
  { deadlineMs = defaultDeadlineMs }: Pick<TestCase, "deadlineMs">,
  { patience }: Pick<Profile, "patience">,
): number {
  return Math.round(deadlineMs * Math.max(1, patience.settleMs / defaultPatience.settleMs));
}

// A gateway's clock may count in whole seconds or more: what must differ in time waits until it has moved on.
import type { Answer, CaseContext } from "../../harness/index.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

/** Whole seconds differ after this time. */
export const distinctMs = 1100;
/** Where no Date header shows how fine the clock is. */
const unknownMs = 2600;

function dateOf(answer: Answer): number {
  return epochMsOf(answer.headers["date"] ?? "");
}

/** Waits until whole seconds differ, and until the Date header, where there is one, is later than in the answer. */
export async function untilLater(
  { gateway, clock, profile, signal, waitFor }: CaseContext,
  since: Answer,
): Promise<void> {
  const isDated = !Number.isNaN(dateOf(since));
  await clock.delay(isDated ? distinctMs : unknownMs, signal);
  if (!isDated) return;
  const isLater = async (): Promise<true | undefined> =>
    dateOf(await gateway.admin.call("getCurrentUser")) > dateOf(since) ? true : undefined;
  // A clock that stands is a finding of others.
  await waitFor("a later Date header", isLater, { deadlineMs: profile.patience.settleMs }).catch(
    () => undefined,
  );
}

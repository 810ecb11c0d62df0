import {
  type Answer,
  type CaseContext,
  type Instant,
  type Interval,
  type ObserverInterval,
  type RestartWatch,
  difference,
} from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
import { anyReading } from "./anyReading.ts";

/** Seconds from the execution of a request, which lies between sending and answer, to an instant. */
export function secondsSince(
  { exchange }: { readonly exchange: Pick<Answer["exchange"], "startedMs" | "durationMs"> },
  instant: Interval,
): Interval {
  const { startedMs, durationMs } = exchange;
  const { low, high } = difference({ low: startedMs, high: startedMs + durationMs }, instant);
  return { low: Math.max(0, low / 1000), high: high / 1000 };
}

/** The same with the observers, for a measurement. */
export function delayAfter(
  answer: Answer,
  instant: Instant,
): { interval: Interval; observers: readonly string[]; seenBy: ObserverInterval[] } {
  return {
    interval: secondsSince(answer, instant),
    observers: instant.observers,
    seenBy: instant.seenBy.map((one) => ({ observer: one.observer, ...secondsSince(answer, one) })),
  };
}

/** Waits until a gateway that went down answers the administrator after a new sign-in; measures the time. */
export async function backAgain(context: CaseContext, watch: RestartWatch): Promise<void> {
  const { down, up, observers } = await watch.restarted({
    downWithinMs: 1000,
    upWithinMs: context.profile.patience.bootMs,
  });
  const { low, high } = sinceDown(down, up);
  context.measure({
    name: "time from shutdown to the first answer",
    unit: "s",
    interval: { low, high },
    observers,
    seenBy: up.seenBy.map((one) => ({ observer: one.observer, ...sinceDown(down, one) })),
  });
  await answersAgain(context);
}

function sinceDown(down: Interval, up: Interval): Interval {
  const { low, high } = difference(down, up);
  return { low: Math.max(0, low / 1000), high: high / 1000 };
}

/** Waits until the administrator can sign in again and is answered. */
export async function answersAgain(context: CaseContext): Promise<void> {
  const { gateway, waitFor, profile } = context;
  gateway.signInsWereLost();
  let last: unknown;
  await waitFor(
    "an answer of the gateway to the administrator",
    async () => {
      try {
        const answer = await anyReading(context, 2000);
        last = answer.summary();
        return answer.accepted ? true : undefined;
      } catch (thrown) {
        if (!(thrown instanceof Unmet)) throw thrown;
        last = thrown.message;
        return undefined;
      }
    },
    { deadlineMs: profile.patience.bootMs, everyMs: 50, lastSeen: () => last },
  );
}

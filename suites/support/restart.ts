import type { Answer } from "../../harness/client/answer.ts";
import type { RestartWatch } from "../../harness/client/gatewayUnderTest.ts";
import { difference, type Interval } from "../../harness/measurement/interval.ts";
import { Unmet } from "../../harness/suite/outcome.ts";
import type { CaseContext } from "../../harness/suite/context.ts";

/** Seconds from the carrying out of a request, which lies between sending and answer, to an instant. */
export function secondsSince(answer: Answer, instant: Interval): Interval {
  const { startedMs, durationMs } = answer.exchange;
  const { low, high } = difference({ low: startedMs, high: startedMs + durationMs }, instant);
  return { low: Math.max(0, low / 1000), high: high / 1000 };
}

/** Waits until a gateway that went down answers the administrator again, who signs in anew; keeps how long it was away. */
export async function backAgain(context: CaseContext, watch: RestartWatch): Promise<void> {
  const { down, up, observers } = await watch.restarted({
    downWithinMs: 1000,
    upWithinMs: context.profile.patience.bootMs,
  });
  const { low, high } = difference(down, up);
  context.measure({
    name: "time from going down to the first answer",
    unit: "s",
    interval: { low: Math.max(0, low / 1000), high: high / 1000 },
    observers,
  });
  await answersAgain(context);
}

/** Waits until the administrator can sign in anew and is answered. */
export async function answersAgain({ gateway, waitFor, profile }: CaseContext): Promise<void> {
  gateway.signInsWereLost();
  let last: unknown;
  await waitFor(
    "the gateway to answer the administrator again",
    async () => {
      try {
        const answer = await gateway.admin.call("getCurrentUser", { patienceMs: 2000 });
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

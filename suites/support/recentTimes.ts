// The gateway's time of day: its Date header, which a proxy may have replaced by the time of this laboratory.
import type { CaseContext, Evidence } from "../../harness/index.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

const slackMs = 5 * 60_000;

const clocksMs = ({ clock, lastDate }: CaseContext): readonly number[] =>
  [epochMsOf(lastDate() ?? ""), clock.epochMs()].filter((ms) => !Number.isNaN(ms));

/** Whether the instant, in milliseconds since 1970, is of the last minutes. A clock that is not known may show any time. */
export function isRecent(context: CaseContext, ms: number): boolean {
  return (
    context.lastDate() === undefined || clocksMs(context).some((nowMs) => Math.abs(ms - nowMs) < slackMs)
  );
}

/** Checks that an instant in milliseconds since 1970 is of the last minutes; not applicable where the time is not known. */
export function verifyRecent(
  context: CaseContext,
  requirement: string,
  { what, shown, evidence }: { readonly what: string; readonly shown: unknown; readonly evidence?: Evidence },
): void {
  const decided = context.verify(requirement);
  if (context.lastDate() === undefined)
    return decided.notApplicable(what, "the gateway's time is not known: no Date header in its answers");
  decided.that(isRecent(context, Number(shown)), {
    what,
    expected: `${clocksMs(context)[0]} within ${slackMs / 60_000} minutes, in milliseconds`,
    observed: shown,
    ...(evidence === undefined ? {} : { evidence }),
  });
}

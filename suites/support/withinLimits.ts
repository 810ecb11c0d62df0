// Values of which the interface does not state how great they can be: a gateway with smaller limits gets smaller ones.
import type { Answer } from "../../harness/index.ts";

/** Sends the wishes in turn until one is not rejected; returns that one, or the last, with its answer. */
export async function firstAccepted<Wish, Sent extends Answer>(
  wishes: readonly [Wish, ...Wish[]],
  send: (wish: Wish) => Promise<Sent>,
): Promise<{ readonly wish: Wish; readonly answer: Sent }> {
  const [wish, next, ...rest] = wishes;
  const answer = await send(wish);
  return answer.rejected && next !== undefined ? firstAccepted([next, ...rest], send) : { wish, answer };
}

/** What limits how long entries stay. */
interface Limits {
  readonly timeToLiveSec: number;
  readonly desiredDiskCacheSizeMB: number;
}

/** Less than a year. */
const shorterSec = 30_000_000;

/** A time to live with a size near the present one, then with the present size or less, and at last a shorter time, or -1 for less. */
export function withinLimits(timeToLiveSec: number, sizeMB: number, more: number): [Limits, Limits, Limits] {
  const less = Math.max(1, sizeMB - more);
  return [
    { timeToLiveSec, desiredDiskCacheSizeMB: sizeMB + more },
    { timeToLiveSec, desiredDiskCacheSizeMB: less },
    { timeToLiveSec: Math.max(-1, Math.min(timeToLiveSec, shorterSec + more)), desiredDiskCacheSizeMB: less },
  ];
}

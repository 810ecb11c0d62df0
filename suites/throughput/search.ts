// Search for the fastest pace of changes without loss.
import type { CaseContext } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import type { LoadSource } from "../support/sequenceLoad.ts";
import { inWords, isBottleneck, isClean, keep, trial, type Trial } from "./trial.ts";

const trialMs: Readonly<Record<CampaignLevel, number>> = {
  smoke: 1000,
  nightly: 2000,
  certification: 10_000,
};

interface Found {
  readonly everyMs: number;
  readonly trial: Trial;
}

/**
 * The fastest pace without loss: the fastest candidate if it is clean, none if the slowest is not, otherwise by bisection.
 * Returns the trial of the slowest pace when that one decided.
 */
export async function search(
  context: CaseContext,
  sources: readonly LoadSource[],
  candidates: readonly number[],
  clients: number,
): Promise<{ best?: Found; slowest?: Found }> {
  const attempt = async (index: number): Promise<Found> => {
    const everyMs = candidates[index] ?? 1000;
    const forMs = Math.max(trialMs[context.level], 4 * everyMs);
    const result = await trial(context, sources, { everyMs, forMs, clients });
    keep(context, clients, result);
    context.note(`${clients} clients, a change every ${everyMs} ms: ${inWords(result)}`);
    if (!isClean(result) && isBottleneck(result))
      context.note(`the harness was close to its own limit: headroom factor ${result.headRoom?.toFixed(1)}`);
    return { everyMs, trial: result };
  };
  let high = candidates.length - 1;
  const fastest = await attempt(high);
  if (isClean(fastest.trial)) return { best: fastest };
  const slowest = high === 0 ? fastest : await attempt(0);
  if (!isClean(slowest.trial)) return { slowest };
  let best = slowest;
  let low = 0;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = await attempt(middle);
    if (isClean(found.trial)) [best, low] = [found, middle];
    else high = middle;
  }
  return { best };
}

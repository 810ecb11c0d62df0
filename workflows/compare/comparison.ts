// Compares two gateways: sequence after sequence until the budget of steps is spent.
import { messageOf, Unmet } from "../../record/index.ts";
import { type ConnectedGateway, readBaseline } from "./connectedGateway.ts";
import { generateSequence, recipesFor } from "./generate.ts";
import { Pair } from "./play.ts";
import type { Common } from "./recipe.ts";
import { type Finding, freshOf, Search, toFinding } from "./search.ts";
import type { Step } from "./step.ts";

export interface ComparisonOptions {
  readonly a: ConnectedGateway;
  readonly b: ConnectedGateway;
  readonly seed: number;
  /** Number of steps for both gateways, without those that shorten a finding. */
  readonly steps: number;
  /** Makes names of this comparison unique. */
  readonly token: string;
  readonly signal: AbortSignal;
  /** Number of stated differences at which to stop; absent: all steps are played. */
  readonly stopAfter?: number;
  readonly progress: (stepsDone: number, findings: number) => void;
}

export interface Comparison {
  readonly stepsTaken: number;
  readonly sequences: number;
  readonly findings: readonly Finding[];
  /** Requirements that both violate in the same way, which is no difference. */
  readonly brokenByBoth: readonly string[];
  /** Why the comparison ended before the budget was spent. */
  readonly brokenOff?: string;
}

const sequenceLength = 40;
/** How often gateways with state from earlier sequences are replaced by fresh ones. */
const mostRenewals = 10;

/** Never throws for what the gateways do: `brokenOff` says when one of them stopped answering. */
export async function compareGateways(options: ComparisonOptions): Promise<Comparison> {
  const { a, b, seed, steps: budget, token, signal, progress } = options;
  const enough = options.stopAfter ?? Number.POSITIVE_INFINITY;
  const common = new Set<string>();
  let stepsTaken = 0;
  let sequences = 0;
  let search: Search | undefined;
  const soFar = (): Comparison => ({
    stepsTaken,
    sequences,
    findings: search?.findings ?? [],
    brokenByBoth: [...common].toSorted(),
  });
  await using ends = new AsyncDisposableStack();
  try {
    let pair = new Pair(a, b, await Promise.all([readBaseline(a), readBaseline(b)]), token);
    let renewals = 0;
    const recipes = recipesFor(commonOf(a, b), [a.profile, b.profile]);
    search = new Search(a, b, pair, token, signal);
    while (stepsTaken < budget && !signal.aborted && search.statedCount < enough) {
      const sequenceSeed = seed + sequences;
      const length = Math.min(sequenceLength, budget - stepsTaken);
      const played = await pair.play(generateSequence(recipes, sequenceSeed, length), signal);
      sequences += 1;
      stepsTaken += played.steps.length;
      for (const requirement of played.brokenByBoth) common.add(requirement);
      const isUnrepeatable = await search.take(played.steps, sequenceSeed, enough);
      if (isUnrepeatable && renewals < mostRenewals && (a.fresh ?? b.fresh) !== undefined) {
        renewals += 1;
        const [freshA, freshB] = [await freshOf(a, ends), await freshOf(b, ends)];
        const baselines = await Promise.all([readBaseline(freshA), readBaseline(freshB)]);
        pair = new Pair(freshA, freshB, baselines, `${token}n${renewals}`);
        search.continueWith(pair);
      }
      progress(stepsTaken, search.findings.length);
    }
    return soFar();
  } catch (thrown) {
    if (!(thrown instanceof Unmet)) throw thrown;
    return { ...soFar(), brokenOff: messageOf(thrown) };
  }
}

/** Plays one given sequence and answers its findings, without shortening it. */
export async function replay(
  options: Pick<ComparisonOptions, "a" | "b" | "seed" | "token">,
  steps: readonly Step[],
): Promise<Comparison> {
  const { a, b, seed, token } = options;
  try {
    const pair = new Pair(a, b, await Promise.all([readBaseline(a), readBaseline(b)]), token);
    const played = await pair.play(steps);
    const findings = played.steps.flatMap((step, index) => {
      const before = played.steps.slice(0, index + 1).map((one) => one.step);
      return step.differences.map((difference) => toFinding({ step, difference }, before, seed, true));
    });
    const { brokenByBoth } = played;
    return { stepsTaken: played.steps.length, sequences: 1, findings, brokenByBoth };
  } catch (thrown) {
    if (!(thrown instanceof Unmet)) throw thrown;
    return { stepsTaken: 0, sequences: 1, findings: [], brokenByBoth: [], brokenOff: messageOf(thrown) };
  }
}

function commonOf(a: ConnectedGateway, b: ConnectedGateway): Common {
  const both = (of: (one: ConnectedGateway) => readonly string[]): string[] =>
    of(a).filter((item) => of(b).includes(item));
  return {
    permissions: both(({ profile }) => profile.permissions),
    services: both(({ profile }) => profile.switchableServices),
  };
}

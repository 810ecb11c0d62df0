// Compares two gateways: sequence after sequence until the budget of steps is spent, and each kind of difference brought
// down to the shortest sequence that shows it.
import type { Exchange } from "../record/exchange.ts";
import { messageOf } from "../errors.ts";
import { Unmet } from "../suite/outcome.ts";
import { type Contestant, readBaseline } from "./contestant.ts";
import { type Difference, isStated, signatureOf } from "./difference.ts";
import { generateSequence, recipesFor } from "./generate.ts";
import { Pair, type PlayedStep } from "./play.ts";
import type { Common } from "./recipe.ts";
import { shorten } from "./shorten.ts";
import type { Step } from "./step.ts";

export interface ComparisonOptions {
  readonly a: Contestant;
  readonly b: Contestant;
  readonly seed: number;
  /** How many steps both gateways are given; those that shorten what was found come on top. */
  readonly steps: number;
  /** Makes names of this comparison unlike those of any other. */
  readonly token: string;
  readonly signal: AbortSignal;
  readonly progress: (stepsDone: number, findings: number) => void;
}

/** One kind of difference, with the shortest sequence that shows it. */
export interface Finding {
  /** `stated`: one side breaks a requirement that decides conformance; `note`: the interface is silent, or says it elsewhere. */
  readonly kind: "stated" | "note";
  /** Seed of the sequence in which it was seen first. */
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly difference: Difference;
  /** False when the same steps did not show it again: then the steps are all that came before. */
  readonly isRepeatable: boolean;
  /** In how many sequences it, or something that breaks the same requirement, was seen. */
  sequences: number;
  readonly exchanges: { readonly a: Exchange; readonly b: Exchange };
}

export interface Comparison {
  readonly stepsTaken: number;
  readonly sequences: number;
  readonly findings: readonly Finding[];
  /** Why the comparison ended before the budget was spent. */
  readonly brokenOff?: string;
}

const sequenceLength = 40;
const mostTries = 400;
const mostOfAKind = { stated: 20, note: 20 } as const;

/** Never throws for what the gateways do: `brokenOff` says when one of them could not be asked any more. */
export async function compareGateways(options: ComparisonOptions): Promise<Comparison> {
  const { a, b, seed, steps: budget, token, signal, progress } = options;
  const found: Finding[] = [];
  let stepsTaken = 0;
  let sequences = 0;
  try {
    const baselines = [await readBaseline(a), await readBaseline(b)] as const;
    const pair = new Pair(a, b, baselines, token);
    const recipes = recipesFor(commonOf(a, b), [a.profile, b.profile]);
    const search = new Search(pair, found);
    while (stepsTaken < budget && !signal.aborted) {
      const sequenceSeed = seed + sequences;
      const steps = generateSequence(recipes, sequenceSeed, Math.min(sequenceLength, budget - stepsTaken));
      const played = await pair.play(steps);
      sequences += 1;
      stepsTaken += played.steps.length;
      await search.take(played.steps, sequenceSeed);
      progress(stepsTaken, found.length);
    }
  } catch (thrown) {
    if (!(thrown instanceof Unmet) && !signal.aborted) throw thrown;
    return { stepsTaken, sequences, findings: found, brokenOff: messageOf(thrown) };
  }
  return { stepsTaken, sequences, findings: found };
}

/** Plays one given sequence and answers what it shows; nothing is shortened. */
export async function replay(
  options: Pick<ComparisonOptions, "a" | "b" | "seed" | "token">,
  steps: readonly Step[],
): Promise<Comparison> {
  const { a, b, seed, token } = options;
  try {
    const baselines = [await readBaseline(a), await readBaseline(b)] as const;
    const { steps: played } = await new Pair(a, b, baselines, token).play(steps);
    const findings = played.flatMap((one, index) =>
      one.differences.map((difference): Finding =>
        toFinding(one, difference, steps.slice(0, index + 1), seed, true),
      ),
    );
    return { stepsTaken: played.length, sequences: 1, findings };
  } catch (thrown) {
    if (!(thrown instanceof Unmet)) throw thrown;
    return { stepsTaken: 0, sequences: 1, findings: [], brokenOff: messageOf(thrown) };
  }
}

function commonOf(a: Contestant, b: Contestant): Common {
  const both = (of: (one: Contestant) => readonly string[]): string[] =>
    of(a).filter((item) => of(b).includes(item));
  return {
    permissions: both(({ profile }) => profile.permissions),
    services: both(({ profile }) => profile.switchableServices),
  };
}

/** What was found so far, and how something new is brought down to its shortest form. */
class Search {
  readonly #pair: Pair;
  readonly #found: Finding[];
  readonly #byKey = new Map<string, Finding>();

  constructor(pair: Pair, found: Finding[]) {
    this.#pair = pair;
    this.#found = found;
  }

  async take(played: readonly PlayedStep[], seed: number): Promise<void> {
    const seen = new Set<Finding>();
    for (const [index, one] of played.entries()) {
      for (const difference of one.differences) {
        const known = this.#byKey.get(keyOf(one, difference));
        if (known !== undefined) {
          seen.add(known);
          continue;
        }
        const kind = isStated(difference) ? "stated" : "note";
        if (this.#found.filter((other) => other.kind === kind).length >= mostOfAKind[kind]) continue;
        const finding = await this.#bringDown(played.slice(0, index + 1), one, difference, seed);
        this.#byKey.set(keyOf(one, difference), finding);
        this.#found.push(finding);
      }
    }
    for (const finding of seen) finding.sequences += 1;
  }

  async #bringDown(
    played: readonly PlayedStep[],
    last: PlayedStep,
    difference: Difference,
    seed: number,
  ): Promise<Finding> {
    const wanted = signatureOf(last.step.operation, difference);
    const find = async (steps: readonly Step[]): Promise<[PlayedStep, Difference] | undefined> => {
      for (const one of (await this.#pair.play(steps)).steps) {
        const same = one.differences.find((other) => signatureOf(one.step.operation, other) === wanted);
        if (same !== undefined) return [one, same];
      }
      return undefined;
    };
    const steps = played.map(({ step }) => step);
    const shortest = await shorten(
      steps,
      async (candidate) => (await find(candidate)) !== undefined,
      mostTries,
    );
    const again = await find(shortest);
    if (again === undefined) return toFinding(last, difference, steps, seed, false);
    return toFinding(again[0], again[1], shortest, seed, true);
  }
}

/** Findings that break the same requirement on the same side are one, whichever operation shows it. */
function keyOf({ step }: PlayedStep, difference: Difference): string {
  if (!isStated(difference)) return signatureOf(step.operation, difference);
  return difference.breaks.map(({ side, requirement }) => `${side} ${requirement}`).join(", ");
}

function toFinding(
  { a, b }: PlayedStep,
  difference: Difference,
  steps: readonly Step[],
  seed: number,
  isRepeatable: boolean,
): Finding {
  return {
    kind: isStated(difference) ? "stated" : "note",
    seed,
    steps,
    difference,
    isRepeatable,
    sequences: 1,
    exchanges: { a: a.answer.exchange, b: b.answer.exchange },
  };
}

// What a comparison has found so far, and how each new difference is brought down to its shortest sequence.
import type { Exchange } from "../record/exchange.ts";
import { type Contestant, type FreshContestant, readBaseline } from "./contestant.ts";
import { type Difference, isStated, signatureOf } from "./difference.ts";
import { Pair, type PlayedStep } from "./play.ts";
import { shorten, type StillShows } from "./shorten.ts";
import type { Step } from "./step.ts";

/** One kind of difference, with the shortest sequence that shows it. */
export interface Finding {
  /** `stated`: one side breaks a requirement that decides conformance; `note`: the interface is silent, or says it elsewhere. */
  readonly kind: "stated" | "note";
  /** Seed of the sequence in which it was seen first. */
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly difference: Difference;
  /** False when the same steps did not show it again: then the steps are all of the sequence that came before. */
  readonly isRepeatable: boolean;
  /** In how many sequences it was seen. */
  sequences: number;
  readonly exchanges: { readonly a: Exchange; readonly b: Exchange };
}

interface Shown {
  readonly step: PlayedStep;
  readonly difference: Difference;
}

const mostTries = 300;
// Starting a gateway costs as much as playing hundreds of steps.
const mostFreshTries = 60;
const mostOfAKind = { stated: 20, note: 20 } as const;

export class Search {
  readonly #a: Contestant;
  readonly #b: Contestant;
  readonly #pair: Pair;
  readonly #token: string;
  /** By what a finding breaks, or by its signature where it breaks nothing. */
  readonly #findings = new Map<string, Finding>();
  /** Signatures of which the finding is known. */
  readonly #known = new Map<string, string>();
  readonly #signal: AbortSignal;

  constructor(a: Contestant, b: Contestant, pair: Pair, token: string, signal: AbortSignal) {
    this.#a = a;
    this.#b = b;
    this.#pair = pair;
    this.#token = token;
    this.#signal = signal;
  }

  get findings(): Finding[] {
    return [...this.#findings.values()];
  }

  /** How many stated differences were found that the same steps show again. */
  get statedCount(): number {
    return this.findings.filter(({ kind, isRepeatable }) => kind === "stated" && isRepeatable).length;
  }

  /** Looks through a sequence that was played; whatever is new is shortened at once. */
  async take(played: readonly PlayedStep[], seed: number, enough: number): Promise<void> {
    const seen = new Set<string>();
    for (const [index, step] of played.entries()) {
      for (const difference of step.differences) {
        if (this.statedCount >= enough || this.#signal.aborted) return;
        const signature = signatureOf(step.step.operation, difference);
        const known = this.#known.get(signature);
        if (known !== undefined) seen.add(known);
        else if (!this.#isFull(difference))
          this.#add(signature, await this.#bringDown(played.slice(0, index + 1), { step, difference }, seed));
      }
    }
    for (const key of seen) {
      const finding = this.#findings.get(key);
      if (finding !== undefined) finding.sequences += 1;
    }
  }

  #isFull(difference: Difference): boolean {
    const kind = isStated(difference) ? "stated" : "note";
    return this.findings.filter((finding) => finding.kind === kind).length >= mostOfAKind[kind];
  }

  /** What the same steps do not show again is kept only until something does. */
  #add(signature: string, finding: Finding): void {
    const key = keyOf(finding, signature);
    const present = this.#findings.get(key);
    if (finding.isRepeatable) this.#known.set(signature, key);
    if (present === undefined || (finding.isRepeatable && !present.isRepeatable))
      this.#findings.set(key, finding);
    else present.sequences += 1;
  }

  async #bringDown(played: readonly PlayedStep[], first: Shown, seed: number): Promise<Finding> {
    const wanted = signatureOf(first.step.step.operation, first.difference);
    const steps = played.map(({ step }) => step);
    const hasFresh = this.#a.fresh !== undefined || this.#b.fresh !== undefined;
    // Once interrupted nothing more is tried, and the shortest so far is what remains.
    const onThese = async (candidate: readonly Step[]): Promise<Shown | undefined> =>
      this.#signal.aborted ? undefined : findIn((await this.#pair.play(candidate)).steps, wanted);
    const onFresh = async (candidate: readonly Step[]): Promise<Shown | undefined> =>
      this.#signal.aborted ? undefined : this.#playFresh(candidate, wanted);
    const proof = hasFresh ? onFresh : onThese;
    // What a gateway remembers of earlier sequences cannot be taken back: a sequence counts when it does without.
    if ((await proof(steps)) === undefined) return toFinding(first, steps, seed, false);
    let shortest = await shorten(steps, asCheck(onThese), mostTries);
    let shown = await proof(shortest);
    if (shown === undefined && hasFresh) {
      shortest = await shorten(steps, asCheck(onFresh), mostFreshTries);
      shown = await onFresh(shortest);
    }
    return shown === undefined
      ? toFinding(first, steps, seed, false)
      : toFinding(shown, shortest, seed, true);
  }

  async #playFresh(steps: readonly Step[], wanted: string): Promise<Shown | undefined> {
    await using stack = new AsyncDisposableStack();
    const [a, b] = await Promise.all([freshOf(this.#a, stack), freshOf(this.#b, stack)]);
    const baselines = await Promise.all([readBaseline(a), readBaseline(b)]);
    const pair = new Pair(a, b, baselines, `${this.#token}${(freshPlays += 1).toString(36)}x`);
    return findIn((await pair.play(steps)).steps, wanted);
  }
}

let freshPlays = 0;

async function freshOf(one: Contestant, stack: AsyncDisposableStack): Promise<Contestant> {
  if (one.fresh === undefined) return one;
  const fresh: FreshContestant = stack.use(await one.fresh());
  return fresh.contestant;
}

function asCheck(find: (steps: readonly Step[]) => Promise<Shown | undefined>): StillShows {
  return async (steps) => (await find(steps)) !== undefined;
}

function findIn(played: readonly PlayedStep[], wanted: string): Shown | undefined {
  for (const step of played) {
    for (const difference of step.differences)
      if (signatureOf(step.step.operation, difference) === wanted) return { step, difference };
  }
  return undefined;
}

/** Findings that break the same requirement on the same side are one, whichever operation shows it. */
function keyOf({ difference }: Finding, signature: string): string {
  if (!isStated(difference)) return signature;
  return difference.breaks.map(({ side, requirement }) => `${side} ${requirement}`).join(", ");
}

export function toFinding(
  { step, difference }: Shown,
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
    exchanges: { a: step.a.answer.exchange, b: step.b.answer.exchange },
  };
}

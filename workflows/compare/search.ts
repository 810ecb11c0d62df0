// What a comparison has found so far, and how each new difference is brought down to its shortest sequence.
import type { Exchange } from "../../record/index.ts";
import { type ConnectedGateway, type FreshGateway, readBaseline } from "./connectedGateway.ts";
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
// What was not shown again by so many sequences will not be by the next.
const mostAttempts = 4;
const mostOfAKind = { stated: 20, note: 20 } as const;

export class Search {
  readonly #a: ConnectedGateway;
  readonly #b: ConnectedGateway;
  #pair: Pair;
  readonly #token: string;
  /** By what a finding breaks, or by its signature where it breaks nothing. */
  readonly #findings = new Map<string, Finding>();
  /** Signatures of which the finding is known. */
  readonly #known = new Map<string, string>();
  /** How often a sequence with the signature was looked into. */
  readonly #attempts = new Map<string, number>();
  readonly #signal: AbortSignal;

  constructor(a: ConnectedGateway, b: ConnectedGateway, pair: Pair, token: string, signal: AbortSignal) {
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

  /** Goes on with other gateways of the same kinds. */
  continueWith(pair: Pair): void {
    this.#pair = pair;
  }

  /**
   * Looks through a sequence that was played; whatever is new is shortened at once. Answers whether something was seen
   * that the sequence alone does not show: a gateway remembers what came before it.
   */
  async take(played: readonly PlayedStep[], seed: number, enough: number): Promise<boolean> {
    const seen = new Set<string>();
    let isUnrepeatable = false;
    for (const [index, step] of played.entries()) {
      for (const difference of step.differences) {
        if (this.statedCount >= enough || this.#signal.aborted) return false;
        const signature = signatureOf(step.step.operation, difference);
        const known = this.#known.get(signature);
        if (known !== undefined) seen.add(known);
        else if (!this.#isFull(difference)) {
          const before = played.slice(0, index + 1);
          const finding = await this.#bringDown(before, { step, difference }, seed);
          this.#add(signature, finding);
          isUnrepeatable ||= !finding.isRepeatable;
        }
      }
    }
    for (const key of seen) {
      const finding = this.#findings.get(key);
      if (finding !== undefined) finding.sequences += 1;
    }
    return isUnrepeatable;
  }

  #isFull(difference: Difference): boolean {
    const kind = isStated(difference) ? "stated" : "note";
    return this.findings.filter((finding) => finding.kind === kind).length >= mostOfAKind[kind];
  }

  /** What the same steps do not show again is kept only until something does. */
  #add(signature: string, finding: Finding): void {
    const key = keyOf(finding, signature);
    const present = this.#findings.get(key);
    const attempts = (this.#attempts.get(signature) ?? 0) + 1;
    this.#attempts.set(signature, attempts);
    if (finding.isRepeatable || attempts >= mostAttempts) this.#known.set(signature, key);
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

/** Another gateway of the same kind where that can be had; it ends with the stack. */
export async function freshOf(one: ConnectedGateway, stack: AsyncDisposableStack): Promise<ConnectedGateway> {
  if (one.fresh === undefined) return one;
  const fresh: FreshGateway = stack.use(await one.fresh());
  return fresh.gateway;
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

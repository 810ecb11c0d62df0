// The findings of a comparison so far; each new difference is reduced to its shortest sequence.
import type { Exchange } from "../../record/index.ts";
import { type ConnectedGateway, type FreshGateway, readBaseline } from "./connectedGateway.ts";
import { type Difference, isStated, signatureOf } from "./difference.ts";
import { Pair, type PlayedStep } from "./play.ts";
import { shorten, type StillShows } from "./shorten.ts";
import type { Step } from "./step.ts";

/** One kind of difference, with the shortest sequence that shows it. */
export interface Finding {
  /** `stated`: one gateway violates a requirement that decides conformance; `note`: the interface states no such rule. */
  readonly kind: "stated" | "note";
  /** Seed of the sequence in which it was found first. */
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly difference: Difference;
  /** False when the same steps did not reproduce it: the steps are then all of the sequence before it. */
  readonly isRepeatable: boolean;
  /** Number of sequences in which it was found. */
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
// After this many sequences without a reproduction the next one will not reproduce it either.
const mostAttempts = 4;
const mostOfAKind = { stated: 20, note: 20 } as const;

export class Search {
  readonly #a: ConnectedGateway;
  readonly #b: ConnectedGateway;
  #pair: Pair;
  readonly #token: string;
  /** By the violated requirements of a finding, or by its signature without one. */
  readonly #findings = new Map<string, Finding>();
  /** Signatures with a known finding. */
  readonly #known = new Map<string, string>();
  /** How often a sequence with the signature was examined. */
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

  /** Number of stated differences that the same steps reproduce. */
  get statedCount(): number {
    return this.findings.filter(({ kind, isRepeatable }) => kind === "stated" && isRepeatable).length;
  }

  /** Continues with other gateways of the same kinds. */
  continueWith(pair: Pair): void {
    this.#pair = pair;
  }

  /**
   * Examines a played sequence; new differences are shortened at once. Answers whether a difference was found that the
   * sequence alone does not reproduce: state of earlier sequences remains in a gateway.
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

  /** A finding that is not reproduced is replaced by one that is. */
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
    // After an interruption the shortest sequence so far remains.
    const onThese = async (candidate: readonly Step[]): Promise<Shown | undefined> =>
      this.#signal.aborted ? undefined : findIn((await this.#pair.play(candidate)).steps, wanted);
    const onFresh = async (candidate: readonly Step[]): Promise<Shown | undefined> =>
      this.#signal.aborted ? undefined : this.#playFresh(candidate, wanted);
    const proof = hasFresh ? onFresh : onThese;
    // State of earlier sequences cannot be removed from a gateway: a sequence counts when a fresh gateway shows it.
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

/** Another gateway of the same kind if one can be started; it ends with the stack. */
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

/** Findings with the same violated requirement on the same gateway are one, whichever operation shows it. */
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

// Turns comparisons into records: requirement, expected and observed value, and the exchange as evidence.
import { type CheckRecord, type Measurement, type Verdict, stringifyJson } from "../../record/index.ts";
import { type Clock, monotonicClock } from "../clock.ts";
import { type Band, decide, type Interval } from "../measurement/interval.ts";
import type { Verify } from "../suite/context.ts";
import type { Evidence } from "../transport/evidence.ts";
import { differingMembers } from "./differing.ts";
import { sameValue } from "./sameValue.ts";

const shownCharacters = 2000;

/** A check with the observed value itself, before it became a text. */
interface SeenCheck {
  readonly requirement: string;
  readonly verdict: Verdict;
  readonly what: string;
  readonly observed: unknown;
  /** Number of the exchange that shows it. */
  readonly evidence: number | undefined;
}

/** Collects what one case checked and measured. */
export class Checks {
  readonly records: CheckRecord[] = [];
  readonly measurements: Measurement[] = [];
  readonly #possibleHostDelayMs: () => number;
  readonly #isAdvice: (requirement: string, field?: string) => boolean;
  readonly #disturbance: () => string | undefined;
  /** Called with every check. */
  onCheck: ((check: SeenCheck) => void) | undefined;
  /** When each check was made. */
  readonly #atMs: number[] = [];
  readonly #clock: Pick<Clock, "nowMs">;
  #isClosed = false;

  /**
   * `possibleHostDelayMs`: delay that this machine may have added to the gateway; 0 for gateways elsewhere. `isAdvice`:
   * whether a gateway that does not meet the requirement gets advice instead of a failure. `disturbance`: what disturbed
   * the rig while the case observed it; a failed check is inconclusive then.
   */
  constructor(
    possibleHostDelayMs: () => number = () => 0,
    isAdvice: (requirement: string, field?: string) => boolean = () => false,
    disturbance: () => string | undefined = () => undefined,
    clock: Pick<Clock, "nowMs"> = monotonicClock,
  ) {
    this.#clock = clock;
    this.#disturbance = disturbance;
    this.#possibleHostDelayMs = possibleHostDelayMs;
    this.#isAdvice = isAdvice;
  }

  /** From now on checks are ignored: the case was ended early and decides by what it had observed before. */
  close(): void {
    this.#isClosed = true;
  }

  /** The gateway ended by itself: what failed from then on is no observation of the gateway. */
  closeAfter(endedMs: number): void {
    this.close();
    for (const [index, record] of this.records.entries()) {
      if (record.verdict === "fail" && (this.#atMs[index] ?? 0) >= endedMs) record.verdict = "inconclusive";
    }
  }

  add(
    requirement: string,
    found: Verdict,
    what: string,
    expected: string,
    seen: string,
    evidence?: Evidence,
    evidenceCase?: string,
    value?: unknown,
  ): boolean {
    if (this.#isClosed) return false;
    const isBreach = found === "fail" || found === "advice";
    const disturbance = isBreach ? this.#disturbance() : undefined;
    const breach = this.#isAdvice(requirement) ? "advice" : found;
    const verdict = disturbance === undefined ? (isBreach ? breach : found) : "inconclusive";
    const observed = disturbance === undefined ? seen : `${seen} (inconclusive: ${disturbance})`;
    const exchange = evidence === undefined ? {} : { exchange: evidence.exchange.number };
    const exchangeCase = evidenceCase === undefined ? {} : { exchangeCase: evidenceCase };
    this.#atMs.push(this.#clock.nowMs());
    const transcript = verdict === "pass" ? undefined : evidence?.transcript?.();
    this.records.push({
      requirement,
      verdict,
      what,
      expected,
      observed,
      ...exchange,
      ...exchangeCase,
      ...(transcript === undefined ? {} : { transcript }),
    });
    this.onCheck?.({ requirement, verdict, what, observed: value, evidence: evidence?.exchange.number });
    return verdict === "pass";
  }

  /** The checks against one requirement; `field`: the field of the profile that a declared one rests on here. */
  verify(requirement: string, field?: string): Verify {
    const breach = field !== undefined && this.#isAdvice(requirement, field) ? "advice" : "fail";
    const add = (
      verdict: Verdict,
      what: string,
      expected: string,
      observed: string,
      evidence?: Evidence,
      value?: unknown,
    ): boolean => {
      const found = verdict === "fail" ? breach : verdict;
      return this.add(requirement, found, what, expected, observed, evidence, undefined, value);
    };
    return {
      accepted: (answer) =>
        add(
          verdictOf(answer, answer.accepted),
          `answer of ${answer.operation}`,
          "2xx",
          answer.summary(),
          answer,
        ),
      refused(answer, ...statuses) {
        const isRefusal = answer.status >= 400 && answer.status < 500 && !answer.limitsRate;
        const holds = isRefusal && (statuses.length === 0 || statuses.includes(answer.status));
        const expected = statuses.length === 0 ? "4xx" : statuses.join(" or ");
        return add(
          verdictOf(answer, holds),
          `answer of ${answer.operation}`,
          expected,
          answer.summary(),
          answer,
        );
      },
      equal(observed, expected, what, evidence) {
        const holds = sameValue(observed, expected);
        const parts = holds ? undefined : differingMembers(observed, expected);
        const shown = parts ?? { observed, expected };
        return add(
          verdictOf(evidence, holds),
          parts === undefined ? what : `${what}: members that differ`,
          show(shown.expected),
          show(shown.observed),
          evidence,
          observed,
        );
      },
      that: (holds, { what, expected, observed, evidence, isAboutAnswering = false }) =>
        add(
          verdictOf(isAboutAnswering ? undefined : evidence, holds),
          what,
          expected,
          show(observed),
          evidence,
          observed,
        ),
      notApplicable: (what, reason) => void add("not-applicable", what, "a value to check", reason),
      shape(answer) {
        if (!answer.accepted) {
          return add(
            verdictOf(answer, false),
            `answer of ${answer.operation}`,
            "2xx",
            answer.summary(),
            answer,
          );
        }
        const problems = answer.problems();
        const first = problems[0];
        return add(
          first === undefined ? "pass" : "fail",
          `shape of the answer of ${answer.operation}`,
          first === undefined ? "the stated shape" : `${first.pointer}: ${first.expected}`,
          first === undefined ? "the stated shape" : first.found,
          answer,
        );
      },
      within: ({ name, unit, interval: seen, limits, observers, seenBy }, evidence) => {
        const interval = this.#withoutHostDelay(seen, unit, limits);
        const limitLow = limits.low === undefined ? {} : { limitLow: limits.low };
        const limitHigh = limits.high === undefined ? {} : { limitHigh: limits.high };
        // An interval without an end is no figure; the check reports it.
        if (Number.isFinite(interval.low) && Number.isFinite(interval.high))
          this.measurements.push({
            name,
            unit,
            ...interval,
            ...limitLow,
            ...limitHigh,
            observers: [...observers],
            ...(seenBy === undefined ? {} : { seenBy: [...seenBy] }),
          });
        const expected = limitsText(limits, unit);
        const observed = Number.isFinite(interval.high)
          ? `${interval.low.toFixed(3)} to ${interval.high.toFixed(3)} ${unit}`
          : `at least ${interval.low.toFixed(3)} ${unit}`;
        return add(decide(interval, limits), name, expected, observed, evidence);
      },
    };
  }

  /** A busy machine may have added to a delay: the interval is extended downwards by as much. */
  #withoutHostDelay(interval: Interval, unit: string, limits: Band): Interval {
    const unitMs = millisecondsPer[unit];
    if (unitMs === undefined || limits.high === undefined || interval.high <= limits.high) return interval;
    return { ...interval, low: Math.max(0, interval.low - this.#possibleHostDelayMs() / unitMs) };
  }
}

const millisecondsPer: Readonly<Record<string, number>> = { s: 1000, ms: 1 };

/**
 * Without an answer, or with one that only limits the rate, it is open whether the gateway meets the requirement.
 */
function verdictOf(answer: Evidence | undefined, holds: boolean): Verdict {
  // A stream may also be one too many beside those that other cases hold.
  const limitsRate = answer?.limitsRate ?? (answer?.status === 429 || answer?.status === 503);
  if (answer?.status === 0 || limitsRate) return holds ? "pass" : "inconclusive";
  return holds ? "pass" : "fail";
}

function limitsText({ low, high }: Band, unit: string): string {
  if (low === undefined) return high === undefined ? "any" : `at most ${high} ${unit}`;
  return high === undefined ? `at least ${low} ${unit}` : `${low} to ${high} ${unit}`;
}

function show(value: unknown): string {
  const text = value === undefined ? "no value" : typeof value === "string" ? value : stringifyJson(value);
  return text.length > shownCharacters
    ? `${text.slice(0, shownCharacters)}... (${text.length} characters)`
    : text;
}

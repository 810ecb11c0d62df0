// The course of a soak so far, in bounded memory: made from its journal line by line, also by a process that resumes it.
import { median } from "../../record/index.ts";
import type { SoakEvent } from "../../record/index.ts";
import type { JournalLine, Sample } from "./sample.ts";
import { Series } from "./series.ts";

/** Intervals from which the usual answer time of each operation is taken. */
const intervalsForUsual = 12;
/** An interval with fewer calls of an operation says little about it. */
const leastCalls = 3;
/** Of fewer calls not even the fast ones escape a busy machine: they follow the median of the control. */
const callsWithFastOnes = 10;
const mostEventsOfKind = 100;
/** A poll of a gateway may time out when its field devices stand still for longer. */
const longStallMs = 100;
/** Calls that a gateway answers by asking a field device. */
export const tagCalls: ReadonlySet<string> = new Set(["readTag", "writeTag"]);

export interface OperationTotals {
  calls: number;
  medianSumMs: number;
  intervals: number;
  longestMs: number;
  readonly errors: Map<string, number>;
}

interface Shape {
  readonly counts: boolean;
  readonly control: Sample["control"];
}

/** Fast answers: one in ten is faster. A busy machine changes them least. */
type Part = "lowMs" | "medianMs";
const parts: readonly Part[] = ["lowMs", "medianMs"];
/** What a quantity is compared with: answers of the control to short work, or to long work. */
type Control = Part | "longMs";
/** Fast answers that take at least this long are of long work. */
const longWorkMs = 10;

/** Operations that other load slowed down most in an interval say least about the gateway. */
const indexes = {
  lowMs: { id: "answer-time", title: "Answer time of all operations, fast answers", quantile: 0.25 },
  medianMs: { id: "answer-time-median", title: "Answer time of all operations, median", quantile: 0.5 },
} as const;

type Calls = Sample["operations"][string];

interface Weighted {
  readonly value: number;
  readonly weight: number;
}

export const operationSeries = "operation/";

export class Course {
  readonly series = new Map<string, Series>();
  readonly operations = new Map<string, OperationTotals>();
  readonly changes = { received: 0, lost: 0, repeated: 0, disordered: 0 };
  readonly events = { created: 0, received: 0, lost: 0, repeated: 0 };
  readonly restarts = { ordered: 0, unordered: 0 };
  readonly timeline: SoakEvent[] = [];
  omitted: { action: string; reason: string }[] = [];
  left: string[] = [];
  soakedSec = 0;
  boot = 0;
  /** Longest time in seconds that the gateway did not answer, without a restart that was ordered. */
  readonly #warmUpSec: number;
  /** The first intervals, until the usual answer times are known. */
  #first: { readonly sample: Sample; readonly shape: Shape }[] | undefined = [];
  readonly #usualMs = new Map<string, number>();
  readonly #controls = new Map<string, Control>();
  readonly #eventsOfKind = new Map<string, number>();
  /** Errors of the last interval, counted when the next one shows that no restart followed. */
  #openErrors: (() => void) | undefined;
  #wasDisturbed = false;

  constructor(warmUpSec: number) {
    this.#warmUpSec = warmUpSec;
  }

  take(line: JournalLine): void {
    if (line.kind === "sample") this.#sample(line);
    else if (line.kind === "omitted") this.omitted = line.omitted;
    else if (line.kind === "event") this.#event(line.event);
    else if (line.kind === "end") this.left = line.left;
  }

  #event(event: SoakEvent): void {
    const count = (this.#eventsOfKind.get(event.kind) ?? 0) + 1;
    this.#eventsOfKind.set(event.kind, count);
    if (count <= mostEventsOfKind) this.timeline.push(event);
  }

  /** How many events of the kind there were, shown or not. */
  countOf(kind: SoakEvent["kind"]): number {
    return this.#eventsOfKind.get(kind) ?? 0;
  }

  #sample(sample: Sample): void {
    this.soakedSec = sample.to;
    this.boot = sample.boot;
    const shape: Shape = {
      counts: !sample.disturbed && sample.bootSec - (sample.to - sample.from) >= this.#warmUpSec,
      control: sample.control,
    };
    const add = (id: string, title: string, unit: string, y: number | undefined, part?: Control): void => {
      if (y !== undefined) this.#add({ id, title, unit, y, weight: 1, part }, sample, shape);
    };
    const mib = (bytes: number | undefined): number | undefined => bytes && bytes / 2 ** 20;
    add("memory", "Memory of the gateway", "MiB", mib(sample.memoryBytes));
    add("disk", "Disk of the gateway", "MiB", mib(sample.diskBytes));
    const { changes, events, control, harness } = sample;
    add("stream-latency-low", "Latency of changes, fast ones", "ms", changes?.lowMs, "lowMs");
    add("stream-latency", "Latency of changes, median", "ms", changes?.medianMs, "medianMs");
    add("event-latency", "Latency of events, median", "ms", events?.medianMs, "medianMs");
    add("change-rate", "Changes received", "1/s", changes && changes.received / (sample.to - sample.from));
    add("control", "Answer time of the control", "ms", control?.medianMs);
    add("harness-memory", "Memory of the harness", "MiB", mib(harness.rssBytes));
    for (const name of ["received", "lost", "repeated", "disordered"] as const)
      this.changes[name] += changes?.[name] ?? 0;
    for (const name of ["created", "received", "lost", "repeated"] as const)
      this.events[name] += events?.[name] ?? 0;
    this.restarts.ordered += sample.restarts.ordered;
    this.restarts.unordered += sample.restarts.unordered;
    this.#answerTimes(sample, shape);
    this.#errors(sample);
  }

  #answerTimes(sample: Sample, shape: Shape): void {
    for (const [name, one] of Object.entries(sample.operations)) {
      if (one.calls === 0) continue;
      const totals = this.#totals(name);
      totals.calls += one.calls;
      totals.medianSumMs += one.medianMs;
      totals.intervals += 1;
      totals.longestMs = Math.max(totals.longestMs, one.longestMs);
      const title = `Fast answers of ${name}`;
      const point = {
        id: operationSeries + name,
        title,
        unit: "ms",
        y: one.lowMs,
        weight: one.calls,
        part: this.#comparedWith(name, one, sample.control),
      } as const;
      this.#add(point, sample, shape);
    }
    if (!shape.counts) return;
    if (this.#first === undefined) return this.#index(sample, shape);
    this.#first.push({ sample, shape });
    if (this.#first.length >= intervalsForUsual) this.settleUsual();
  }

  /** Fixes the usual answer time of each operation, from the intervals so far. */
  settleUsual(): void {
    const first = this.#first ?? [];
    this.#first = undefined;
    for (const { sample, shape } of first) this.#index(sample, shape, first);
  }

  /** The answer time of the control with which the fast answers of the operation are compared, always the same. */
  #comparedWith(operation: string, { calls, lowMs }: Calls, control: Sample["control"]): Control {
    const known = this.#controls.get(operation);
    if (known !== undefined) return known;
    const short = calls < callsWithFastOnes ? "medianMs" : "lowMs";
    // Journals of earlier releases have no long work.
    const found = lowMs >= longWorkMs && control?.longMs !== undefined ? "longMs" : short;
    this.#controls.set(operation, found);
    return found;
  }

  /** Answer time of all operations together, each compared with its own usual time. */
  #index(sample: Sample, shape: Shape, first: readonly { readonly sample: Sample }[] = []): void {
    for (const part of parts) {
      const ratios = Object.entries(sample.operations).flatMap(([name, one]): Weighted[] => {
        if (one.calls < leastCalls) return [];
        const usualMs = this.#usual(part, name, () => {
          const known = first.flatMap(({ sample: { operations } }) => operations[name]?.[part] ?? []);
          return median(known.length === 0 ? [one[part]] : known);
        });
        return [{ value: one[part] / usualMs, weight: one.calls }];
      });
      const { id, title, quantile } = indexes[part];
      const ratio = weightedQuantile(ratios, quantile);
      if (ratio === undefined) continue;
      const weight = ratios.reduce((sum, one) => sum + one.weight, 0);
      this.#add({ id, title, unit: "%", y: 100 * ratio, weight, part }, sample, shape);
    }
  }

  #usual(part: Part, operation: string, find: () => number): number {
    const key = `${part} ${operation}`;
    let usualMs = this.#usualMs.get(key);
    if (usualMs === undefined) this.#usualMs.set(key, (usualMs = find()));
    return usualMs;
  }

  /**
   * Calls fail around a restart, also in the interval before it was noticed and in the next one; calls of tags fail when
   * this machine or its field devices stood still.
   */
  #errors(sample: Sample): void {
    if (!sample.disturbed) this.#openErrors?.();
    this.#openErrors = undefined;
    const isExcused = sample.disturbed || this.#wasDisturbed;
    this.#wasDisturbed = sample.disturbed;
    if (isExcused) return;
    const wasStanding = (sample.stallMs ?? 0) > longStallMs;
    this.#openErrors = () => {
      for (const [name, { errors = {} }] of Object.entries(sample.operations)) {
        if (wasStanding && tagCalls.has(name)) continue;
        const totals = this.#totals(name);
        for (const [what, count] of Object.entries(errors))
          totals.errors.set(what, (totals.errors.get(what) ?? 0) + count);
      }
    };
  }

  /** Counts the errors of the last interval too; for the end. */
  settleErrors(): void {
    this.#openErrors?.();
    this.#openErrors = undefined;
  }

  #totals(name: string): OperationTotals {
    let totals = this.operations.get(name);
    if (totals === undefined) {
      totals = { calls: 0, medianSumMs: 0, intervals: 0, longestMs: 0, errors: new Map() };
      this.operations.set(name, totals);
    }
    return totals;
  }

  #add(
    {
      id,
      title,
      unit,
      y,
      weight,
      part,
    }: { id: string; title: string; unit: string; y: number; weight: number; part?: Control | undefined },
    sample: Sample,
    { counts, control }: Shape,
  ): void {
    let series = this.series.get(id);
    if (series === undefined) this.series.set(id, (series = new Series(title, unit)));
    const other = part === undefined ? undefined : control?.[part];
    series.add({
      from: sample.from,
      to: sample.to,
      boot: sample.boot,
      counts,
      y,
      weight,
      ...(other === undefined ? {} : { control: other }),
    });
  }
}

function weightedQuantile(values: readonly Weighted[], quantile: number): number | undefined {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  let left = quantile * sorted.reduce((sum, { weight }) => sum + weight, 0);
  return sorted.find(({ weight }) => (left -= weight) <= 0)?.value;
}

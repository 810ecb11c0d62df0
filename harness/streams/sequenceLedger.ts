// Loss, repeats, order and latency, from the sequence numbers that the rig writes to its registers.
import { Int32Histogram } from "hdr-histogram-js";
import type { Counted } from "../../record/index.ts";

/** Counts of a stream of sequence numbers. */
export interface SequenceTotals {
  readonly received: number;
  /** Numbers that were skipped. */
  readonly lost: number;
  /** Values repeated without a change. */
  readonly repeated: number;
  /** Values out of order: received after a later one. */
  readonly disordered: number;
}

const longestMicroseconds = 60_000_000;

/** A histogram of microseconds, exact to three digits up to a minute. */
export function latencyHistogram(): Int32Histogram {
  return new Int32Histogram(1, longestMicroseconds, 3);
}

/** What the histogram can hold: longer latencies count as a minute. */
function recordable(latencyUs: number): number {
  return Math.min(longestMicroseconds, Math.max(1, Math.round(latencyUs)));
}

/** Every latency of the histogram in milliseconds, and its number of occurrences. */
export function* latenciesMs(latencyUs: Int32Histogram): Generator<Counted> {
  const iterator = latencyUs.recordedValuesIterator;
  iterator.reset();
  while (iterator.hasNext()) {
    const { valueIteratedTo, countAddedInThisIterationStep } = iterator.next();
    yield [valueIteratedTo / 1000, countAddedInThisIterationStep];
  }
}

export class SequenceLedger {
  readonly #last: Float64Array;
  readonly #changedMs: (sequence: number) => number | undefined;
  /** Microseconds from the change at the rig to the value at the client. */
  readonly #latencyUs: Int32Histogram;
  received = 0;
  lost = 0;
  repeated = 0;
  disordered = 0;
  /** When the first lost, repeated or disordered number showed. */
  deviatedMs: number | undefined;

  readonly #first: number;

  /**
   * `first`: the sequence number that counting begins with; lower values, and those that the rig did not write, are the initial state.
   * `changedMs`: when the rig wrote a sequence number to its registers; undefined for numbers it did not write.
   */
  constructor(
    tags: number,
    first: number,
    changedMs: (sequence: number) => number | undefined,
    latencyUs: Int32Histogram,
  ) {
    this.#first = first;
    this.#latencyUs = latencyUs;
    this.#last = new Float64Array(tags).fill(-1);
    this.#changedMs = changedMs;
  }

  take(index: number, sequence: number, receivedMs: number): void {
    const last = this.#last[index] ?? -1;
    if (last < 0) {
      if (sequence >= this.#first && this.#changedMs(sequence) !== undefined) this.#last[index] = sequence;
      return;
    }
    this.#last[index] = sequence;
    this.received += 1;
    if (sequence !== last + 1) this.deviatedMs ??= receivedMs;
    if (sequence === last + 1) {
      const changedMs = this.#changedMs(sequence);
      if (changedMs !== undefined) this.#latencyUs.recordValue(recordable((receivedMs - changedMs) * 1000));
    } else if (sequence === last) this.repeated += 1;
    else if (sequence > last) this.lost += sequence - last - 1;
    else this.disordered += 1;
  }

  /** Counts the numbers that were not received up to the last one that the rig wrote; for the end of a stream. */
  close(lastSequence: number): SequenceTotals {
    for (const last of this.#last) this.lost += last < 0 ? 1 : Math.max(0, lastSequence - last);
    const { received, lost, repeated, disordered } = this;
    return { received, lost, repeated, disordered };
  }

  /** Whether the number was received for every tag. */
  hasAll(sequence: number): boolean {
    return this.#last.every((last) => last >= sequence);
  }
}

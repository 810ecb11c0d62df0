// Calls of the present interval, by operation: a histogram each, emptied at its end.
import { Int32Histogram } from "hdr-histogram-js";
import type { Answer } from "../../harness/index.ts";
import type { Exchange } from "../../record/index.ts";
import type { Sample } from "./sample.ts";

const longestUs = 600_000_000;
const digits = 2;

interface Tallied {
  readonly durationUs: Int32Histogram;
  errors: Map<string, number>;
}

/** What the soak records of each exchange instead of the exchange. */
export class Tally {
  readonly #byOperation = new Map<string, Tallied>();
  readonly #onError: (operation: string, what: string) => void;
  #last = 0;

  constructor(onError: (operation: string, what: string) => void) {
    this.#onError = onError;
  }

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  keep(exchange: Exchange, answer?: Answer): void {
    // A stream is recorded with its head only.
    const name = answer === undefined ? `${exchange.operation} (stream)` : exchange.operation;
    const tallied = this.#of(name);
    const status = exchange.answer?.status ?? 0;
    if (status >= 200 && status < 300) {
      tallied.durationUs.recordValue(
        Math.min(longestUs, Math.max(1, Math.round(exchange.durationMs * 1000))),
      );
    } else
      this.error(
        name,
        status === 0 ? (exchange.noAnswer?.code ?? "no answer") : String(status),
        answer?.summary(),
      );
  }

  error(operation: string, what: string, detail = what): void {
    const { errors } = this.#of(operation);
    errors.set(what, (errors.get(what) ?? 0) + 1);
    this.#onError(operation, detail);
  }

  #of(operation: string): Tallied {
    let tallied = this.#byOperation.get(operation);
    if (tallied === undefined) {
      tallied = { durationUs: new Int32Histogram(1, longestUs, digits), errors: new Map() };
      this.#byOperation.set(operation, tallied);
    }
    return tallied;
  }

  /** The interval so far, and begins the next one. */
  take(): Sample["operations"] {
    const sample: Sample["operations"] = {};
    for (const [operation, tallied] of this.#byOperation) {
      const { durationUs, errors } = tallied;
      const calls = durationUs.totalCount;
      if (calls === 0 && errors.size === 0) continue;
      sample[operation] = {
        calls,
        lowMs: durationUs.getValueAtPercentile(10) / 1000,
        medianMs: durationUs.getValueAtPercentile(50) / 1000,
        p99Ms: durationUs.getValueAtPercentile(99) / 1000,
        longestMs: calls === 0 ? 0 : durationUs.maxValue / 1000,
        ...(errors.size === 0 ? {} : { errors: Object.fromEntries(errors) }),
      };
      durationUs.reset();
      tallied.errors = new Map();
    }
    return sample;
  }
}

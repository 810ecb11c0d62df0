// The recent load of all streams of a gateway, for progress displays. It costs a reader little.
import { median } from "../../record/index.ts";

/** A stretch of time: values a second over it, and sampled latencies where the time of sending is known. */
export interface StreamReading {
  readonly valuesPerSec: number;
  readonly latencyMs?: { readonly median: number; readonly highest: number };
}

const sampleEveryMs = 5;

export class StreamMeter {
  readonly #nowMs: () => number;
  #sinceMs: number;
  #values = 0;
  #sampledMs = 0;
  #latenciesMs: number[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  add(values: number): void {
    this.#values += values;
  }

  /** Whether another latency is wanted by now; working one out costs more than counting. */
  wantsLatency(nowMs: number): boolean {
    return nowMs - this.#sampledMs >= sampleEveryMs;
  }

  latency(nowMs: number, latencyMs: number): void {
    this.#sampledMs = nowMs;
    this.#latenciesMs.push(latencyMs);
  }

  /** Values since the last call; undefined without any. */
  take(): StreamReading | undefined {
    const nowMs = this.#nowMs();
    const seconds = (nowMs - this.#sinceMs) / 1000;
    const values = this.#values;
    const latencies = this.#latenciesMs;
    this.#sinceMs = nowMs;
    this.#values = 0;
    this.#latenciesMs = [];
    if (values === 0 || seconds <= 0) return undefined;
    return {
      valuesPerSec: values / seconds,
      ...(latencies.length === 0
        ? {}
        : { latencyMs: { median: median(latencies), highest: Math.max(...latencies) } }),
    };
  }
}

import { type CampaignRecord, type Counted, type Exchange, distributionOf } from "../../record/index.ts";

/** How long the gateway took to answer each operation, gathered over a campaign. */
export class AnswerTimes {
  readonly #byOperation = new Map<string, Counted[]>();

  /** Exchanges without an answer show how long the harness waited, and are excluded. */
  take(exchanges: readonly Exchange[]): void {
    for (const { operation, answer, durationMs } of exchanges) {
      if (answer === undefined || operation === "raw") continue;
      const all = this.#byOperation.get(operation) ?? [];
      all.push([durationMs, 1]);
      this.#byOperation.set(operation, all);
    }
  }

  /** In milliseconds, operations by name; undefined without any answer. */
  distributions(): CampaignRecord["answerTimes"] {
    const all = distributionOf("all operations", "ms", [...this.#byOperation.values()].flat());
    const operations = [...this.#byOperation]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .flatMap(([operation, durationsMs]) => distributionOf(operation, "ms", durationsMs) ?? []);
    return all && { all, operations };
  }
}

import {
  type Cadence,
  type CaseRecord,
  type Counted,
  type Distribution,
  type LoadTrial,
  distributionOf,
} from "../../record/index.ts";
import type { CaseContext } from "../suite/context.ts";

/** Limits the size of the record: people read and mail it. */
const mostGaps = 1000;

/** Figures that a case records for the report. */
export class RecordedFigures implements NonNullable<CaseContext["keep"]> {
  readonly #distributions: Distribution[] = [];
  readonly #loadTrials: LoadTrial[] = [];
  readonly #cadences: Cadence[] = [];

  distribution(name: string, unit: string, values: Iterable<Counted>): void {
    const one = distributionOf(name, unit, values);
    if (one !== undefined) this.#distributions.push(one);
  }

  loadTrial(trial: LoadTrial): void {
    this.#loadTrials.push({ ...trial, changesPerSec: Math.round(trial.changesPerSec * 10) / 10 });
  }

  cadence({ gapsMs, ...cadence }: Cadence): void {
    const kept = gapsMs.slice(0, mostGaps).map((gapMs) => Math.round(gapMs * 10) / 10);
    this.#cadences.push({ ...cadence, gapsMs: kept });
  }

  /** Adds the figures to the record; a case without figures has no member for them. */
  putInto(record: CaseRecord): void {
    if (this.#distributions.length > 0) record.distributions = this.#distributions;
    if (this.#loadTrials.length > 0) record.loadTrials = this.#loadTrials;
    if (this.#cadences.length > 0) record.cadences = this.#cadences;
  }
}

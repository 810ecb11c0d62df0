// A campaign in the background whose case records can be awaited one by one.
import { join, relative } from "node:path";
import type { Progress, TestCase } from "../../harness/index.ts";
import type { CampaignRecord, CaseRecord } from "../../record/index.ts";
import { headline } from "../../reports/text/headline.ts";
import { reportFiles } from "../../reports/text/reporter.ts";
import { RecordedRun } from "../support/recordedRun.ts";
import { findTarget } from "../support/target.ts";
import type { ConformanceOptions } from "./index.ts";

export class AwaitedCampaign {
  readonly #records = new Map<string, PromiseWithResolvers<CaseRecord | undefined>>();
  readonly #awaited = new Set<string>();
  readonly #interruption = new AbortController();
  readonly #run: RecordedRun;
  readonly #ended: Promise<void>;

  /** Returns when the gateway responds; throws when it does not. `chosen` are the ids that will be awaited. */
  static async start(
    options: ConformanceOptions,
    cases: readonly TestCase[],
    chosen: readonly string[],
  ): Promise<AwaitedCampaign> {
    const isWithoutField = !cases.some(({ equipment }) => equipment?.includes("field-devices") === true);
    const target = await findTarget(options.url, { profile: options.profile, isWithoutField });
    const run = new RecordedRun({
      target,
      cases,
      selection: cases.map(({ id }) => id).join(","),
      level: options.level ?? "nightly",
      seed: options.seed,
      folder: options.out,
    });
    const ready = Promise.withResolvers<void>();
    const campaign = new AwaitedCampaign(run, chosen, ready.resolve);
    await Promise.race([ready.promise, campaign.#ended]);
    return campaign;
  }

  private constructor(run: RecordedRun, chosen: readonly string[], onReady: () => void) {
    this.#run = run;
    for (const id of chosen) this.#records.set(id, Promise.withResolvers());
    const take = (record: CaseRecord): void => this.#records.get(record.id)?.resolve(record);
    const ignore = (): void => undefined;
    const progress: Progress = {
      gatewayReady: onReady,
      planned: ignore,
      started: ignore,
      notApplicable: take,
      finished: take,
      remark: ignore,
      streamed: ignore,
    };
    this.#ended = run
      .run(progress, this.#interruption.signal)
      .then(({ record, failures }) => this.#finish(record, failures))
      .finally(() => run[Symbol.dispose]());
    // Each test that waits reports it, and `end` does.
    this.#ended.catch((thrown: unknown) => {
      for (const pending of this.#records.values()) {
        pending.promise.catch(ignore);
        pending.reject(thrown);
      }
    });
  }

  /** The record of a case; undefined for a shape case without answers. The signal interrupts the campaign. */
  recordOf(id: string, signal: AbortSignal): Promise<CaseRecord | undefined> {
    this.#awaited.add(id);
    signal.addEventListener("abort", () => this.#interruption.abort(signal.reason), { once: true });
    return this.#records.get(id)?.promise ?? Promise.resolve(undefined);
  }

  /** Waits for record and reports; interrupts a campaign of which Vitest has given up tests. */
  async end(): Promise<void> {
    if (this.#awaited.size < this.#records.size)
      this.#interruption.abort(new Error("Vitest ended the tests early"));
    await this.#ended;
  }

  #finish(record: CampaignRecord, failures: readonly string[]): void {
    for (const one of record.cases) this.#records.get(one.id)?.resolve(one);
    for (const pending of this.#records.values()) pending.resolve(undefined);
    const page = relative(process.cwd(), join(this.#run.folder, reportFiles.page));
    console.info([headline(record).title, `Report: ${page}`].join("\n"));
    if (failures.length > 0) throw new Error(failures.join("\n"));
  }
}

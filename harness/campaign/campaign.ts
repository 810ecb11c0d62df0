// One campaign: instances started, cases planned and run, shapes judged, everything rolled up into the record.
import { cpus, release, type as osType } from "node:os";
import { leftOut } from "../../interface/operations/capabilities.ts";
import { prepareTagBrowser, type RunningGateway } from "../../rigs/index.ts";
import type { Clock } from "../clock.ts";
import {
  messageOf,
  type CampaignRecord,
  type CaseRecord,
  type Exchange,
  rollUpRequirements,
  signInLine,
  summarise,
  type Trouble,
} from "../../record/index.ts";
import type { Profile } from "../profile/profile.ts";
import type { TestCase } from "../suite/case.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { AnswerTimes } from "./answerTimes.ts";
import { isDeclared } from "./declarations.ts";
import { lacksRoom } from "./confirmed.ts";
import { Instance } from "./instance.ts";
import { checkHealth } from "./health.ts";
import { inventoryOf } from "./inventory.ts";
import { Schedule } from "./schedule.ts";
import type { Taping } from "./taping.ts";
import type { Progress } from "./progress.ts";
import { ShapeJudge, showsRandomInput } from "./shapes.ts";
import { inapplicable, type Unrun, unrunRecord } from "./unrun.ts";
import { CampaignCoverage } from "../../observation/campaignCoverage.ts";
import { observeShapes } from "../../observation/observe.ts";

export interface CampaignOptions {
  /** Selected cases, in the order of the suite. */
  readonly cases: readonly TestCase[];
  readonly selection: string;
  readonly profile: Profile;
  readonly level: CampaignLevel;
  readonly seed: number;
  readonly clock: Clock;
  readonly suiteVersion: string;
  /** How many gateways may run side by side; more than one only for kinds that the harness starts itself. */
  readonly instances: number;
  /** Starts one of the gateways; the first, number 0, is the one that a rig is wired to. */
  readonly startGateway: (number: number) => Promise<RunningGateway>;
  readonly reproduce: (caseId: string) => string;
  readonly progress: Progress;
  /** Stores a finished case's exchanges, masked. */
  readonly keepExchanges: (caseId: string, exchanges: readonly Exchange[]) => Promise<void>;
  /** Records what the cases observe, for replaying them. */
  readonly taping?: Taping;
  /** Aborted when the campaign is interrupted; all measurements so far are recorded. */
  readonly signal: AbortSignal;
  /** Receives a function that returns everything measured until then, for an interruption. */
  readonly onStarted?: (resultNow: () => CampaignResult) => void;
}

const readMetersEveryMs = 500;

/** More cases without room or precondition than this are not explained by the cases beside them. */
const mostWithoutRoom = 12;

export interface CampaignResult {
  readonly record: CampaignRecord;
  readonly console: RunningGateway["console"];
  readonly consoleChunks: NonNullable<RunningGateway["consoleChunks"]>;
}

export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const startedAt = new Date(options.clock.epochMs()).toISOString();
  const startedMs = options.clock.nowMs();
  await using stack = new AsyncDisposableStack();
  const started = await Promise.allSettled(
    Array.from({ length: options.instances }, async (_, number) => {
      const gateway = await options.startGateway(number);
      const instance = stack.use(
        new Instance(gateway, options.profile, options.clock, { number, taping: options.taping }),
      );
      if (gateway.notStarted === undefined)
        options.progress.gatewayReady(instance.gateway.name, instance.gateway.baseUrl);
      return instance;
    }),
  );
  const instances = started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const refused = started.find((result) => result.status === "rejected");
  const first = instances[0];
  if (first === undefined || refused !== undefined)
    throw refused?.reason ?? new Error("no gateway was started");

  const leases = instances.flatMap(({ gateway }) => gateway.lease?.lost ?? []);
  const signal = AbortSignal.any([options.signal, ...leases]);
  const run = new Run({ ...options, signal }, instances, startedMs);
  const resultNow = (): CampaignResult =>
    resultOf(run, options, { instances, first, startedAt, signal, leases });
  options.onStarted?.(resultNow);
  {
    using _reading = readMeters(instances, options.progress);
    const needsField = options.cases.some(({ equipment }) => equipment?.includes("field-devices") === true);
    if (needsField && first.gateway.servers?.opcua !== undefined) await prepareTagBrowser();
    // Each gateway of the run takes cases at once; the rig is wired to the first.
    const troubles = await Promise.all(
      instances.map(({ connection, gateway }) =>
        checkHealth({
          connection,
          gateway,
          needsField: needsField && gateway === first.gateway,
          note: (text) => run.notes.push(text),
        }),
      ),
    );
    await run.all(troubles.find((trouble) => trouble !== undefined));
    await Promise.all(instances.map((instance) => instance.settle()));
  }
  return resultNow();
}

interface CampaignFacts {
  readonly instances: readonly Instance[];
  readonly first: Instance;
  readonly startedAt: string;
  readonly signal: AbortSignal;
  readonly leases: readonly AbortSignal[];
}

/** Vendor, model and firmware digest, as far as the profile declares them. */
function declaredProduct({
  gateway: { vendor, model, firmwareSha256 },
}: Profile): Pick<CampaignRecord["gateway"], "vendor" | "model" | "firmwareSha256"> {
  return {
    ...(vendor === "" ? {} : { vendor }),
    ...(model === "" ? {} : { model }),
    ...(firmwareSha256 === undefined ? {} : { firmwareSha256 }),
  };
}

function resultOf(
  run: Run,
  options: CampaignOptions,
  { instances, first, startedAt, signal, leases }: CampaignFacts,
): CampaignResult {
  const cases = run.finish();
  const requirements = rollUpRequirements(cases, (id) => isDeclared(id, options.profile, first.gateway));
  const complete = !signal.aborted && run.trouble === undefined;
  const answerTimes = run.answerTimes.distributions();
  const lost = leases.flatMap((lease) => (lease.aborted ? [messageOf(lease.reason)] : []));
  const left = instances.flatMap((instance) => instance.left.changes());
  const certificates = first.connection.transport.tls.shown;
  const notServed = leftOut(options.profile);
  const record: CampaignRecord = {
    format: "rackproof/campaign@1",
    suite: { version: options.suiteVersion, interface: "Core 2.3.0" },
    gateway: {
      kind: first.gateway.kind,
      name: first.gateway.name,
      version: first.gateway.version,
      ...declaredProduct(options.profile),
      baseUrl: first.gateway.baseUrl,
      ...(first.gateway.fault === undefined ? {} : { fault: first.gateway.fault }),
      ...(certificates.length === 0 ? {} : { tls: certificates }),
    },
    profile: {
      name: options.profile.name,
      sha256: options.profile.sha256,
      capabilities: [...options.profile.capabilities].toSorted(),
      ...(notServed.length === 0 ? {} : { notServed }),
    },
    level: options.level,
    seed: options.seed,
    selection: options.selection,
    startedAt,
    endedAt: new Date(options.clock.epochMs()).toISOString(),
    complete,
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      node: process.version,
      os: `${osType()} ${release()}`,
    },
    summary: summarise(cases, requirements, complete),
    requirements,
    cases,
    ...(run.signIn === undefined ? {} : { signIn: run.signIn }),
    ...(answerTimes === undefined ? {} : { answerTimes }),
    coverage: run.coverage.record(options.profile),
    rig: inventoryOf(first.gateway),
    ...(run.trouble === undefined ? {} : { trouble: run.trouble }),
    ...(left.length === 0 ? {} : { left }),
    notes: [...run.notes, ...lost],
  };
  return {
    record,
    console: instances.flatMap(({ gateway }) => gateway.console),
    consoleChunks: instances.flatMap(({ gateway }) => gateway.consoleChunks ?? []),
  };
}

/** Reports the load of the streams a few times a second. */
function readMeters(instances: readonly Instance[], progress: Progress): Disposable {
  const timer = setInterval(() => {
    for (const { connection } of instances) {
      const reading = connection.transport.meter.take();
      if (reading !== undefined) progress.streamed(reading);
    }
  }, readMetersEveryMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

class Run {
  readonly notes: string[] = [];
  /** The lab's trouble that ended the run early. */
  trouble: Trouble | undefined;
  readonly answerTimes = new AnswerTimes();
  readonly coverage = new CampaignCoverage();
  /** How to sign in by hand; undefined before the administrator has signed in. */
  signIn: string | undefined;
  readonly #options: CampaignOptions;
  readonly #instances: readonly Instance[];
  readonly #schedule: Schedule;
  readonly #startedMs: number;
  readonly #records = new Map<string, CaseRecord>();
  readonly #shapes = new ShapeJudge();
  /** Cases that lacked room or their precondition while others ran. */
  readonly #withoutRoom: {
    readonly instance: Instance;
    readonly testCase: TestCase;
    readonly record: CaseRecord;
  }[] = [];

  constructor(options: CampaignOptions, instances: readonly Instance[], startedMs: number) {
    this.#options = options;
    this.#instances = instances;
    this.#startedMs = startedMs;
    const applicable = options.cases.filter((testCase) => this.#isApplicable(testCase));
    this.#schedule = new Schedule(applicable);
    options.progress.planned(applicable.length);
  }

  async all(trouble: Trouble | undefined): Promise<void> {
    this.trouble = trouble;
    if (trouble === undefined) await this.#runAll();
    const left = this.#schedule.waiting;
    for (const testCase of left) this.#keepUnrun(testCase);
    if (this.trouble?.kind === "gateway-lost" && left.length === 0) {
      // The other gateways of the run have done its work.
      this.notes.push(`${this.trouble.expected}: ${this.trouble.found}`);
      this.trouble = undefined;
    }
  }

  /** Starts whatever may start, at the beginning and whenever a case has ended. */
  async #runAll(): Promise<void> {
    const running = new Set<Promise<void>>();
    let ended: string | undefined;
    const start = (site: Instance, testCase: TestCase): void => {
      const work = this.#runOne(site, testCase, ended, () => running.size > 1).finally(() => {
        this.#schedule.done(testCase);
        running.delete(work);
        ended = testCase.id;
      });
      running.add(work);
    };
    for (;;) {
      const isOver = this.#options.signal.aborted;
      const sites = this.#instances.filter(({ trouble }) => !isOver && trouble === undefined);
      for (const site of sites) {
        for (let next = this.#schedule.take(site, sites); next; next = this.#schedule.take(site, sites))
          start(site, next);
      }
      if (running.size === 0) break;
      await Promise.race(running);
    }
    await this.#runWithoutRoom();
    this.trouble ??= this.#instances.find(({ trouble }) => trouble !== undefined)?.trouble;
  }

  /** All records in the order of the suite, the shape cases last. */
  finish(): CaseRecord[] {
    // An interrupted campaign has cases that are still running.
    for (const testCase of this.#options.cases)
      if (!this.#records.has(testCase.id)) this.#keepUnrun(testCase);
    const shapes = this.#shapes.records(this.#options.seed, this.#options.reproduce);
    for (const record of shapes) this.#options.progress.finished(record);
    return [...this.#options.cases.flatMap((testCase) => this.#records.get(testCase.id) ?? []), ...shapes];
  }

  /** Runs each case that lacked room or its precondition once more, when no other case runs. */
  async #runWithoutRoom(): Promise<void> {
    const isTooMany = this.#withoutRoom.length > mostWithoutRoom;
    for (const { instance, testCase, record } of this.#withoutRoom.splice(0)) {
      if (isTooMany || this.#options.signal.aborted || instance.trouble !== undefined)
        this.#options.progress.finished(record);
      else await this.#runOne(instance, testCase, undefined, () => false);
    }
  }

  /** `hasCompany`: asked when the case has ended, whether others ran beside it. */
  async #runOne(
    instance: Instance,
    testCase: TestCase,
    after: string | undefined,
    hasCompany: () => boolean,
  ): Promise<void> {
    const { seed, level, signal, reproduce, progress } = this.#options;
    progress.started(testCase.id);
    const fromMs = this.#sinceStartMs();
    const { record, exchanges, answers, cells } = await instance.run(testCase, {
      seed,
      level,
      signal,
      reproduce,
      checked: (check) => progress.checked?.(testCase.id, check),
    });
    await this.#shapes.take(testCase.id, answers);
    this.coverage.take(cells);
    if (!showsRandomInput(testCase.id)) this.coverage.take(await observeShapes(answers));
    this.answerTimes.take(exchanges);
    this.signIn ??= this.#signInLine(exchanges);
    const ran = {
      gateway: instance.number,
      fromMs,
      untilMs: this.#sinceStartMs(),
      ...(after === undefined ? {} : { after }),
    };
    this.#records.set(testCase.id, { ...record, ran });
    await this.#options.keepExchanges(testCase.id, exchanges);
    if (lacksRoom({ record, exchanges }) && hasCompany())
      this.#withoutRoom.push({ instance, testCase, record });
    else progress.finished(record);
  }

  #sinceStartMs(): number {
    return Math.round(this.#options.clock.nowMs() - this.#startedMs);
  }

  #signInLine(exchanges: readonly Exchange[]): string | undefined {
    const name = JSON.stringify(this.#options.profile.credentials.name);
    const found = exchanges.find(
      ({ operation, request, answer }) =>
        operation === "signIn" && answer?.status === 200 && request.body?.includes(name) === true,
    );
    return found && signInLine(found);
  }

  #isApplicable(testCase: TestCase): boolean {
    const gateways = this.#instances.map(({ gateway }) => gateway);
    const why = inapplicable(testCase, gateways, this.#options.profile);
    if (why !== undefined) this.#keep(testCase, why);
    return why === undefined;
  }

  #keepUnrun(testCase: TestCase): void {
    const why = this.#options.signal.aborted
      ? "the campaign was interrupted before it ran"
      : this.trouble?.kind === "health-check"
        ? "the health check failed"
        : this.trouble?.kind === "tls-changed"
          ? "the certificate changed"
          : "the gateway was lost";
    this.#keep(testCase, { verdict: "inconclusive", reasonCode: "not-run", reason: `not run: ${why}` });
  }

  #keep(testCase: TestCase, why: Unrun): void {
    const record = unrunRecord(testCase, this.#options.seed, why);
    this.#records.set(testCase.id, record);
    if (why.verdict === "not-applicable") this.#options.progress.notApplicable?.(record);
  }
}

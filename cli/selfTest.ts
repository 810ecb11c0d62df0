// `rackproof selftest`: runs the suite against gateways with one injected fault each and reports which are detected.
import { cpus } from "node:os";
import { join } from "node:path";
import { requirements } from "../interface/requirements/index.ts";
import { selfTestMarkdown } from "../reports/selftest/selfTestMarkdown.ts";
import { killLine, selfTestSummary } from "../reports/selftest/killTable.ts";
import { type FaultEntry, listFaults } from "../alterations/faults/index.ts";
import { removeLeftovers } from "../rigs/index.ts";
import { suite } from "../suites/index.ts";
import { monotonicClock, runCampaign, shapeCases } from "../harness/index.ts";
import type { CampaignLevel } from "../interface/vocabulary/levels.ts";
import {
  type CampaignRecord,
  type FaultResult,
  type SelfTestRecord,
  type SuiteFacts,
  writeWhole,
} from "../record/index.ts";
import { roundsFor } from "../workflows/selftest/choose.ts";
import { faultsFor, poolOf } from "../workflows/selftest/faultChoice.ts";
import { factsOf, fallenSilent, readFacts, writeFacts } from "../workflows/selftest/facts.ts";
import { gapsOf, resultOf } from "../workflows/selftest/outcome.ts";
import { Workers } from "../workflows/selftest/workers.ts";
import { onInterrupt } from "./support/interrupt.ts";
import type { FaultAnswer, FaultTask } from "./support/selfTestWorker.ts";
import { findTarget } from "./support/target.ts";
import { suiteVersion } from "./support/version.ts";

export interface SelfTestOptions {
  /** Patterns of fault ids or requirements, joined by commas; all faults without it. */
  readonly select?: string;
  /** Injects derived faults in place of the written ones. */
  readonly derived?: boolean;
  /** Size of a random sample, chosen by the seed; without `derived`, a tenth of it are derived faults. */
  readonly sample?: number;
  readonly seed?: number;
  readonly level: CampaignLevel;
  readonly workers?: number;
  readonly out?: string;
  /** Runs the fault-free gateway first and compares its checks with the baseline. */
  readonly facts?: boolean;
  /** Stores the checks of this run as the new baseline. */
  readonly accept?: boolean;
  readonly json?: boolean;
}

const factsFile = new URL("../workflows/selftest/facts.json", import.meta.url);
const taskDeadlineMs = 240_000;
/** Minimum share of the faults that are detected by the requirement that they break. */
const rightShare = 0.95;

/** Returns the exit code: 0 when every fault was detected, nearly all by the right requirement, and no check was lost. */
export async function selfTest(options: SelfTestOptions): Promise<number> {
  const startedAt = new Date(monotonicClock.epochMs()).toISOString();
  const seed = options.seed ?? 1;
  const all = listFaults();
  const faults = faultsFor(all, options, seed);
  const folder = options.out ?? join("runs", `${startedAt.slice(0, 19).replaceAll(":", "-")}-selftest`);
  const say = (line: string): void =>
    void (options.json === true ? process.stderr : process.stdout).write(`${line}\n`);
  await removeLeftovers();
  const before = await readFacts(factsFile);
  const facts =
    options.facts === true || options.accept === true ? await measureFacts(options.level, seed, say) : before;
  if (options.accept === true) await writeFacts(factsFile, facts);
  const results = await runFaults(faults, facts, { ...options, seed }, say);
  const covered = new Set([
    ...suite.flatMap((one) => one.requirements),
    ...shapeCases.flatMap((one) => one.requirements),
  ]);
  const record: SelfTestRecord = {
    format: "rackproof/selftest@1",
    suite: suiteVersion,
    level: options.level,
    seed,
    startedAt,
    endedAt: new Date(monotonicClock.epochMs()).toISOString(),
    machine: { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length },
    faults: poolOf(all, options).length,
    results,
    gaps: gapsOf(all, requirements, (id) => covered.has(id)),
    fallenSilent: options.accept === true ? [] : fallenSilent(before, facts),
  };
  await writeWhole(join(folder, "selftest.json"), `${JSON.stringify(record, null, 1)}\n`);
  await writeWhole(join(folder, "selftest.md"), selfTestMarkdown(record));
  if (options.json === true) process.stdout.write(`${JSON.stringify({ folder, results: results.length })}\n`);
  say(selfTestSummary(record));
  say(`\n${join(folder, "selftest.md")}`);
  return isGood(record) ? 0 : 1;
}

function isGood({ results, fallenSilent: silenced }: SelfTestRecord): boolean {
  const isDetected = ({ outcome }: FaultResult): boolean => outcome.startsWith("killed");
  const right = results.filter(({ outcome }) => outcome === "killed").length;
  return results.every(isDetected) && right >= results.length * rightShare && silenced.length === 0;
}

/** Runs every fault, the longest first. */
async function runFaults(
  faults: readonly FaultEntry[],
  facts: SuiteFacts,
  options: SelfTestOptions & { readonly seed: number },
  say: (line: string) => void,
): Promise<FaultResult[]> {
  const durations = new Map(facts.cases.map(({ id, durationMs }) => [id, durationMs]));
  const plans = faults.map((fault) => {
    const rounds = roundsFor(fault, suite, facts);
    const costMs = (rounds[0] ?? []).reduce((sum, { id }) => sum + (durations.get(id) ?? 1000), 0);
    return { fault, rounds, costMs, startedMs: 0, answers: [] as (CampaignRecord | Error)[], round: 0 };
  });
  await using workers = new Workers<FaultTask, FaultAnswer>({
    program: new URL("./support/selfTestWorker.ts", import.meta.url),
    count: options.workers ?? cpus().length * 2,
    deadlineMs: taskDeadlineMs,
  });
  using interrupted = onInterrupt();
  interrupted.signal.addEventListener("abort", () => void workers[Symbol.asyncDispose]());
  const results: FaultResult[] = [];
  const startsMs = monotonicClock.nowMs();
  let waiting = plans.toSorted((a, b) => b.costMs - a.costMs);
  while (waiting.length > 0 && !interrupted.signal.aborted) {
    const next: typeof waiting = [];
    const byTask = new Map(
      waiting.map((plan): [FaultTask, typeof plan] => {
        const cases = (plan.rounds[plan.round] ?? []).map(({ id }) => id);
        return [
          { fault: plan.fault.id, cases, level: plan.fault.level ?? options.level, seed: options.seed },
          plan,
        ];
      }),
    );
    await workers.run([...byTask.keys()], (task, answer) => {
      const plan = byTask.get(task);
      // An interrupted round shows nothing about its fault.
      if (plan === undefined || (interrupted.signal.aborted && answer instanceof Error)) return;
      plan.answers.push(
        answer instanceof Error ? answer : "record" in answer ? answer.record : new Error(answer.error),
      );
      const tookMs = plan.answers.reduce((sum, one) => sum + (one instanceof Error ? 0 : spanMs(one)), 0);
      const result = resultOf(plan.fault, plan.answers, tookMs);
      plan.round += 1;
      if (!result.outcome.startsWith("killed") && plan.round < plan.rounds.length) next.push(plan);
      else {
        results.push(result);
        say(killLine(result, results.length, faults.length, monotonicClock.nowMs() - startsMs));
      }
    });
    waiting = next;
  }
  return results.toSorted(
    (a, b) => a.requirement.localeCompare(b.requirement) || a.fault.localeCompare(b.fault),
  );
}

function spanMs({ startedAt, endedAt }: CampaignRecord): number {
  return Date.parse(endedAt) - Date.parse(startedAt);
}

/** Runs the whole suite against the fault-free gateway. */
async function measureFacts(
  level: CampaignLevel,
  seed: number,
  say: (line: string) => void,
): Promise<SuiteFacts> {
  say("running the fault-free gateway to compare its checks with the baseline");
  const target = await findTarget("process", {});
  const operations = new Map<string, readonly string[]>();
  const { record } = await runCampaign({
    cases: suite,
    selection: "",
    profile: target.profile,
    level,
    seed,
    clock: monotonicClock,
    suiteVersion,
    instances: target.instances,
    startGateway: target.start,
    reproduce: (caseId) => `rackproof run process --seed ${seed} --select '${caseId}'`,
    progress: {
      gatewayReady: () => undefined,
      planned: () => undefined,
      started: () => undefined,
      finished: () => undefined,
      remark: say,
      streamed: () => undefined,
    },
    keepExchanges: (caseId, exchanges) => {
      operations.set(
        caseId,
        // A rejection does not contain the stated answer.
        exchanges
          .filter(({ answer }) => answer !== undefined && answer.status >= 200 && answer.status < 300)
          .map(({ operation }) => operation),
      );
      return Promise.resolve();
    },
    signal: new AbortController().signal,
  });
  const { verdict } = record.summary;
  const undecided = record.cases.filter((one) => one.verdict !== "pass" && one.verdict !== "not-applicable");
  if (verdict !== "conformant")
    throw new Error(
      `the fault-free gateway was found ${verdict} (${undecided.map((one) => `${one.id}: ${one.verdict}`).join(", ")}). Fix: run "rackproof run process --seed ${seed}" and read its report`,
    );
  return factsOf(record, (caseId) => operations.get(caseId) ?? []);
}

// `rackproof run`: runs one campaign against one gateway.
import { randomInt } from "node:crypto";
import { join, relative } from "node:path";
import { suite } from "../suites/index.ts";
import { writeReports } from "../reports/registry.ts";
import { reportFiles } from "../reports/text/reporter.ts";
import { printSummary } from "../reports/text/terminal.ts";
import { type RunningGateway, removeLeftovers } from "../rigs/index.ts";
import { type CampaignResult, monotonicClock, runCampaign, select } from "../harness/index.ts";
import type { CampaignLevel } from "../interface/vocabulary/levels.ts";
import {
  type CampaignRecord,
  type Exchange,
  maskExchange,
  maskText,
  readExchanges,
  writeCampaign,
  writeExchanges,
  writeWhole,
} from "../record/index.ts";
import { leaseVariable } from "../workflows/leases/lease.ts";
import { ConsoleTail } from "../workflows/live/consoleTail.ts";
import { LiveLog, liveProgress, together } from "../workflows/live/liveLog.ts";
import {
  compareWithExpected,
  type ExpectationResult,
  expectedTitle,
  readExpectedFailures,
} from "../workflows/expectedFailures/expectedFailures.ts";
import { knownCases } from "./support/knownCases.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { appendToJobSummary } from "./support/jobSummary.ts";
import { progressDisplay } from "./support/progressDisplay.ts";
import { findTarget, type TargetOptions } from "./support/target.ts";
import { suiteVersion } from "./support/version.ts";
import { startWatchServer } from "./support/watchServer.ts";

export interface RunOptions extends TargetOptions {
  readonly select: string;
  readonly level: CampaignLevel;
  readonly seed?: number;
  readonly out?: string;
  /** File that lists known and accepted failures. */
  readonly expectedFailures?: string;
  readonly json?: boolean;
  /** Where the live view is served during the run, as HOST:PORT. */
  readonly watch?: string;
  /** Prints every exchange of the cases. */
  readonly verbose?: boolean;
}

const maxSeed = 2 ** 31 - 1;

/** Returns the exit code: 0 conformant, 1 a stated requirement failed, 3 inconclusive, 130 interrupted. */
export async function run(gateway: string, options: RunOptions): Promise<number> {
  const expected =
    options.expectedFailures === undefined
      ? undefined
      : await readExpectedFailures(options.expectedFailures, knownCases);
  const cases = select(suite, options.select);
  const isWithoutField = !cases.some(({ equipment }) => equipment?.includes("field-devices") === true);
  const target = await findTarget(gateway, { ...options, isWithoutField });
  const seed = options.seed ?? randomInt(1, maxSeed);
  const folder = options.out ?? join("runs", `${timeStamp(monotonicClock.epochMs())}-${target.name}`);
  // A night renews this run's lease; without the night the run must end.
  const isOfNight = process.env[leaseVariable] !== undefined;
  let written: Promise<string[]> | undefined;
  let resultNow: (() => CampaignResult) | undefined;
  using interrupted = onInterrupt({
    alsoWhenInputEnds: isOfNight,
    beforeForcedEnd: async () => {
      // Nothing was measured before the campaign began; what is being written needs no second writing.
      if (resultNow !== undefined) await (written ??= writeRun(folder, resultNow()));
    },
  });
  using live = new LiveLog(folder, monotonicClock);
  live.tell({ kind: "campaign", gateway: target.name, level: options.level, selection: options.select });
  using consoles = new ConsoleTail(live);
  await using watched =
    options.watch === undefined ? undefined : await startWatchServer(folder, options.watch);
  if (watched !== undefined) process.stderr.write(`rackproof: live view: ${watched.url}\n`);
  for (const removed of await removeLeftovers())
    process.stderr.write(`rackproof: removed leftover of an earlier run: ${removed}\n`);
  using progress = progressDisplay(options.json === true ? process.stderr : process.stdout);
  const tokenHeaders = [target.profile.token.header, target.profile.tagToken.header];
  const result = await runCampaign({
    cases,
    selection: options.select,
    profile: target.profile,
    level: options.level,
    seed,
    clock: monotonicClock,
    suiteVersion,
    instances: Math.min(target.instances, cases.length === 1 ? 1 : target.instances),
    startGateway: async (number) => {
      const started = await target.start(number);
      consoles.follow(started);
      return started;
    },
    reproduce: (caseId) =>
      ["rackproof", "run", ...target.words, "--seed", seed, "--select", `'${caseId}'`].join(" "),
    progress: together(progress, liveProgress(live)),
    keepExchanges: (caseId, exchanges) =>
      writeExchanges(
        folder,
        caseId,
        exchanges.map((exchange) => maskExchange(exchange, tokenHeaders)),
      ),
    signal: interrupted.signal,
    onStarted: (now) => (resultNow = now),
  });
  const { record } = result;
  const failures = await (written ??= writeRun(folder, result));
  live.tell({ kind: "ended", text: record.summary.verdict });
  failures.push(...(await appendToJobSummary(folder, process.env)));
  progress[Symbol.dispose]();
  for (const failure of failures) process.stderr.write(`rackproof: ${failure}\n`);
  if (options.verbose === true) await printExchanges(folder, record);
  if (options.json === true) process.stdout.write(`${JSON.stringify({ ...record.summary, seed, folder })}\n`);
  else printSummary(record, relative(process.cwd(), join(folder, reportFiles.page)), process.stdout);
  const comparison = expected === undefined ? undefined : compareWithExpected(record, expected);
  for (const entry of comparison?.stale ?? []) {
    process.stderr.write(
      `rackproof: ${expectedTitle(entry)} is listed as an expected failure (${entry.reason}) and passed. Fix: remove the entry\n`,
    );
  }
  return exitCode(record, interrupted.signal.aborted, failures.length > 0, comparison);
}

/** Writes record, console and reports into the run's folder; returns one line for each report that failed. */
async function writeRun(
  folder: string,
  { record, console, consoleChunks }: CampaignResult,
): Promise<string[]> {
  await writeCampaign(folder, record);
  await writeWhole(join(folder, "console.log"), consoleText(console));
  if (consoleChunks.length > 0)
    await writeWhole(join(folder, "console-raw.jsonl"), rawConsoleText(consoleChunks));
  return writeReports(record, await exchangesOfOpenCases(folder, record), folder);
}

function exitCode(
  record: CampaignRecord,
  wasInterrupted: boolean,
  reportFailed: boolean,
  comparison: ExpectationResult | undefined,
): number {
  if (wasInterrupted) return 130;
  if (comparison !== undefined && record.summary.verdict !== "inconclusive") {
    if (comparison.unexpected.length > 0 || comparison.stale.length > 0) return 1;
    return reportFailed || comparison.isUndecided ? 3 : 0;
  }
  if (record.summary.verdict === "non-conformant") return 1;
  return record.summary.verdict === "conformant" && !reportFailed ? 0 : 3;
}

async function exchangesOfOpenCases(
  folder: string,
  record: CampaignRecord,
): Promise<(caseId: string) => readonly Exchange[]> {
  const loaded = new Map<string, readonly Exchange[]>();
  for (const { id, verdict, checks } of record.cases) {
    if (verdict === "pass" || verdict === "not-applicable") continue;
    // A shape case refers to exchanges of the cases that observed the breach.
    for (const caseId of new Set([id, ...checks.flatMap((check) => check.exchangeCase ?? [])])) {
      if (!loaded.has(caseId)) loaded.set(caseId, await readExchanges(folder, caseId));
    }
  }
  return (caseId) => loaded.get(caseId) ?? [];
}

async function printExchanges(folder: string, record: CampaignRecord): Promise<void> {
  for (const { id } of record.cases) {
    for (const { number, request, answer, noAnswer } of await readExchanges(folder, id)) {
      const status =
        answer === undefined ? (noAnswer?.message ?? "no answer") : `${answer.status} ${answer.body}`;
      process.stdout.write(
        `${number}. ${request.method} ${request.url} ${request.body ?? ""}\n   ${status}\n`,
      );
    }
  }
}

function consoleText(lines: RunningGateway["console"]): string {
  return lines
    .toSorted((a, b) => a.monotonicMs - b.monotonicMs)
    .map(
      (line) =>
        `${new Date(line.epochMs).toISOString()} ${line.monotonicMs.toFixed(3)} ${maskText(line.text)}\n`,
    )
    .join("");
}

/** One JSON object a line; bytes in base64, because a chunk may end within a character. */
function rawConsoleText(chunks: NonNullable<RunningGateway["consoleChunks"]>): string {
  return chunks
    .toSorted((a, b) => a.monotonicMs - b.monotonicMs)
    .map(({ direction, monotonicMs, epochMs, bytes }) =>
      JSON.stringify({
        at: new Date(epochMs).toISOString(),
        monotonicMs,
        direction,
        // Secrets that the gateway prints are masked as in console.log.
        base64: Buffer.from(maskText(bytes.toString("latin1")), "latin1").toString("base64"),
      }),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** UTC without characters that file systems reject: 2026-03-01T07-00-00. */
function timeStamp(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replaceAll(":", "-");
}

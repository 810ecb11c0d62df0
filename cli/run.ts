// `rackproof run`: runs one campaign against one gateway.
import { join, relative } from "node:path";
import { suite } from "../suites/index.ts";
import { reportFiles } from "../reports/text/reporter.ts";
import { timeText } from "../reports/text/timeText.ts";
import { printSummary } from "../reports/text/terminal.ts";
import { removeLeftovers } from "../rigs/index.ts";
import { select, type TestCase, waitReason } from "../harness/index.ts";
import type { CampaignLevel } from "../interface/vocabulary/levels.ts";
import { type CampaignRecord, readExchanges, testsNothingStated } from "../record/index.ts";
import { leaseVariable } from "../workflows/leases/lease.ts";
import {
  compareWithExpected,
  type ExpectationResult,
  expectedTitle,
  readExpectedFailures,
} from "../workflows/expectedFailures/expectedFailures.ts";
import { acceptChallenge } from "./support/challengeFile.ts";
import { expectedNow } from "./support/expectedNow.ts";
import { knownCases } from "./support/knownCases.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { appendToJobSummary } from "./support/jobSummary.ts";
import { progressDisplay } from "./support/progressDisplay.ts";
import { readLogKey } from "./support/logKey.ts";
import { RecordedRun } from "./support/recordedRun.ts";
import { findTarget, type TargetOptions } from "./support/target.ts";
import { startWatchServer } from "./support/watchServer.ts";

export interface RunOptions extends TargetOptions {
  readonly select: string;
  readonly level: CampaignLevel;
  readonly seed?: number;
  readonly out?: string;
  /** File with the private key of the lab, which signs the record. */
  readonly key?: string;
  /** File of a certifier's challenge, which gives the seed. */
  readonly challenge?: string;
  /** File that lists known and accepted failures. */
  readonly expectedFailures?: string;
  readonly json?: boolean;
  /** Where the live view is served during the run, as HOST:PORT. */
  readonly watch?: string;
  /** Prints which cases determined the duration, and what each waited for. */
  readonly explainTime?: boolean;
  /** Prints every exchange of the cases. */
  readonly verbose?: boolean;
}

/** Returns the exit code: 0 conformant, or no stated requirement selected and all cases passed, 1 a stated requirement failed, 3 inconclusive, 130 interrupted. */
export async function run(gateway: string, options: RunOptions): Promise<number> {
  const expected =
    options.expectedFailures === undefined
      ? undefined
      : expectedNow(await readExpectedFailures(options.expectedFailures, knownCases));
  const cases = select(suite, options.select);
  const isWithoutField = !cases.some(({ equipment }) => equipment?.includes("field-devices") === true);
  const target = await findTarget(gateway, { ...options, isWithoutField, alsoUnreachable: true });
  // A night renews this run's lease; without the night the run must end.
  const isOfNight = process.env[leaseVariable] !== undefined;
  const challenge =
    options.challenge === undefined ? undefined : await acceptChallenge(options.challenge, options.seed);
  using recorded = new RecordedRun({
    target,
    cases,
    selection: options.select,
    level: options.level,
    seed: challenge?.seed ?? options.seed,
    challenge: challenge?.envelope,
    folder: options.out,
    key: options.key === undefined ? undefined : await readLogKey(options.key),
  });
  const { folder, seed } = recorded;
  using interrupted = onInterrupt({
    alsoWhenInputEnds: isOfNight,
    beforeForcedEnd: () => recorded.writeNow(),
  });
  await using watched =
    options.watch === undefined ? undefined : await startWatchServer(folder, options.watch);
  if (watched !== undefined) process.stderr.write(`rackproof: live view: ${watched.url}\n`);
  for (const removed of await removeLeftovers())
    process.stderr.write(`rackproof: removed leftover of an earlier run: ${removed}\n`);
  using progress = progressDisplay(options.json === true ? process.stderr : process.stdout);
  const { record, failures } = await recorded.run(progress, interrupted.signal);
  failures.push(...(await appendToJobSummary(folder, process.env)));
  progress[Symbol.dispose]();
  for (const failure of failures) process.stderr.write(`rackproof: ${failure}\n`);
  if (options.verbose === true) await printExchanges(folder, record);
  if (options.json === true) process.stdout.write(`${JSON.stringify({ ...record.summary, seed, folder })}\n`);
  else printSummary(record, relative(process.cwd(), join(folder, reportFiles.page)), process.stdout);
  if (options.explainTime === true)
    explainTime(record, options.json === true ? process.stderr : process.stdout);
  const comparison = expected === undefined ? undefined : compareWithExpected(record, expected);
  for (const entry of comparison?.stale ?? []) {
    process.stderr.write(
      `rackproof: ${expectedTitle(entry)} is listed as an expected failure (${entry.reason}) and passed. Fix: remove the entry\n`,
    );
  }
  return exitCode(record, interrupted.signal.aborted, failures.length > 0, comparison);
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
  const isPassed = record.summary.verdict === "conformant" || testsNothingStated(record);
  return isPassed && !reportFailed ? 0 : 3;
}

function explainTime(record: CampaignRecord, stream: NodeJS.WriteStream): void {
  const known = (id: string): TestCase | undefined => suite.find((one) => one.id === id);
  const reason = (id: string, after: string): string => {
    const [testCase, previous] = [known(id), known(after)];
    return testCase === undefined || previous === undefined ? after : waitReason(testCase, previous);
  };
  stream.write(timeText(record, reason, stream.isTTY ? stream.columns : undefined));
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

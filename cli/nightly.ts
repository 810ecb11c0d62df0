// `rackproof nightly`: runs every gateway of a rack, stores the history and reports changes since the last night.
import { randomInt } from "node:crypto";
import { access, mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { requirements } from "../interface/requirements/index.ts";
import { trendPage } from "../reports/trend/trendPage.ts";
import { changeLines, turnLine } from "../reports/trend/trendText.ts";
import { removeLeftovers } from "../rigs/index.ts";
import { suite } from "../suites/index.ts";
import { type RackGateway, checkWires, monotonicClock, readRack, select, wiresOf } from "../harness/index.ts";
import type { CampaignLevel } from "../interface/vocabulary/levels.ts";
import { readExpectedFailures } from "../workflows/expectedFailures/expectedFailures.ts";
import { fleetOfTrend } from "../workflows/history/fleetOfTrend.ts";
import { History } from "../workflows/history/history.ts";
import { readTrend } from "../workflows/history/trend.ts";
import { LiveLog } from "../workflows/live/liveLog.ts";
import { attemptByProcess } from "../workflows/nightly/attempt.ts";
import { type NightGateway, runNight } from "../workflows/nightly/night.ts";
import { planGateway } from "../workflows/nightly/plan.ts";
import { nightFile, nightFormat, removeOldNights } from "../workflows/nightly/retention.ts";
import { UsageError, messageOf, writeWhole } from "../record/index.ts";
import { expectedNow } from "./support/expectedNow.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { launcherFile } from "./support/launcher.ts";
import { findTarget } from "./support/target.ts";
import { knownCases } from "./support/knownCases.ts";
import { openNotify, tellAfterNight } from "./support/tellPeople.ts";
import { suiteVersion } from "./support/version.ts";
import { startWatchServer } from "./support/watchServer.ts";

export interface NightlyOptions {
  readonly rack: string;
  readonly select: string;
  readonly level: CampaignLevel;
  readonly seed?: number;
  /** Folder of all nights. */
  readonly out: string;
  readonly parallel?: number;
  readonly retries: number;
  /** Number of newest nights whose folders remain; all when absent. */
  readonly keep?: number;
  readonly limitMin: number;
  readonly waitMin: number;
  /** Where the live view is served during the run, as HOST:PORT. */
  readonly watch?: string;
  readonly json?: boolean;
  /** List of quarantined requirements. */
  readonly expectedFailures?: string;
  /** File that says who is notified. */
  readonly notify?: string;
}

const maxSeed = 2 ** 31 - 1;
const msPerMin = 60_000;

/** Returns the exit code: the worst of the gateways', as of `run`. */
export async function nightly(options: NightlyOptions): Promise<number> {
  const gateways = await readRack(options.rack);
  if (gateways.length === 0)
    throw new UsageError("RACK_EMPTY", `rack ${options.rack}: expected at least one gateway, found none`);
  select(suite, options.select);
  const quarantined =
    options.expectedFailures === undefined
      ? []
      : expectedNow(await readExpectedFailures(options.expectedFailures, knownCases));
  const notifier = options.notify === undefined ? undefined : await openNotify(options.notify);
  const say = (line: string): void =>
    void (options.json === true ? process.stderr : process.stdout).write(`${line}\n`);
  using history = new History(join(options.out, "history.db"));
  for (const startedAt of history.settleKilled())
    say(`the night of ${startedAt} was killed; its results so far are stored`);
  for (const removed of await removeLeftovers()) say(`removed leftover of an earlier run: ${removed}`);
  const nightGateways = await Promise.all(gateways.map((gateway) => toNightGateway(gateway, options)));
  const folderName = await newFolder(options.out);
  const folder = join(options.out, folderName);
  await writeWhole(join(folder, nightFile), planText(folderName, nightGateways, options));
  using interrupted = onInterrupt();
  using live = new LiveLog(folder, monotonicClock);
  await using watched =
    options.watch === undefined ? undefined : await startWatchServer(folder, options.watch);
  if (watched !== undefined) say(`live view: ${watched.url}`);
  const parallel = options.parallel ?? availableParallelism();
  say(`${nightGateways.length} gateways, ${parallel} at a time; ${folder}`);
  const stated = new Set<string>(requirements.filter(({ level }) => level === "stated").map(({ id }) => id));
  const { id, exitCode, turns } = await runNight({
    gateways: nightGateways,
    rackWords: ["--rack", options.rack],
    rack: options.rack,
    level: options.level,
    selection: options.select,
    seed: options.seed ?? randomInt(1, maxSeed),
    retries: options.retries,
    parallel,
    limitMs: options.limitMin * msPerMin,
    waitMs: options.waitMin * msPerMin,
    history,
    folder,
    folderName,
    suiteVersion,
    clock: monotonicClock,
    signal: interrupted.signal,
    checkWires: ({ gateway }, place) => checkWires(gateway, place),
    runAttempt: attemptByProcess(launcherFile()),
    isStated: (requirement) => stated.has(requirement),
    quarantined,
    tell: (news) => live.tell(news),
    finished: (turn) => say(turnLine(turn)),
  });
  const trend = readTrend(history, id);
  const page = join(options.out, "trend.html");
  await writeWhole(page, trendPage(trend));
  for (const line of changeLines(trend.changes, trend.nights.length === 1)) say(line);
  if (options.keep !== undefined)
    for (const line of await removeOldNights(options.out, history, options.keep)) say(line);
  say(relative(process.cwd(), page));
  if (notifier !== undefined)
    await tellAfterNight(notifier, () => Promise.resolve(fleetOfTrend(trend)), trend.rack, say);
  if (options.json === true) {
    const outcomes = turns.map(({ gateway, outcome, reason }) => ({ gateway, outcome, reason }));
    process.stdout.write(
      `${JSON.stringify({ night: id, folder, exitCode, gateways: outcomes, changes: trend.changes })}\n`,
    );
  }
  return exitCode;
}

/** A profile that cannot be read excludes its gateway and not the whole night. */
async function toNightGateway(
  gateway: RackGateway,
  { rack, select: selection }: NightlyOptions,
): Promise<NightGateway> {
  const base = { name: gateway.name, wires: wiresOf(gateway, rack) };
  try {
    const { profile } = await findTarget(gateway.name, { rack });
    return { ...base, plan: planGateway(suite, selection, gateway, profile) };
  } catch (thrown) {
    return {
      ...base,
      plan: planGateway(suite, selection, gateway, undefined),
      unusable: messageOf(thrown),
    };
  }
}

/** The list of planned cases, written before the first run. */
function planText(folder: string, gateways: readonly NightGateway[], options: NightlyOptions): string {
  const plan = gateways.map(({ name, plan: { expected, leftOut } }) => ({
    gateway: name,
    expected: expected.map((one) => one.id),
    leftOut: Object.fromEntries(leftOut),
  }));
  const { rack, level, select: selection } = options;
  return `${JSON.stringify({ format: nightFormat, folder, rack, level, selection, plan }, null, 1)}\n`;
}

/** A new folder for this night. */
async function newFolder(nights: string): Promise<string> {
  await mkdir(nights, { recursive: true });
  const stamp = new Date(monotonicClock.epochMs()).toISOString().slice(0, 19).replaceAll(":", "-");
  for (let number = 1; ; number++) {
    const name = number === 1 ? stamp : `${stamp}-${number}`;
    const exists = await access(join(nights, name)).then(
      () => true,
      () => false,
    );
    if (exists) continue;
    await mkdir(join(nights, name));
    return name;
  }
}

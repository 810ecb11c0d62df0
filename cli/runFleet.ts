// `rackproof run --fleet`: one run on one gateway of the fleet, on the host that has its wires.
import { randomInt } from "node:crypto";
import { suite } from "../suites/index.ts";
import { monotonicClock, select } from "../harness/index.ts";
import type { CampaignLevel } from "../interface/vocabulary/levels.ts";
import type { Priority } from "../workflows/fleet/priorities.ts";
import { Dispatch } from "../workflows/fleet/dispatch.ts";
import { runInFleet } from "../workflows/fleet/fleetRun.ts";
import { parseLabels } from "../workflows/fleet/labels.ts";
import { type FleetOptions, openFleet, ownerOf, priorityOf } from "./support/fleetAccess.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { suiteVersion } from "./support/version.ts";
import { UsageError } from "../record/index.ts";

export interface RunFleetOptions extends FleetOptions {
  readonly select: string;
  readonly level: CampaignLevel;
  readonly seed?: number;
  readonly labels?: string;
  readonly owner?: string;
  readonly priority?: Priority;
  readonly waitMin: number;
  readonly limitMin: number;
}

/** Options of a run on this machine. */
const localOptions = {
  profile: "--profile",
  rack: "--rack",
  out: "--out",
  key: "--key",
  parallel: "--parallel",
  arch: "--arch",
  fault: "--fault",
  variation: "--variation",
  line: "--line",
  timeServer: "--time-server",
  without: "--without",
  challenge: "--challenge",
  expectedFailures: "--expected-failures",
  watch: "--watch",
  explainTime: "--explain-time",
} as const;

const maxSeed = 2 ** 31 - 1;
const msPerMin = 60_000;
/** A lab without a sign of life for this time is given up. */
const silentMs = 60_000;
const noneFree = 3;

/** Returns the exit code of the run; 3 when it did not reach its end or no gateway was free, 130 when interrupted. */
export async function runFleet(gateway: string | undefined, options: RunFleetOptions): Promise<number> {
  const given = Object.entries(localOptions).find(([name]) => name in options);
  if (given !== undefined)
    throw new UsageError("FLEET_RUN_OPTION", `run --fleet: ${given[1]} cannot be used`);
  const labels = parseLabels(options.labels);
  if (gateway === undefined && Object.keys(labels).length === 0)
    throw new UsageError("FLEET_LABELS", "run --fleet: expected a gateway or --labels, found neither");
  select(suite, options.select);
  const output = options.json === true ? process.stderr : process.stdout;
  const say = (line: string): void => void output.write(`${line}\n`);
  await using database = await openFleet(options);
  await using dispatch = await Dispatch.open(database);
  using interrupted = onInterrupt();
  const seed = options.seed ?? randomInt(1, maxSeed);
  const owner = ownerOf(options);
  const result = await runInFleet({
    ...(gateway === undefined ? {} : { gateway }),
    database,
    dispatch,
    suite,
    suiteVersion,
    labels,
    level: options.level,
    selection: options.select,
    seed,
    owner,
    startedBy: owner,
    priority: priorityOf(options),
    limitMs: options.limitMin * msPerMin,
    waitMs: options.waitMin * msPerMin,
    silentMs,
    clock: monotonicClock,
    signal: interrupted.signal,
    say,
    printed: say,
  });
  if ("reasons" in result) {
    for (const line of result.reasons) process.stderr.write(`${line}\n`);
    say("no gateway is free");
    if (options.json === true) process.stdout.write(`${JSON.stringify({ run: null, ...result })}\n`);
    return interrupted.signal.aborted ? 130 : noneFree;
  }
  const { id, exitCode, reason, record } = result;
  if (reason !== undefined) say(`run ${id} did not reach its end: ${reason}`);
  if (record !== undefined)
    say(
      `record: ${record.address}${record.sha256 === null ? "" : `, SHA-256 of campaign.json ${record.sha256}`}`,
    );
  if (options.json === true) {
    const { gateway: name } = result;
    process.stdout.write(
      `${JSON.stringify({ run: id, gateway: name, exitCode, reason: reason ?? null, seed, record: record ?? null })}\n`,
    );
  } else say(`run ${id} on ${result.gateway}: exit code ${exitCode}`);
  return exitCode;
}

// `rackproof nightly --fleet`: one night over the gateways of all labs.
import { randomInt } from "node:crypto";
import { hostname, userInfo } from "node:os";
import type { CampaignLevel } from "../interface/vocabulary/levels.ts";
import { turnLine } from "../reports/trend/trendText.ts";
import { suite } from "../suites/index.ts";
import { monotonicClock, select } from "../harness/index.ts";
import { readExpectedFailures } from "../workflows/expectedFailures/expectedFailures.ts";
import { Dispatch } from "../workflows/fleet/dispatch.ts";
import { defaultNights, defaultStaleHours, readFleetHistory } from "../workflows/fleet/fleetHistory.ts";
import { findCauses } from "../workflows/fleet/causeSearch.ts";
import { runFleetNight } from "../workflows/fleet/fleetNight.ts";
import type { TurnRow } from "../workflows/fleet/fleetNights.ts";
import { parseLabels } from "../workflows/fleet/labels.ts";
import { type FleetOptions, openFleet } from "./support/fleetAccess.ts";
import { expectedNow } from "./support/expectedNow.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { knownCases } from "./support/knownCases.ts";
import { openNotify, tellAfterNight } from "./support/tellPeople.ts";
import { suiteVersion } from "./support/version.ts";

export interface NightlyFleetOptions extends FleetOptions {
  readonly select: string;
  readonly labels?: string;
  readonly level: CampaignLevel;
  readonly seed?: number;
  readonly retries: number;
  readonly limitMin: number;
  readonly waitMin: number;
  readonly silentMin: number;
  /** Time for the search for causes of new failures. */
  readonly causeMin: number;
  /** List of quarantined requirements. */
  readonly expectedFailures?: string;
  /** File that says who is notified. */
  readonly notify?: string;
}

const maxSeed = 2 ** 31 - 1;
const msPerMin = 60_000;

/** Returns the exit code: the worst of the gateways', as of `run`. */
export async function nightlyFleet(options: NightlyFleetOptions): Promise<number> {
  const { level, retries, limitMin, waitMin, silentMin, causeMin } = options;
  select(suite, options.select);
  const quarantined =
    options.expectedFailures === undefined
      ? []
      : expectedNow(await readExpectedFailures(options.expectedFailures, knownCases));
  const notifier = options.notify === undefined ? undefined : await openNotify(options.notify);
  const labels = parseLabels(options.labels);
  const say = (line: string): void =>
    void (options.json === true ? process.stderr : process.stdout).write(`${line}\n`);
  await using database = await openFleet(options);
  await using dispatch = await Dispatch.open(database);
  using interrupted = onInterrupt();
  const night = {
    database,
    dispatch,
    suite,
    suiteVersion,
    labels,
    level,
    selection: options.select,
    seed: options.seed ?? randomInt(1, maxSeed),
    retries,
    quarantined,
    limitMs: limitMin * msPerMin,
    waitMs: waitMin * msPerMin,
    silentMs: silentMin * msPerMin,
    startedBy: `${userInfo().username}@${hostname()}, process ${process.pid}`,
    clock: monotonicClock,
    signal: interrupted.signal,
    say,
    finished: (turn: TurnRow) => say(lineOf(turn)),
  };
  const result = await runFleetNight(night);
  const { id, exitCode, turns } = result;
  const causes = await findCauses({ ...night, budgetMs: causeMin * msPerMin }, result);
  if (notifier !== undefined) {
    const wish = { nights: defaultNights, staleAfterHours: defaultStaleHours, until: id };
    await tellAfterNight(notifier, () => readFleetHistory(database, wish), "fleet", say);
  }
  if (options.json === true) {
    const gateways = turns.map(({ gateway, lab, outcome, reason }) => ({
      gateway,
      lab,
      outcome,
      ...(reason === null ? {} : { reason }),
    }));
    process.stdout.write(`${JSON.stringify({ night: id, exitCode, gateways, causes })}\n`);
  } else say(`night ${id}: exit code ${exitCode}`);
  return exitCode;
}

function lineOf({ gateway, outcome, reason, expected, conclusions }: TurnRow): string {
  // A turn that was set aside has no conclusions: all of its cases are open.
  const open = Object.fromEntries(expected.map((id) => [id, { outcome: "not-concluded" as const }]));
  return turnLine({
    gateway,
    outcome: outcome ?? "set-aside",
    ...(reason === null ? {} : { reason }),
    cases: new Map(Object.entries(conclusions?.cases ?? open)),
  });
}

// `rackproof notify`: tries the channels of a file, or tells a night again.
import { join } from "node:path";
import { monotonicClock } from "../harness/index.ts";
import { defaultNights, defaultStaleHours, readFleetHistory } from "../workflows/fleet/fleetHistory.ts";
import { fleetOfTrend } from "../workflows/history/fleetOfTrend.ts";
import { History } from "../workflows/history/history.ts";
import { readTrend } from "../workflows/history/trend.ts";
import { testNotice } from "../workflows/notify/notice.ts";
import { openFleet, type FleetOptions } from "./support/fleetAccess.ts";
import { openNotify, tell, tellNight } from "./support/tellPeople.ts";

export interface NotifyOptions extends FleetOptions {
  readonly test?: boolean;
  readonly fleet?: boolean;
  /** Folder of all nights of a rack. */
  readonly nights: string;
  readonly night?: number;
}

const notReached = 3;

/** Returns 0, or 3 when a channel could not be reached. */
export async function notify(file: string, options: NotifyOptions): Promise<number> {
  const notifier = await openNotify(file);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (options.test === true) {
    const notice = testNotice(new Date(monotonicClock.epochMs()).toISOString(), notifier.page);
    return (await tell(notifier, notice, say)) ? 0 : notReached;
  }
  if (options.fleet === true) {
    await using database = await openFleet(options);
    const wish = { nights: defaultNights, staleAfterHours: defaultStaleHours };
    const until = options.night === undefined ? {} : { until: options.night };
    const history = await readFleetHistory(database, { ...wish, ...until });
    return (await tellNight(notifier, history, "fleet", say)) ? 0 : notReached;
  }
  using history = new History(join(options.nights, "history.db"));
  const trend = readTrend(history, options.night ?? Number.MAX_SAFE_INTEGER);
  return (await tellNight(notifier, fleetOfTrend(trend), trend.rack, say)) ? 0 : notReached;
}

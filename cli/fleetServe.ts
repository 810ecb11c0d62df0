// `rackproof fleet serve`: serves the page of the fleet, which follows the database, until interrupted.
import type { IncomingMessage, ServerResponse } from "node:http";
import { fleetPage, fleetPagePolicy } from "../reports/fleet/fleetPage.ts";
import { monotonicClock } from "../harness/index.ts";
import { changeMark } from "../workflows/fleet/changeMark.ts";
import { type FleetDatabase, failureText } from "../workflows/fleet/database.ts";
import { findingsOf, groupFindings } from "../workflows/fleet/findings.ts";
import { type HistoryWish, readFleetHistory } from "../workflows/fleet/fleetHistory.ts";
import { runningTails } from "../workflows/fleet/tails.ts";
import { type FleetOptions, openFleet } from "./support/fleetAccess.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { end, openEvents, sendPage, startReadOnlyServer } from "./support/readOnlyServer.ts";

export interface FleetServeOptions extends FleetOptions {
  readonly host: string;
  readonly port: number;
  readonly nights: number;
  readonly staleHours: number;
}

/** Every change means a new page for every reader. */
const lookEveryMs = 2000;

/** Returns 0 when interrupted. */
export async function fleetServe(options: FleetServeOptions): Promise<number> {
  const { host, port, nights, staleHours } = options;
  await using database = await openFleet(options);
  using interrupted = onInterrupt();
  const follower = new FleetFollower(database, { nights, staleAfterHours: staleHours });
  await using server = await startReadOnlyServer(
    `${host.includes(":") ? `[${host}]` : host}:${port}`,
    (path, request, response) => answer(follower, path, request, response),
  );
  process.stdout.write(`the fleet is shown at ${server.url}; press Ctrl-C to stop\n`);
  await follower.until(interrupted.signal);
  return 0;
}

function answer(
  follower: FleetFollower,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (path === "/")
    follower.page().then(
      (page) => sendPage(response, fleetPagePolicy, page),
      (thrown: unknown) => end(response, 503, `the database does not answer: ${failureText(thrown)}`),
    );
  else if (path === "/events") openEvents(request, response, (send) => follower.onChange(send));
  else return false;
  return true;
}

class FleetFollower {
  readonly #database: FleetDatabase;
  readonly #wish: HistoryWish;
  readonly #readers = new Set<(event: string, data: string) => void>();
  #mark = "";
  #tails = "[]";
  #page: Promise<string> | undefined;

  constructor(database: FleetDatabase, wish: HistoryWish) {
    this.#database = database;
    this.#wish = wish;
  }

  /** The page of now; all readers of a moment share one. */
  page(): Promise<string> {
    this.#page ??= this.#made().catch((thrown: unknown) => {
      this.#page = undefined;
      throw thrown;
    });
    // Without readers nobody looks for changes.
    const page = this.#page;
    if (this.#readers.size === 0) this.#page = undefined;
    return page;
  }

  async #made(): Promise<string> {
    const history = await readFleetHistory(this.#database, this.#wish);
    return fleetPage({ history, groups: groupFindings(findingsOf(history)), isLive: true });
  }

  onChange(send: (event: string, data: string) => void): Disposable {
    this.#readers.add(send);
    send("tails", this.#tails);
    return { [Symbol.dispose]: () => void this.#readers.delete(send) };
  }

  /** Looks for changes while somebody reads. */
  async until(signal: AbortSignal): Promise<void> {
    let isAway = false;
    while (!signal.aborted) {
      await monotonicClock.delay(lookEveryMs, signal).catch(() => undefined);
      if (this.#readers.size === 0) continue;
      try {
        const mark = await changeMark(this.#database);
        if (mark !== this.#mark || isAway) this.#tell("changed");
        this.#mark = mark;
        const tails = JSON.stringify(await runningTails(this.#database));
        if (tails !== this.#tails) for (const send of this.#readers) send("tails", tails);
        this.#tails = tails;
        isAway = false;
      } catch {
        if (!isAway) this.#tell("away");
        isAway = true;
      }
    }
  }

  #tell(event: string): void {
    this.#page = undefined;
    for (const send of this.#readers) send(event, "{}");
  }
}

// Who receives a gateway that becomes free: by priority, which rises with the time of waiting, then by share, then by order.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Clock, monotonicClock } from "../harness/index.ts";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { claimGateway, type FleetLimits, writeLimits } from "../workflows/fleet/claims.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { FleetHolds } from "../workflows/fleet/fleetHolds.ts";
import type { Priority } from "../workflows/fleet/priorities.ts";
import { registerLab } from "../workflows/fleet/register.ts";
import { migrate } from "../workflows/fleet/schema.ts";
import { lacksPostgres, type Postgres, startPostgres } from "./support/postgres.ts";

let postgres: Postgres | undefined;

beforeAll(async () => {
  if (!lacksPostgres()) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

interface Request {
  readonly owner: string;
  readonly priority: Priority;
  /** Time for which it has waited already. */
  readonly sinceMin?: number;
}

interface Scenario {
  readonly what: string;
  readonly requests: readonly Request[];
  /** Owners who have a gateway already. */
  readonly others?: readonly string[];
  readonly limits?: FleetLimits;
  readonly served: readonly string[];
}

const scenarios: readonly Scenario[] = [
  {
    what: "a person before a CI job that asked earlier",
    requests: [
      { owner: "job", priority: "ci" },
      { owner: "anna", priority: "person" },
    ],
    served: ["anna", "job"],
  },
  {
    what: "a person before a CI job that has waited for 29 minutes",
    requests: [
      { owner: "job", priority: "ci", sinceMin: 29 },
      { owner: "anna", priority: "person" },
    ],
    served: ["anna", "job"],
  },
  {
    what: "a CI job that has waited for 31 minutes before a person who has just asked",
    requests: [
      { owner: "anna", priority: "person" },
      { owner: "job", priority: "ci", sinceMin: 31 },
    ],
    served: ["job", "anna"],
  },
  {
    what: "those who have fewer gateways before those who asked first",
    requests: [
      { owner: "greedy", priority: "ci" },
      { owner: "greedy", priority: "ci" },
      { owner: "modest", priority: "ci" },
    ],
    others: ["greedy"],
    served: ["modest", "greedy", "greedy"],
  },
  {
    what: "nobody beyond the limit of an owner, whoever asked first",
    requests: [
      { owner: "full", priority: "person", sinceMin: 90 },
      { owner: "job", priority: "ci" },
    ],
    others: ["full"],
    limits: { perOwner: 1 },
    served: ["job"],
  },
];

const lab = {
  name: "a",
  session: "11111111-1111-4111-8111-111111111111",
  host: "one",
  suiteVersion: "1",
  parallel: 1,
};
const entry = { labels: {}, equipment: [], capabilities: [], rig: "a", installs: false, suites: [] };
/** Requests ask more often than in use, so that the test waits for nobody. */
const hurried: Clock = { ...monotonicClock, delay: (ms, signal) => monotonicClock.delay(ms / 50, signal) };

test.skipIf(lacksPostgres()).each(scenarios.map((one, index) => ({ ...one, index })))(
  "a free gateway is given to $what",
  async ({ requests, others = [], limits = {}, served, index }) => {
    await using database = await FleetDatabase.open(
      databaseAddress(await postgres?.create(`claims_${index}`)),
    );
    await migrate(database);
    await registerLab(
      database,
      lab,
      ["left", ...others.map((_, one) => `other${one}`)].map((name) => ({ ...entry, name })),
    );
    await writeLimits(database, limits);
    const holds = new FleetHolds(database);
    const take = (gateway: string, owner: string) =>
      holds.take({
        id: `${owner} ${gateway}`,
        owner,
        gateway,
        wires: [gateway],
        ttlMs: 60_000,
        limitMs: 60_000,
      });
    await take("a/left", "present holder");
    for (const [one, owner] of others.entries()) await take(`a/other${one}`, owner);
    const stop = new AbortController();
    await using stack = new AsyncDisposableStack();
    const waiting = requests.map(async ({ owner, priority }, place) => {
      const wish = { gateway: "a/left", labels: {}, owner, purpose: String(place), priority };
      return claimGateway(
        { ...wish, ttlMs: 60_000, limitMs: 60_000, waitMs: 3_600_000 },
        { database, clock: hurried, signal: stop.signal, say: () => undefined },
      );
    });
    stack.defer(async () => {
      stop.abort();
      await Promise.all(waiting);
    });
    await vi.waitFor(async () =>
      expect(await database.run("SELECT 1 FROM rackproof.claim")).toBe(requests.length),
    );
    for (const [place, { sinceMin = 0 }] of requests.entries())
      await database.run(
        `UPDATE rackproof.claim SET since = clock_timestamp() - $2 * interval '1 second' WHERE purpose = $1`,
        [String(place), 60 * sinceMin + requests.length - place],
      );
    await holds.release("present holder a/left");
    const order: string[] = [];
    while (order.length < served.length) {
      // A turn of a night takes nothing that somebody waits for.
      const answer = await take("a/left", "agent of a lab");
      if (!("heldBy" in answer)) throw new Error("a turn was first");
      order.push(answer.heldBy.owner);
      await waiting[Number(answer.heldBy.purpose)];
      await holds.release(answer.heldBy.id);
    }
    expect(order).toEqual(served);
    await stack.disposeAsync();
    expect(await database.run("SELECT 1 FROM rackproof.claim")).toBe(0);
  },
);

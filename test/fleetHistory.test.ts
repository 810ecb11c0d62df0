// The history of a fleet: what its page reads is what the labs have pushed, also from tables of an earlier release.
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, type FleetHistory } from "../record/index.ts";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { readFleetHistory } from "../workflows/fleet/fleetHistory.ts";
import { schemaSteps } from "../workflows/fleet/migrations.ts";
import { migrate } from "../workflows/fleet/schema.ts";
import { recordVerdicts, type Verdicts } from "../workflows/fleet/verdicts.ts";
import { lacksPostgres, type Postgres, startPostgres } from "./support/postgres.ts";
import { storeFleet, syntheticFleet } from "./support/syntheticFleet.ts";

let postgres: Postgres | undefined;

beforeAll(async () => {
  if (!lacksPostgres()) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

async function fleet(name: string, steps: readonly string[] = schemaSteps): Promise<FleetDatabase> {
  const database = await FleetDatabase.open(databaseAddress(await postgres?.create(name)));
  await migrate(database, steps);
  return database;
}

/** Without what the clock of the test decides. */
function timeless(history: FleetHistory): unknown {
  return {
    ...history,
    madeAt: "",
    labs: history.labs.map((lab) => ({ ...lab, silentMs: 0 })),
    units: history.units.map((unit) => ({ ...unit, staleHours: unit.staleHours !== undefined })),
  };
}

test.skipIf(lacksPostgres())(
  "the nights that are read equal the stored ones, and are only as many as wanted",
  async () => {
    await using database = await fleet("whole");
    const stored = syntheticFleet({ gateways: 12, nights: 9, requirements: 40, atMs: Date.now() });
    await storeFleet(database, stored);
    const whole = await readFleetHistory(database, { nights: 60, staleAfterHours: 26 });
    expect(timeless(whole)).toEqual(timeless(stored));
    const few = await readFleetHistory(database, { nights: 2, staleAfterHours: 26, until: 8 });
    expect(few.nights.map(({ id }) => id)).toEqual([7, 8]);
    expect(few.units.map(({ results }) => results)).toEqual(
      stored.units.map(({ results }) => results.slice(6, 8)),
    );
  },
);

const night = `INSERT INTO rackproof.night
    (started_at, started_by, level, selection, seed, retries, limit_ms, suite_version, state, expires_at)
  VALUES (now(), 'a test', 'smoke', '', 1, 0, 1, '1', 'finished', now())`;
const lab = `INSERT INTO rackproof.lab VALUES ('a', '11111111-1111-4111-8111-111111111111', 'one/boot', '1', 1, now(), now(), now(), 0, 'running');
  INSERT INTO rackproof.gateway VALUES ('a/left', 'a', 'left', '{}', '[]', NULL, 'listed', NULL, now())`;
const turn = `INSERT INTO rackproof.turn (night, gateway, lab, expected, left_out, state, ended_at, outcome, conclusions)
  VALUES ($1, 'a/left', 'a', '[]', '{}', 'done', now(), 'non-conformant', $2)`;

const first: Verdicts = {
  firmware: "4.1",
  requirements: {
    "CORE-B-01": { outcome: "fail", reason: "expected 1" },
    "CORE-A-01": { outcome: "pass" },
    "CORE-C-01": { outcome: "not-applicable", reason: "not declared" },
  },
};
const second: Verdicts = {
  requirements: {
    "CORE-0-01": { outcome: "flaky", reason: "fail at attempt 1" },
    "CORE-B-01": { outcome: "pass" },
  },
};

test.skipIf(lacksPostgres())(
  "results of an earlier release and later ones have the same places",
  async () => {
    await using database = await fleet("earlier", schemaSteps.slice(0, 3));
    await database.run(lab);
    await database.run(night);
    await database.run(turn, [1, JSON.stringify({ cases: {}, withoutParts: [], ...first })]);
    await migrate(database);
    const before = await readFleetHistory(database, { nights: 60, staleAfterHours: 26 });
    expect(before.requirements).toEqual(["CORE-A-01", "CORE-B-01", "CORE-C-01"]);
    const [unit] = before.units;
    expect(unit?.results).toEqual([
      Uint8Array.from((["pass", "fail", "not-applicable"] as const).map(codeOf)),
    ]);
    expect(unit?.turns).toEqual([{ outcome: "non-conformant", firmware: "4.1" }]);
    expect(unit?.last?.reasons).toEqual(new Map([["CORE-B-01", "expected 1"]]));

    await database.run(night);
    await database.run(turn, [2, null]);
    // Twice is once: the last push counts.
    for (const verdicts of [first, second])
      await recordVerdicts(database, { night: 2, gateway: "a/left" }, verdicts);
    const now = await readFleetHistory(database, { nights: 60, staleAfterHours: 26 });
    expect(now.requirements).toEqual([...before.requirements, "CORE-0-01"]);
    expect(now.units[0]?.results).toEqual([
      Uint8Array.of(codeOf("pass"), codeOf("fail"), codeOf("not-applicable"), 0),
      Uint8Array.of(0, codeOf("pass"), 0, codeOf("flaky")),
    ]);
    expect(now.units[0]?.last).toEqual({ night: 1, reasons: new Map([["CORE-0-01", "fail at attempt 1"]]) });
  },
);

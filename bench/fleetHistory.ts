// The history of a fleet, 300 gateways over 365 nights in PostgreSQL: how long its reading takes, and its page.
import Type from "typebox";
import { fleetPage } from "../reports/fleet/fleetPage.ts";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { findingsOf, groupFindings } from "../workflows/fleet/findings.ts";
import { readFleetHistory } from "../workflows/fleet/fleetHistory.ts";
import { migrate } from "../workflows/fleet/schema.ts";
import { lacksPostgres, startPostgres } from "../test/support/postgres.ts";
import { storeFleet, syntheticFleet } from "../test/support/syntheticFleet.ts";
import { type BenchRow, median, notMeasured, outcomeOf } from "./table.ts";

const size = { gateways: 300, nights: 365, requirements: 600 };
const pageNights = 60;
const readLimitMs = 500;
const rounds = 7;

export async function benchFleetHistory(): Promise<BenchRow[]> {
  if (lacksPostgres()) return [notMeasured("history of a fleet", "postgresql")];
  await using postgres = await startPostgres();
  await using database = await FleetDatabase.open(databaseAddress(await postgres.create("bench")));
  await migrate(database);
  const whole = syntheticFleet({ ...size, atMs: Date.now() });
  await storeFleet(database, whole);
  await database.run("VACUUM ANALYZE");
  const read = async (nights: number): Promise<number> => {
    const timesMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const beganMs = performance.now();
      await readFleetHistory(database, { nights, staleAfterHours: 26 });
      timesMs.push(performance.now() - beganMs);
    }
    return median(timesMs);
  };
  const [pageMs, yearMs] = [await read(pageNights), await read(size.nights)];
  const [stored] = await database.rows(
    Type.Object({ mib: Type.Number() }),
    `SELECT (pg_total_relation_size('rackproof.verdicts') / 1048576.0)::float8 AS mib`,
  );
  const history = await readFleetHistory(database, { nights: pageNights, staleAfterHours: 26 });
  const beganMs = performance.now();
  const page = fleetPage({ history, groups: groupFindings(findingsOf(history)) });
  const madeMs = performance.now() - beganMs;
  const title = `${size.gateways} gateways x ${size.requirements} requirements`;
  const row = (what: string, ms: number, limitMs: number, more = ""): BenchRow => ({
    what: `${title}: ${what}`,
    measured: `${ms.toFixed(0)} ms${more}`,
    peer: "-",
    ratio: "-",
    limit: `at most ${limitMs} ms`,
    outcome: outcomeOf(ms <= limitMs),
  });
  return [
    row(`read ${pageNights} of ${size.nights} nights`, pageMs, readLimitMs),
    row(`read ${size.nights} nights`, yearMs, readLimitMs, `, verdicts ${stored?.mib.toFixed(1) ?? ""} MiB`),
    row(`page of ${pageNights} nights`, madeMs, 2000, `, ${(page.length / 1e6).toFixed(1)} MB`),
  ];
}

// Creates and updates the tables of a fleet, and tells whether they fit this release.
import Type from "typebox";
import type { FleetDatabase, Queries } from "./database.ts";
import { schemaSteps } from "./migrations.ts";
import { UsageError } from "../../record/index.ts";

const Version = Type.Object({ version: Type.Integer() });
const Found = Type.Object({ found: Type.Boolean() });

/** The version of the tables; 0 when there are none. */
export async function schemaVersion(queries: Queries): Promise<number> {
  // The catalogue is read as a table: to_regclass may answer from a cache that is older than a lock just granted.
  const [table] = await queries.rows(
    Found,
    "SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = 'rackproof' AND tablename = 'version') AS found",
  );
  if (table?.found !== true) return 0;
  const [row] = await queries.rows(Version, "SELECT version FROM rackproof.version");
  return row?.version ?? 0;
}

/** Applies the missing steps in one transaction; answers the version before and now. Safe to run twice, also at the same time. */
export function migrate(
  database: FleetDatabase,
  steps: readonly string[] = schemaSteps,
): Promise<{ readonly before: number; readonly now: number }> {
  return database.together(async (queries) => {
    // A second program waits here until the first has committed, and finds nothing to do.
    await queries.run("SELECT pg_advisory_xact_lock(hashtext('rackproof.migrate'))");
    const before = await schemaVersion(queries);
    if (before > steps.length) throw newerSchema(database, before, steps.length);
    if (before === 0)
      await queries.run(
        `CREATE SCHEMA IF NOT EXISTS rackproof;
         CREATE TABLE IF NOT EXISTS rackproof.version (version integer NOT NULL);
         INSERT INTO rackproof.version SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM rackproof.version)`,
      );
    for (const step of steps.slice(before)) await queries.run(step);
    await queries.run("UPDATE rackproof.version SET version = $1", [steps.length]);
    return { before, now: steps.length };
  });
}

/** Throws a UsageError for tables of another release. */
export async function requireSchema(database: FleetDatabase): Promise<void> {
  const found = await schemaVersion(database);
  if (found > schemaSteps.length) throw newerSchema(database, found, schemaSteps.length);
  if (found < schemaSteps.length)
    throw new UsageError(
      "FLEET_NOT_INITIALISED",
      `database ${database.address.shown}: expected tables of version ${schemaSteps.length}, found ${found === 0 ? "none" : `version ${found}`}`,
    );
}

function newerSchema({ address }: FleetDatabase, found: number, known: number): UsageError {
  return new UsageError(
    "FLEET_NEWER",
    `database ${address.shown}: written by a later rackproof: version ${found}, expected at most ${known}`,
  );
}

const Facts = Type.Object({ version: Type.String(), encrypted: Type.Boolean() });

/** The release of the server, and whether the connection is encrypted. */
export async function serverFacts(queries: Queries): Promise<Type.Static<typeof Facts>> {
  const [facts] = await queries.rows(
    Facts,
    `SELECT current_setting('server_version') AS version,
       coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted`,
  );
  if (facts === undefined) throw new Error("the server did not report its version");
  return facts;
}

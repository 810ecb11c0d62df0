// What an agent enters in the database, and in which order.
import { join } from "node:path";
import { expect, test } from "vitest";
import { monotonicClock } from "../harness/index.ts";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { runAgent } from "../workflows/fleet/agent.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { Dispatch } from "../workflows/fleet/dispatch.ts";
import { migrate } from "../workflows/fleet/schema.ts";
import { temporaryFolder } from "./support/commandLine.ts";
import { lacksPostgres, startPostgres } from "./support/postgres.ts";

test.skipIf(lacksPostgres())("a lab is listed when its queue exists: no night can miss it", async () => {
  await using postgres = await startPostgres();
  await using folder = await temporaryFolder();
  await using database = await FleetDatabase.open(databaseAddress(postgres.url));
  await migrate(database);
  await using _queues = await Dispatch.open(database, { mayMigrate: true });
  await database.run(
    `CREATE FUNCTION needs_queue() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NOT EXISTS (SELECT FROM rackproof_queue.queue WHERE name = NEW.name) THEN
         RAISE EXCEPTION 'lab % is listed without a queue', NEW.name;
       END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER needs_queue BEFORE INSERT ON rackproof.lab FOR EACH ROW EXECUTE FUNCTION needs_queue()`,
  );
  const stop = new AbortController();
  const lines: string[] = [];
  await runAgent({
    address: database.address,
    lab: "a",
    host: "one",
    suite: [],
    suiteVersion: "1",
    suites: {},
    gateways: [],
    rackWords: [],
    out: join(folder.path, "agent"),
    parallel: 1,
    holdMs: 60_000,
    clock: monotonicClock,
    signal: stop.signal,
    say: (line) => {
      lines.push(line);
      stop.abort();
    },
    checkWires: () => Promise.resolve([]),
    runAttempt: () => Promise.reject(new Error("no turn was queued")),
    isStated: () => false,
    leaseFile: join(folder.path, "leases.db"),
  });
  expect(lines).toEqual([expect.stringMatching(/^lab a: 0 gateways listed in /)]);
});

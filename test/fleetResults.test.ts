// Results of turns: counted once, refused from an earlier run, stored on the disk while the database is away.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { monotonicClock } from "../harness/index.ts";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { FleetHolds } from "../workflows/fleet/fleetHolds.ts";
import {
  beginTurn,
  endNight,
  readOrder,
  readTurns,
  setTurnAside,
  settleRuns,
  startNight,
} from "../workflows/fleet/fleetNights.ts";
import { holdPrefix, type LabEntry, registerLab } from "../workflows/fleet/register.ts";
import { pruneFleet } from "../workflows/fleet/prune.ts";
import { pushResult, resultOf, Spool, type SpooledResult } from "../workflows/fleet/results.ts";
import { migrate } from "../workflows/fleet/schema.ts";
import { followGateway, Tail } from "../workflows/fleet/tails.ts";
import { temporaryFolder } from "./support/commandLine.ts";
import { lacksPostgres, type Postgres, startPostgres } from "./support/postgres.ts";

const sessions = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;
const lab = (session: string, host = "one"): LabEntry => ({
  name: "a",
  session,
  host,
  suiteVersion: "1",
  parallel: 1,
});
const gateways = [
  {
    name: "left",
    labels: { model: "X" },
    equipment: [],
    capabilities: [],
    rig: "a",
    installs: false,
    suites: [],
  },
];
const night = {
  startedBy: "a test",
  level: "smoke",
  selection: "",
  seed: 1,
  retries: 0,
  limitMs: 60_000,
  suiteVersion: "1",
} as const;
const turn = { gateway: "a/left", lab: "a", expected: ["x/a"], leftOut: new Map() };

let postgres: Postgres | undefined;

beforeAll(async () => {
  if (!lacksPostgres()) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

async function fleet(name: string): Promise<FleetDatabase> {
  const database = await FleetDatabase.open(databaseAddress(await postgres?.create(name)));
  await migrate(database);
  return database;
}

/** Takes the gateway for the agent and begins its turn; answers the number of the hold. */
async function begin(database: FleetDatabase, id: number, session: string): Promise<number> {
  const hold = { id: `${holdPrefix("a")}${session}:1`, owner: "agent", gateway: "a/left", wires: ["a/left"] };
  const answer = await new FleetHolds(database).take({ ...hold, ttlMs: 60_000, limitMs: 60_000 });
  if (!("taken" in answer)) throw new Error("in use");
  const { fence } = answer.taken;
  expect(await beginTurn(database, { night: id, gateway: "a/left" }, session, { id: hold.id, fence })).toBe(
    true,
  );
  return fence;
}

function result(id: number, fence: number): Promise<SpooledResult> {
  const attempt = {
    number: 1,
    folder: "/nowhere",
    selection: "",
    startedAt: "2027-01-01T00:00:00.000Z",
    endedAt: "2027-01-01T00:01:00.000Z",
    ending: "exit code 0",
    concluded: [],
  };
  return resultOf(
    { night: id, gateway: "a/left", lab: "a", fence },
    {
      gateway: "left",
      outcome: "conformant",
      exitCode: 0,
      withoutParts: [],
      attempts: [attempt],
      cases: new Map([["x/a", { outcome: "pass" }]]),
      requirements: new Map([["CORE-A-01", { outcome: "pass" }]]),
      measurements: new Map(),
    },
    [],
    "one",
  );
}

test.skipIf(lacksPostgres())("a result counts once, and one of an earlier run is refused", async () => {
  await using database = await fleet("once");
  await registerLab(database, lab(sessions[0]), gateways);
  const quarantined = [
    { requirement: "CORE-A-01", reason: "ticket 12", owner: "anna", expires: "2027-03-31" },
  ];
  const id = await startNight(database, { ...night, quarantined }, [turn]);
  expect(await readOrder(database, { night: id, gateway: "a/left" })).toMatchObject({ quarantined });
  const first = await begin(database, id, sessions[0]);
  // The agent starts anew on its host: its hold ends, and its turn waits again.
  expect(await registerLab(database, lab(sessions[1]), gateways)).toEqual([
    { night: id, gateway: "a/left", kind: "night", hold: null },
  ]);
  const second = await begin(database, id, sessions[1]);
  expect(second).toBeGreaterThan(first);
  expect(await pushResult(database, await result(id, first))).toBe("refused");
  expect(await pushResult(database, await result(id, second))).toBe("accepted");
  expect(await pushResult(database, await result(id, second))).toBe("known");
  expect(await readTurns(database, id)).toMatchObject([
    { state: "done", outcome: "conformant", fence: second },
  ]);
  expect(await database.run("SELECT 1 FROM rackproof.result")).toBe(1);
  expect(await database.run("SELECT 1 FROM rackproof.verdicts WHERE line = 'p'")).toBe(1);
});

test.skipIf(lacksPostgres())(
  "an agent on another machine is refused while the first one is alive",
  async () => {
    await using database = await fleet("taken");
    await registerLab(database, lab(sessions[0], "one"), gateways);
    await expect(registerLab(database, lab(sessions[1], "other"), gateways)).rejects.toMatchObject({
      code: "FLEET_LAB_TAKEN",
    });
    await database.run("UPDATE rackproof.lab SET expires_at = clock_timestamp()");
    expect(await registerLab(database, lab(sessions[1], "other"), gateways)).toEqual([]);
  },
);

test.skipIf(lacksPostgres())(
  "a result after the night is stored, and the outcome of the night remains",
  async () => {
    await using database = await fleet("late");
    await using folder = await temporaryFolder();
    await registerLab(database, lab(sessions[0]), gateways);
    const id = await startNight(database, night, [turn]);
    const fence = await begin(database, id, sessions[0]);
    const spool = new Spool(join(folder.path, "spool"));
    await spool.add(await result(id, fence));
    await setTurnAside(database, { night: id, gateway: "a/left" }, "lab a: no sign of life for 180 s");
    await endNight(database, id, "finished", 3);
    expect(await spool.push(database)).toEqual([]);
    expect(await readdir(join(folder.path, "spool"))).toEqual([]);
    expect(await readTurns(database, id)).toMatchObject([
      { state: "set-aside", outcome: "set-aside", exit_code: 3, note: "its result came later" },
    ]);
    expect(await database.run("SELECT 1 FROM rackproof.result")).toBe(1);
  },
);

test.skipIf(lacksPostgres())(
  "no turn begins under a hold that has expired, or in a night that has ended",
  async () => {
    await using database = await fleet("ended");
    await registerLab(database, lab(sessions[0]), gateways);
    const id = await startNight(database, night, [turn]);
    const name = { night: id, gateway: "a/left" };
    const hold = { id: "agent:a:1", owner: "agent", gateway: "a/left", wires: ["a/left"] };
    const answer = await new FleetHolds(database).take({ ...hold, ttlMs: 60_000, limitMs: 60_000 });
    if (!("taken" in answer)) throw new Error("in use");
    const { fence } = answer.taken;
    await database.run("UPDATE rackproof.hold SET expires_at = clock_timestamp()");
    expect(await beginTurn(database, name, sessions[0], { id: hold.id, fence })).toBe(false);
    await database.run("UPDATE rackproof.hold SET expires_at = clock_timestamp() + interval '1 minute'");
    expect(await beginTurn(database, name, sessions[0], { id: hold.id, fence: fence + 1 })).toBe(false);
    await endNight(database, id, "interrupted", 130);
    expect(await beginTurn(database, name, sessions[0], { id: hold.id, fence })).toBe(false);
  },
);

test.skipIf(lacksPostgres())(
  "a revoked hold cannot be renewed, and its gateway is in use until its release",
  async () => {
    await using database = await fleet("revoked");
    const holds = new FleetHolds(database);
    const wish = { owner: "one", gateway: "a/left", wires: ["a/left"], ttlMs: 60_000, limitMs: 60_000 };
    await holds.take({ ...wish, id: "one" });
    await holds.revoke("one");
    expect(await holds.renew("one", 60_000)).toBeUndefined();
    expect(await holds.take({ ...wish, id: "next" })).toMatchObject({ heldBy: { id: "one" } });
    await holds.release("one");
    expect(await holds.take({ ...wish, id: "next" })).toMatchObject({ taken: { id: "next" } });
  },
);

test.skipIf(lacksPostgres())(
  "whoever follows a turn receives its lines to the last one, and how it ended; lines of former nights are removed",
  async () => {
    await using database = await fleet("follow");
    await registerLab(database, lab(sessions[0]), gateways);
    const seen: string[] = [];
    const printed = (line: string): void => void seen.push(line);
    const follow = () =>
      followGateway(database, "a/left", {
        clock: monotonicClock,
        signal: new AbortController().signal,
        printed,
      });
    const run = async (observed: (tail: Tail) => Promise<void>): Promise<void> => {
      const id = await startNight(database, night, [turn]);
      const fence = await begin(database, id, sessions[0]);
      const tail = new Tail(database, { night: id, gateway: "a/left" }, "night", monotonicClock);
      await observed(tail);
      await tail.close();
      await pushResult(database, await result(id, fence));
      await new FleetHolds(database).release(`${holdPrefix("a")}${sessions[0]}:1`);
    };
    expect(await follow()).toBeUndefined();
    await run(async (tail) => tail.add("of a former night"));
    let following: ReturnType<typeof follow> | undefined;
    const all = Array.from({ length: 20 }, (_, line) => `line ${line}`);
    await run(async (tail) => {
      following = follow();
      for (const line of all) tail.add(line);
      await vi.waitFor(() => expect(seen).toEqual(all), { timeout: 10_000 });
      tail.add("the last one");
    });
    expect(await following).toBe("conformant");
    expect(seen).toEqual([...all, "the last one"]);
    expect(await database.run("SELECT 1 FROM rackproof.tail")).toBe(1);
  },
);

test.skipIf(lacksPostgres())("two pushes at the same time store each result once", async () => {
  await using database = await fleet("pushes");
  await using folder = await temporaryFolder();
  await registerLab(database, lab(sessions[0]), gateways);
  const id = await startNight(database, night, [turn]);
  const spool = new Spool(join(folder.path, "spool"));
  await spool.add(await result(id, await begin(database, id, sessions[0])));
  expect(await Promise.all([spool.push(database), spool.push(database)])).toEqual([[], []]);
  expect(await database.run("SELECT 1 FROM rackproof.result")).toBe(1);
});

test.skipIf(lacksPostgres())(
  "a run that has ended leaves no hold, and its turn waits again if it has no result",
  async () => {
    await using database = await fleet("settled");
    await registerLab(database, lab(sessions[0]), gateways);
    const id = await startNight(database, night, [turn]);
    const name = { night: id, gateway: "a/left" };
    const holdId = `${holdPrefix("a")}${sessions[0]}:1`;
    const fence = await begin(database, id, sessions[0]);
    expect(await settleRuns(database, [holdId])).toEqual([{ ...name, kind: "night", hold: null }]);
    expect(await new FleetHolds(database).holderOf("a/left")).toBeUndefined();
    const next = await begin(database, id, sessions[0]);
    // The turn runs under a later hold: what is left of the earlier one does not concern it.
    await database.run("UPDATE rackproof.past_hold SET id = 'earlier' WHERE fence = $1", [fence]);
    expect(await settleRuns(database, ["earlier"])).toEqual([]);
    expect(await pushResult(database, await result(id, next))).toBe("accepted");
    expect(await settleRuns(database, [holdId])).toEqual([]);
    expect(await readTurns(database, id)).toMatchObject([{ state: "done" }]);
  },
);

test.skipIf(lacksPostgres())(
  "what ended long ago is removed with all that belongs to it, unless a later search for a cause needs it",
  async () => {
    await using database = await fleet("prune");
    await registerLab(database, lab(sessions[0]), gateways);
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) {
      const id = await startNight(database, night, [turn]);
      const fence = await begin(database, id, sessions[0]);
      await pushResult(database, await result(id, fence));
      await new FleetHolds(database).release(`${holdPrefix("a")}${sessions[0]}:1`);
      await endNight(database, id, "finished", 0);
      ids.push(id);
    }
    const [gone, needed, young] = ids as [number, number, number];
    const age =
      "UPDATE rackproof.night SET ended_at = ended_at - interval '10 days' WHERE id = ANY ($1::integer[])";
    await database.run(age, [[String(gone), String(needed)]]);
    await database.run("UPDATE rackproof.night SET cause_of = $1 WHERE id = $2", [needed, young]);
    expect(await pruneFleet(database, 9)).toMatchObject({ nights: 1, turns: 1, results: 1 });
    const rest = await database.rows(
      Type.Object({ night: Type.Number() }),
      "SELECT night FROM rackproof.verdicts ORDER BY 1",
    );
    expect(rest.map((row) => row.night)).toEqual([needed, young]);
    expect(await pruneFleet(database, 9)).toMatchObject({ nights: 0, turns: 0, results: 0 });
  },
);

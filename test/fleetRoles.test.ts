// What each role of a fleet may do, as logins of a real server.
import { afterAll, beforeAll, expect, test } from "vitest";
import { monotonicClock } from "../harness/index.ts";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { claimGateway, readLimits, writeLimits } from "../workflows/fleet/claims.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { Dispatch } from "../workflows/fleet/dispatch.ts";
import { FleetHolds } from "../workflows/fleet/fleetHolds.ts";
import { beginTurn, endNight, readOrder, startNight } from "../workflows/fleet/fleetNights.ts";
import { beatLab, listGateways, registerLab } from "../workflows/fleet/register.ts";
import { pushResult, resultOf } from "../workflows/fleet/results.ts";
import type { FinishedTurn } from "../workflows/history/history.ts";
import { grantRoles } from "../workflows/fleet/roles.ts";
import { migrate } from "../workflows/fleet/schema.ts";
import { lacksPostgres, type Postgres, startPostgres } from "./support/postgres.ts";

let postgres: Postgres | undefined;

beforeAll(async () => {
  if (!lacksPostgres()) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

const lab = {
  name: "a",
  session: "11111111-1111-4111-8111-111111111111",
  host: "one",
  suiteVersion: "1",
  parallel: 1,
};
const entry = { name: "left", labels: { model: "X" }, equipment: [], rig: "a", installs: false, suites: [] };
const night = {
  startedBy: "a test",
  level: "smoke",
  selection: "",
  seed: 1,
  retries: 0,
  limitMs: 60_000,
} as const;
const turn = { gateway: "a/left", lab: "a", expected: ["x/a"], leftOut: new Map() };

test.skipIf(lacksPostgres())(
  "a viewer reads, an engineer reserves and runs, an agent takes turns, an admin ends what belongs to others",
  async () => {
    await using owner = await FleetDatabase.open(databaseAddress(await postgres?.create("roles")));
    await migrate(owner);
    await using _queues = await Dispatch.open(owner, { mayMigrate: true });
    expect(await grantRoles(owner)).toBeUndefined();
    expect(await grantRoles(owner)).toBeUndefined();
    const login = async (name: string, role: string): Promise<FleetDatabase> => {
      await owner.run(`CREATE ROLE ${name} LOGIN PASSWORD '${name}-Word-1' IN ROLE rackproof_${role}`);
      const url = new URL(owner.address.url);
      url.username = name;
      url.password = `${name}-Word-1`;
      return FleetDatabase.open(databaseAddress(url.href));
    };
    await using viewer = await login("vera", "viewer");
    await using engineer = await login("emil", "engineer");
    await using other = await login("olga", "engineer");
    await using agent = await login("ada", "agent");
    await using admin = await login("alma", "admin");

    await using queue = await Dispatch.open(agent, { supervises: true });
    await queue.serve("a");
    await registerLab(agent, lab, [entry]);
    const reserve = (database: FleetDatabase) =>
      claimGateway(
        {
          labels: { model: "X" },
          owner: "me",
          purpose: "",
          priority: "person",
          ttlMs: 60_000,
          limitMs: 60_000,
          waitMs: 0,
        },
        { database, clock: monotonicClock, signal: new AbortController().signal, say: () => undefined },
      );
    const noRight = { code: "FLEET_ROLE", message: expect.stringMatching(/vera@.* may not do that/) };
    expect(await listGateways(viewer, {})).toMatchObject([{ id: "a/left" }]);
    expect(await readLimits(viewer)).toEqual({});
    await expect(reserve(viewer)).rejects.toMatchObject(noRight);
    await expect(startNight(viewer, { ...night, suiteVersion: "1" }, [turn])).rejects.toMatchObject(noRight);
    await expect(new FleetHolds(viewer).revoke("any")).rejects.toMatchObject(noRight);
    await expect(beatLab(engineer, lab)).rejects.toMatchObject({ code: "FLEET_ROLE" });
    await expect(writeLimits(engineer, { perOwner: 9 })).rejects.toMatchObject({ code: "FLEET_ROLE" });
    await expect(writeLimits(agent, { perOwner: 9 })).rejects.toMatchObject({ code: "FLEET_ROLE" });

    const reserved = await reserve(engineer);
    if (!("granted" in reserved)) throw new Error(reserved.reasons.join());
    const { id } = reserved.granted;
    await expect(new FleetHolds(other).release(id)).rejects.toMatchObject({
      code: "FLEET_ROLE",
      message: expect.stringContaining("another user has reserved it"),
    });
    await expect(
      engineer.run("INSERT INTO rackproof.hold (wire, id, gateway) VALUES ('w', 'i', 'g')"),
    ).rejects.toMatchObject({ code: "FLEET_ROLE" });
    await new FleetHolds(engineer).release(id);
    expect(await reserve(other)).toHaveProperty("granted");
    const held = await new FleetHolds(admin).holderOf("a/left");
    await new FleetHolds(admin).release(held?.id ?? "");
    await writeLimits(admin, { perOwner: 2 });

    await using offers = await Dispatch.open(engineer);
    const number = await startNight(engineer, { ...night, suiteVersion: "1" }, [turn]);
    await offers.offer("a", [{ night: number, gateway: "a/left" }]);
    const delivery = await queue.next("a");
    expect(delivery).toMatchObject({ night: number, gateway: "a/left" });
    const name = { night: number, gateway: "a/left" };
    expect(await readOrder(agent, name)).toMatchObject({ expected: ["x/a"] });
    const holds = new FleetHolds(agent);
    const wish = { id: "agent:a:1", owner: "agent", gateway: "a/left", wires: ["a/left"] };
    const taken = await holds.take({ ...wish, ttlMs: 60_000, limitMs: 60_000 });
    if (!("taken" in taken)) throw new Error("in use");
    const { fence } = taken.taken;
    expect(await beginTurn(agent, name, lab.session, { id: wish.id, fence })).toBe(true);
    const result = await resultOf({ ...name, lab: "a", fence }, finished, [], "one");
    expect(await pushResult(agent, result)).toBe("accepted");
    await holds.release(wish.id);
    await delivery?.done();
    await endNight(engineer, number, "finished", 0);
  },
);

const finished: FinishedTurn = {
  gateway: "left",
  outcome: "conformant",
  exitCode: 0,
  withoutParts: [],
  attempts: [],
  cases: new Map([["x/a", { outcome: "pass" }]]),
  requirements: new Map([["X-1", { outcome: "pass" }]]),
  measurements: new Map(),
};

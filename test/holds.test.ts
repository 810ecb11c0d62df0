// One contract for the leases of a machine and the holds of a fleet.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { FleetHolds } from "../workflows/fleet/fleetHolds.ts";
import { migrate } from "../workflows/fleet/schema.ts";
import type { HoldWish, Holds } from "../workflows/leases/holds.ts";
import { LeaseStore } from "../workflows/leases/leaseStore.ts";
import { temporaryFolder } from "./support/commandLine.ts";
import { lacksPostgres, type Postgres, startPostgres } from "./support/postgres.ts";

interface Subject extends AsyncDisposable {
  readonly holds: Holds;
  /** Lets time pass, by the clock that decides on expiry. */
  pass(ms: number): Promise<void>;
}

async function sqlite(): Promise<Subject> {
  const folder = await temporaryFolder();
  let nowMs = 1000;
  const store = new LeaseStore(join(folder.path, "leases.db"), () => nowMs);
  return {
    holds: store,
    pass: (ms) => Promise.resolve(void (nowMs += ms)),
    async [Symbol.asyncDispose]() {
      store[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

let postgres: Postgres | undefined;

async function postgresql(): Promise<Subject> {
  const url = await postgres?.create(`holds_${randomUUID().replaceAll("-", "")}`);
  const database = await FleetDatabase.open(databaseAddress(url));
  await migrate(database);
  return {
    holds: new FleetHolds(database),
    // The clock of the database cannot be moved; instants in its rows can.
    pass: async (ms) =>
      void (await database.run(
        `UPDATE rackproof.hold SET taken_at = taken_at - $1 * interval '1 millisecond',
           expires_at = expires_at - $1 * interval '1 millisecond', limit_at = limit_at - $1 * interval '1 millisecond'`,
        [ms],
      )),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

beforeAll(async () => {
  if (!lacksPostgres()) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

const wish = (id: string, more: Partial<HoldWish> = {}): HoldWish => ({
  id,
  owner: `owner ${id}`,
  gateway: "left",
  wires: ["gateway left", "console left"],
  ttlMs: 30_000,
  limitMs: 100_000,
  ...more,
});

describe.each([
  { name: "leases of a machine", make: sqlite, isMissing: false },
  { name: "holds of a fleet", make: postgresql, isMissing: lacksPostgres() },
])("$name", ({ make, isMissing }) => {
  test.skipIf(isMissing)("all wires are taken or none, and a second taker receives the holder", async () => {
    await using subject = await make();
    const { holds } = subject;
    const first = await holds.take(wish("a"));
    expect(first).toMatchObject({ taken: { id: "a", owner: "owner a", gateway: "left" } });
    const second = await holds.take(wish("b", { wires: ["gateway right", "console left"] }));
    expect(second).toMatchObject({ heldBy: { id: "a", owner: "owner a" } });
    expect(await holds.holderOf("gateway right")).toBeUndefined();
    expect(await holds.holderOf("console left")).toMatchObject({ id: "a" });
  });

  test.skipIf(isMissing)("a release frees all wires, and every holder's number is larger", async () => {
    await using subject = await make();
    const { holds } = subject;
    const fences: number[] = [];
    for (const id of ["a", "b", "c"]) {
      const answer = await holds.take(wish(id));
      if (!("taken" in answer)) throw new Error(`${id} found the wires in use`);
      fences.push(answer.taken.fence);
      await holds.release(id);
      expect(await holds.find(id)).toBeUndefined();
    }
    expect(fences).toEqual(fences.toSorted((one, other) => one - other));
    expect(new Set(fences).size).toBe(3);
  });

  test.skipIf(isMissing)("a holder that is late after its expiry is refused", async () => {
    await using subject = await make();
    const { holds } = subject;
    await holds.take(wish("late"));
    await subject.pass(29_000);
    expect(await holds.find("late")).toMatchObject({ id: "late" });
    await subject.pass(1001);
    expect(await holds.find("late")).toBeUndefined();
    expect(await holds.take(wish("next"))).toMatchObject({ taken: { id: "next" } });
    expect(await holds.renew("late", 30_000)).toBeUndefined();
    await holds.release("late");
    expect(await holds.holderOf("gateway left")).toMatchObject({ id: "next" });
  });

  test.skipIf(isMissing)("a renewal extends a hold, but never beyond its limit", async () => {
    await using subject = await make();
    const { holds } = subject;
    await holds.take(wish("a", { limitMs: 45_000 }));
    await subject.pass(20_000);
    const granted = await holds.renew("a", 30_000);
    expect(granted).toBeGreaterThan(23_000);
    expect(granted).toBeLessThanOrEqual(25_000);
    await subject.pass(20_000);
    expect(await holds.renew("a", 30_000)).toBeLessThanOrEqual(5000);
    await subject.pass(5001);
    expect(await holds.renew("a", 30_000)).toBeUndefined();
    expect(await holds.take(wish("b"))).toMatchObject({ taken: { id: "b" } });
  });

  test.skipIf(isMissing)("of many takers at the same time one takes the wires", async () => {
    await using subject = await make();
    const { holds } = subject;
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => holds.take(wish(`taker ${index}`))),
    );
    const taken = answers.filter((answer) => "taken" in answer);
    expect(taken).toHaveLength(1);
  });
});

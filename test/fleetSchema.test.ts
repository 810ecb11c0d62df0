// The tables of a fleet: made once, also by two at a time; other releases are refused; the password is never shown.
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { schemaSteps } from "../workflows/fleet/migrations.ts";
import { migrate, requireSchema, schemaVersion } from "../workflows/fleet/schema.ts";
import { lacksPostgres, type Postgres, startPostgres } from "./support/postgres.ts";

let postgres: Postgres | undefined;

beforeAll(async () => {
  if (!lacksPostgres()) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

async function database(name: string): Promise<FleetDatabase> {
  return FleetDatabase.open(databaseAddress(await postgres?.create(name)));
}

test.skipIf(lacksPostgres())("tables are made once, also by two programs at the same time", async () => {
  await using first = await database("twice");
  await using second = await FleetDatabase.open(first.address);
  await expect(requireSchema(first)).rejects.toMatchObject({ code: "FLEET_NOT_INITIALISED" });
  const changes = await Promise.all([migrate(first), migrate(second)]);
  expect(changes.map(({ before }) => before).toSorted((a, b) => a - b)).toEqual([0, schemaSteps.length]);
  expect(await migrate(first)).toEqual({ before: schemaSteps.length, now: schemaSteps.length });
  await requireSchema(first);
});

test.skipIf(lacksPostgres())("tables of a newer release are refused and unchanged", async () => {
  await using one = await database("newer");
  const newer = [...schemaSteps, "CREATE TABLE rackproof.later (id integer)"];
  await migrate(one, newer);
  await expect(migrate(one)).rejects.toMatchObject({ code: "FLEET_NEWER" });
  await expect(requireSchema(one)).rejects.toMatchObject({ code: "FLEET_NEWER" });
  expect(await schemaVersion(one)).toBe(newer.length);
});

test.skipIf(lacksPostgres())("a step that fails leaves the tables unchanged", async () => {
  await using one = await database("failing");
  await migrate(one);
  await expect(
    migrate(one, [...schemaSteps, "CREATE TABLE rackproof.half (id integer); nonsense"]),
  ).rejects.toThrow(/syntax error/);
  expect(await schemaVersion(one)).toBe(schemaSteps.length);
  expect(await one.run("SELECT 1 WHERE to_regclass('rackproof.half') IS NOT NULL")).toBe(0);
});

test.each([
  "postgres://user:s3cret-word@127.0.0.1:1/fleet",
  "postgres://user:s3cret-word@127.0.0.1:1/fleet?password=s3cret-word",
  "http://user:s3cret-word@127.0.0.1/fleet",
  "postgres://user:s3cret-word@bad host/fleet",
])("a database that cannot be used is reported without its password: %s", async (url) => {
  const failure = await Promise.resolve()
    .then(() => FleetDatabase.open(databaseAddress(url, {})))
    .then(
      () => new Error("opened"),
      (thrown: unknown) => thrown,
    );
  expect(failure).toMatchObject({
    code: expect.stringMatching(/^FLEET_/),
    message: expect.stringMatching(/\w/),
  });
  expect(String(failure)).not.toContain("s3cret");
});

// A fleet as processes: three agents with their own racks and leases, one PostgreSQL, and failures in mid-night.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { databaseAddress } from "../../workflows/fleet/address.ts";
import { FleetDatabase } from "../../workflows/fleet/database.ts";
import { readLive } from "../../workflows/live/readLive.ts";
import { rackproof, startRackproof, temporaryFolder } from "../support/commandLine.ts";
import { lacksPostgres, type Postgres, startPostgres } from "../support/postgres.ts";

interface Night {
  readonly night: number;
  readonly exitCode: number;
  readonly gateways: readonly { gateway: string; outcome: string; reason?: string }[];
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let postgres: Postgres | undefined;
let database: FleetDatabase;
let url: string;
const agents = new Map<string, ReturnType<typeof startRackproof>>();

beforeAll(async () => {
  if (lacksPostgres()) return;
  folder = await temporaryFolder();
  postgres = await startPostgres();
  for (const [lab, gateways] of Object.entries({ a: 3, b: 2, c: 2, d: 1 }))
    await writeFile(
      join(folder.path, `${lab}.yaml`),
      `gateways:\n${Array.from({ length: gateways }, (_, index) => `  g${index}: { kind: process, labels: { model: m${index} } }\n`).join("")}`,
    );
});
afterEach(async () => {
  for (const [lab] of agents) await stopAgent(lab, "SIGTERM");
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

const fleet = (...words: string[]) => rackproof(words, { RACKPROOF_DATABASE: url });

async function newFleet(name: string): Promise<void> {
  await database?.[Symbol.asyncDispose]();
  url = (await postgres?.create(name)) ?? "";
  const { exitCode, stdout, stderr } = await fleet("fleet", "init");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).not.toContain(postgres?.password);
  database = await FleetDatabase.open(databaseAddress(url));
}

const oneCase = "services/listed-once";

const outOf = (lab: string): string => join(folder.path, url.slice(-3), lab);

/** Each lab has leases of its own, as on a host of its own. */
async function startAgent(lab: string, ...more: string[]): Promise<void> {
  const words = ["agent", "--rack", join(folder.path, `${lab}.yaml`), "--lab", lab, "--parallel", "2"];
  agents.set(
    lab,
    startRackproof([...words, ...more, "--labels", `site=${lab}`, "--out", outOf(lab)], {
      RACKPROOF_DATABASE: url,
      RACKPROOF_LEASES: join(folder.path, `${lab}.db`),
    }),
  );
  await vi.waitFor(
    async () =>
      expect(
        await database.run("SELECT 1 FROM rackproof.lab WHERE name = $1 AND state = 'running'", [lab]),
      ).toBe(1),
    { timeout: 20_000, interval: 100 },
  );
}

async function stopAgent(lab: string, signal: NodeJS.Signals): Promise<void> {
  const agent = agents.get(lab);
  agents.delete(lab);
  agent?.kill(signal);
  await agent;
}

async function night(selection: string, ...words: string[]): Promise<Night> {
  const all = ["--level", "smoke", "--select", selection, "--retries", "0", "--seed", "7"];
  const { exitCode, stdout, stderr } = await fleet("nightly", "--fleet", "--json", ...all, ...words);
  const result = JSON.parse(stdout === "" ? JSON.stringify({ exitCode, stderr }) : stdout) as Night;
  expect(result.exitCode).toBe(exitCode);
  return result;
}

/** Waits until a run has begun on the gateway; answers the number of its hold. */
async function runBegins(gateway: string): Promise<number> {
  return vi.waitFor(
    async () => {
      const [row] = await database.rows(
        Type.Object({ fence: Type.Number() }),
        "SELECT fence::float8 AS fence FROM rackproof.act WHERE gateway = $1 AND what = 'run begins'",
        [gateway],
      );
      if (row === undefined) throw new Error(`no run on ${gateway}`);
      return row.fence;
    },
    { timeout: 30_000, interval: 50 },
  );
}

async function resultsWait(lab: string): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(await readdir(join(outOf(lab), "spool"))).toContainEqual(expect.stringMatching(/\.json$/)),
    { timeout: 30_000, interval: 100 },
  );
}

const outcomes = ({ gateways }: Night): string[] =>
  gateways.map(({ gateway, outcome }) => `${gateway} ${outcome}`).toSorted();

const Pair = Type.Object({ gateway: Type.String(), first: Type.Number(), second: Type.Number() });

/** Pairs of holds, or of runs, of one gateway that were in force at the same time. */
async function overlaps(): Promise<Static<typeof Pair>[]> {
  const holds = await database.rows(
    Pair,
    `SELECT one.wire AS gateway, one.fence::float8 AS first, other.fence::float8 AS second
     FROM rackproof.past_hold one JOIN rackproof.past_hold other ON one.wire = other.wire AND one.fence < other.fence
     WHERE other.taken_at < one.ended_at`,
  );
  // A run that was killed has no end; no act of its hold may follow the first one of a later hold.
  const acts = await database.rows(
    Pair,
    `SELECT one.gateway, one.fence::float8 AS first, other.fence::float8 AS second
     FROM rackproof.act one JOIN rackproof.act other ON one.gateway = other.gateway AND one.fence < other.fence
     WHERE one.at >= other.at`,
  );
  return [...holds, ...acts];
}

const Count = Type.Object({ gateway: Type.String(), results: Type.Number(), fence: Type.Number() });

function countResults(id: number): Promise<Static<typeof Count>[]> {
  return database.rows(
    Count,
    `SELECT gateway, count(*)::float8 AS results, max(fence)::float8 AS fence FROM rackproof.result
     WHERE night = $1 GROUP BY gateway ORDER BY gateway`,
    [id],
  );
}

test.skipIf(lacksPostgres())(
  "a night over three labs ends with every result once when two agents are killed and one of them starts anew",
  async () => {
    await newFleet("one");
    await Promise.all(["a", "b", "c"].map((lab) => startAgent(lab)));
    const reserved = await fleet("reserve", "--labels", "site=a,model=m2", "--owner", "someone");
    expect(reserved).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^a\/g2 reserved until /) });
    const [result, killed] = await Promise.all([
      night(oneCase, "--wait-min", "0", "--silent-min", "0"),
      (async () => {
        const fence = await runBegins("c/g0");
        await stopAgent("c", "SIGKILL");
        await startAgent("c");
        await runBegins("b/g0");
        await stopAgent("b", "SIGKILL");
        return fence;
      })(),
    ]);
    expect(result.exitCode).toBe(3);
    const aside = new Map(result.gateways.map(({ gateway, reason }) => [gateway, reason]));
    expect(outcomes(result)).toEqual([
      "a/g0 conformant",
      "a/g1 conformant",
      "a/g2 set-aside",
      expect.stringMatching(/^b\/g0 (set-aside|conformant)$/),
      expect.stringMatching(/^b\/g1 (set-aside|conformant)$/),
      "c/g0 conformant",
      "c/g1 conformant",
    ]);
    expect(aside.get("a/g2")).toMatch(/^in use by someone since /);
    for (const gateway of ["b/g0", "b/g1"])
      expect(aside.get(gateway) ?? "no sign of life").toContain("no sign of life");
    const results = await countResults(result.night);
    expect(results.map(({ gateway, results: count }) => `${gateway} ${count}`)).toEqual(
      outcomes(result)
        .filter((line) => line.endsWith(" conformant"))
        .map((line) => line.replace(" conformant", " 1")),
    );
    expect(results.find(({ gateway }) => gateway === "c/g0")?.fence).toBeGreaterThan(killed);
    expect(await overlaps()).toEqual([]);
  },
);

test.skipIf(lacksPostgres())(
  "a database that restarts in mid-night loses no result, and a gateway has one user at a time",
  async () => {
    await newFleet("two");
    await Promise.all(["a", "b"].map((lab) => startAgent(lab)));
    const [result] = await Promise.all([
      night(oneCase),
      (async () => {
        await Promise.all([runBegins("a/g0"), runBegins("b/g0")]);
        await postgres?.stop();
        // The runs end while the database is away, and their results wait on the disk.
        await Promise.all(["a", "b"].map(resultsWait));
        await postgres?.start();
      })(),
    ]);
    expect(outcomes(result)).toEqual(
      [0, 1, 2].map((one) => `a/g${one} conformant`).concat([0, 1].map((one) => `b/g${one} conformant`)),
    );
    expect((await countResults(result.night)).map(({ results }) => results)).toEqual([1, 1, 1, 1, 1]);
    expect(await overlaps()).toEqual([]);
  },
);

test.skipIf(lacksPostgres())(
  "a run of a suspended agent stops acting when its hold expires, and the gateway is free then",
  async () => {
    await newFleet("six");
    await startAgent("d", "--hold-sec", "9");
    const [result, fence] = await Promise.all([
      night("services,users,log"),
      (async () => {
        const number = await runBegins("d/g0");
        const live = join(outOf("d"), `night-1/hold-${number}/g0/attempt-1`);
        await vi.waitFor(async () => expect((await passedCases(live)).length).toBeGreaterThan(0), {
          timeout: 30_000,
          interval: 50,
        });
        agents.get("d")?.kill("SIGSTOP");
        await vi.waitFor(
          async () =>
            expect(await fleet("reserve", "d/g0", "--owner", "next")).toMatchObject({ exitCode: 0 }),
          { timeout: 30_000, interval: 100 },
        );
        // The run ends by itself: it cannot act any more.
        await vi.waitFor(async () => expect(await hasEnded(live)).toBe(true), {
          timeout: 30_000,
          interval: 100,
        });
        agents.get("d")?.kill("SIGCONT");
        return number;
      })(),
    ]);
    expect(result).toMatchObject({ exitCode: 3, gateways: [{ gateway: "d/g0", outcome: "incomplete" }] });
    const [expired] = await database.rows(
      Type.Object({ ended_ms: Type.Number(), ending: Type.String() }),
      "SELECT (extract(epoch FROM ended_at) * 1000)::float8 AS ended_ms, ending FROM rackproof.past_hold WHERE fence = $1",
      [fence],
    );
    expect(expired?.ending).toBe("expired");
    const passed = await passedCases(join(outOf("d"), `night-1/hold-${fence}/g0/attempt-1`));
    // A case whose last request was sent in time may end a little later.
    expect(Math.max(...passed)).toBeLessThan((expired?.ended_ms ?? 0) + 300);
    expect(await overlaps()).toEqual([]);
  },
);

/** When each case passed, by the clock of this machine. */
async function passedCases(run: string): Promise<number[]> {
  const events = await readLive(run);
  return events.flatMap((event) => (event.kind === "finished" && event.verdict === "pass" ? [event.at] : []));
}

async function hasEnded(run: string): Promise<boolean> {
  return (await readLive(run)).some(({ kind }) => kind === "ended");
}

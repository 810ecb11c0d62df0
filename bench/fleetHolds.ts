// Holds of a large fleet: real agents that poll and give signs of life, and holds that are granted, renewed and released
// beside them. All clients are in this process; PostgreSQL is a server with its usual settings and has its own figure.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import Type from "typebox";
import { monotonicClock } from "../harness/index.ts";
import { temporaryFolder } from "../test/support/commandLine.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { runAgent } from "../workflows/fleet/agent.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { Dispatch } from "../workflows/fleet/dispatch.ts";
import { FleetHolds } from "../workflows/fleet/fleetHolds.ts";
import { GatewayHold } from "../workflows/fleet/gatewayHold.ts";
import { migrate } from "../workflows/fleet/schema.ts";
import { type BenchRow, outcomeOf } from "./table.ts";

const labs = 50;
const gatewaysOfLab = 20;
const nightsBefore = 365;
const [ttlMs, limitMs] = [120_000, 600_000];
const holdsPerSec = 100;
/** So many gateways are in use at a time as this is times the rate. */
const keptMs = 9000;
const lastingMs = 30_000;
const fastestMs = 10_000;
const limits = { grantMs: 50, holdsPerSec: 100, cores: 1 };

interface Gateway {
  readonly database: FleetDatabase;
  readonly holds: FleetHolds;
  readonly name: string;
}

export async function benchFleetHolds(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  // Each agent has up to four connections, and so has each of the clients here.
  const settings = ["fsync=on", `max_connections=${10 * labs}`];
  const postgres = stack.use(await startPostgres({ settings }));
  const url = await postgres.create("holds");
  const owner = stack.use(await FleetDatabase.open(databaseAddress(url)));
  await migrate(owner);
  stack.use(await Dispatch.open(owner, { mayMigrate: true }));
  const names = Array.from({ length: labs }, (_, lab) => `lab-${lab}`);
  const stop = new AbortController();
  const agents = names.map((lab) => idleAgent(url, lab, folder.path, stop.signal));
  stack.defer(async () => {
    stop.abort();
    await Promise.all(agents.map(({ ended }) => ended));
  });
  await Promise.all(agents.map(({ listed }) => listed));
  const gateways: Gateway[] = [];
  for (const lab of names) {
    const database = stack.use(await FleetDatabase.open(databaseAddress(url)));
    const holds = new FleetHolds(database);
    for (let one = 0; one < gatewaysOfLab; one++) gateways.push({ database, holds, name: `${lab}/g${one}` });
  }
  await storeFormerHolds(owner);
  // Agents that poll have connections already.
  await takeFast(gateways, 1000);
  const paced = await measured(owner, () => takePaced(gateways));
  const fastest = await measured(owner, () => takeFast(gateways, fastestMs));
  const title = `${gateways.length} gateways on ${labs} agents`;
  const row = (what: string, value: string, limit: string, holds: boolean, peer = "-"): BenchRow => ({
    what: `${title}: ${what}`,
    measured: value,
    peer,
    ratio: "-",
    limit,
    outcome: outcomeOf(holds),
  });
  const rate = fastest.grantsMs.length / (fastest.tookMs / 1000);
  const p99Ms = quantile(paced.grantsMs, 0.99);
  return [
    row(
      `a hold at ${holdsPerSec}/s, up to ${paced.mostInUse} in use`,
      `p50 ${quantile(paced.grantsMs, 0.5).toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, most ${Math.max(...paced.grantsMs).toFixed(0)} ms, ${paced.grantsMs.length} of ${(holdsPerSec * lastingMs) / 1000} granted`,
      `p99 at most ${limits.grantMs} ms`,
      p99Ms <= limits.grantMs,
      `SELECT 1 meanwhile: p99 ${quantile(paced.emptyMs, 0.99).toFixed(1)} ms`,
    ),
    row(
      "processor time of PostgreSQL meanwhile",
      `${paced.cores.toFixed(2)} cores`,
      `at most ${limits.cores} core`,
      paced.cores <= limits.cores,
    ),
    row(
      `as fast as possible, ${labs} at a time`,
      `${rate.toFixed(0)} holds/s, PostgreSQL ${fastest.cores.toFixed(2)} cores`,
      `at least ${limits.holdsPerSec} holds/s`,
      rate >= limits.holdsPerSec,
    ),
  ];
}

/** The agent of a lab to whom no turn is given. */
function idleAgent(url: string, lab: string, folder: string, signal: AbortSignal) {
  const { promise: listed, resolve } = Promise.withResolvers<void>();
  const ended = runAgent({
    address: databaseAddress(url),
    lab,
    host: lab,
    suite: [],
    suiteVersion: "1",
    suites: {},
    gateways: Array.from({ length: gatewaysOfLab }, (_, one) => {
      const name = `g${one}`;
      const entry = {
        name,
        labels: {},
        equipment: [],
        capabilities: [],
        rig: lab,
        installs: false,
        suites: [],
      };
      return { gateway: { kind: "process", name }, wires: [`${lab}/${name}`], entry };
    }),
    rackWords: [],
    out: join(folder, lab),
    parallel: 2,
    holdMs: ttlMs,
    clock: monotonicClock,
    signal,
    say: (line) => line.includes("gateways listed") && resolve(),
    checkWires: () => Promise.resolve([]),
    runAttempt: () => Promise.reject(new Error("no turn was queued")),
    isStated: () => false,
    leaseFile: join(folder, `${lab}.db`),
  });
  return { listed, ended };
}

/** What years of nights have left. */
async function storeFormerHolds(owner: FleetDatabase): Promise<void> {
  await owner.run(
    `INSERT INTO rackproof.past_hold
     SELECT gateway.id, nextval('rackproof.fence'), gateway.id || night, gateway.id, 'agent', 'night', at, at + interval '1 h', 'released'
     FROM generate_series(1, $1::integer) AS night, rackproof.gateway,
       LATERAL (SELECT clock_timestamp() - night * interval '1 day' AS at) AS moment`,
    [nightsBefore],
  );
  await owner.run("VACUUM ANALYZE");
}

interface Load {
  readonly grantsMs: readonly number[];
  /** Of statements that do nothing: what machine and clients add. */
  readonly emptyMs: readonly number[];
  readonly mostInUse: number;
}

/** Takes gateways at the rate, whatever the answers; each is used for some time under renewals. */
async function takePaced(gateways: readonly Gateway[]): Promise<Load> {
  const grantsMs: number[] = [];
  const emptyMs: number[] = [];
  let [inUse, mostInUse] = [0, 0];
  const uses: Promise<void>[] = [];
  const beganMs = performance.now();
  for (let number = 0; number < (holdsPerSec * lastingMs) / 1000; number++) {
    const dueMs = beganMs + (number * 1000) / holdsPerSec;
    await monotonicClock.delay(dueMs - performance.now());
    const gateway = gateways[number % gateways.length];
    if (gateway === undefined) continue;
    const use = async (): Promise<void> => {
      const hold = await GatewayHold.take(gateway.holds, wish(gateway, number), monotonicClock);
      // Its release is late.
      if (!(hold instanceof GatewayHold)) return;
      // From the moment at which it was due: a client that is late counts too.
      grantsMs.push(performance.now() - dueMs);
      await using _released = hold;
      mostInUse = Math.max(mostInUse, ++inUse);
      await monotonicClock.delay(keptMs);
      inUse -= 1;
    };
    const empty = async (): Promise<void> => {
      await gateway.database.run("SELECT 1");
      emptyMs.push(performance.now() - dueMs);
    };
    uses.push(use(), empty());
  }
  await Promise.all(uses);
  return { grantsMs, emptyMs, mostInUse };
}

/** Each lab takes and releases its gateways, one after the other. */
async function takeFast(gateways: readonly Gateway[], forMs: number): Promise<Load> {
  const grantsMs: number[] = [];
  const untilMs = performance.now() + forMs;
  await Promise.all(
    Array.from({ length: labs }, async (_, lab) => {
      for (let number = 0; performance.now() < untilMs; number++) {
        const gateway = gateways[lab * gatewaysOfLab + (number % gatewaysOfLab)];
        if (gateway === undefined) continue;
        const beganMs = performance.now();
        const answer = await gateway.holds.take(wish(gateway, number));
        grantsMs.push(performance.now() - beganMs);
        if (!("taken" in answer)) throw new Error(`${gateway.name} is in use`);
        await gateway.holds.release(answer.taken.id);
      }
    }),
  );
  return { grantsMs, emptyMs: [], mostInUse: labs };
}

const wish = ({ name }: Gateway, number: number) => ({
  id: `${name} ${number} ${performance.now()}`,
  owner: "bench",
  gateway: name,
  wires: [name],
  ttlMs,
  limitMs,
});

async function measured(
  owner: FleetDatabase,
  action: () => Promise<Load>,
): Promise<Load & { readonly cores: number; readonly tookMs: number }> {
  const [beforeSec, beganMs] = [await processorSec(owner), performance.now()];
  const load = await action();
  const tookMs = performance.now() - beganMs;
  return { ...load, tookMs, cores: ((await processorSec(owner)) - beforeSec) / (tookMs / 1000) };
}

/** Processor time of the server and all of its processes, also of those that have ended. */
async function processorSec(owner: FleetDatabase): Promise<number> {
  const [row] = await owner.rows(Type.Object({ pid: Type.Number() }), "SELECT pg_backend_pid() AS pid");
  const server = (await statOf(row?.pid ?? 0))?.parent;
  const { stdout } = await execa("getconf", ["CLK_TCK"]);
  const stats = await Promise.all(
    (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map((pid) => statOf(Number(pid))),
  );
  const ticks = stats
    .flatMap((stat) => (stat === undefined ? [] : [stat]))
    .map(({ pid, parent, ticks: own, endedTicks }) =>
      pid === server ? own + endedTicks : parent === server ? own : 0,
    )
    .reduce((sum, one) => sum + one, 0);
  return ticks / Number(stdout);
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  /** Of children that have ended. */
  readonly endedTicks: number;
}

async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  // The name of the program, which may contain blanks, is in parentheses.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (field) => fields[field] ?? 0,
  );
  return { pid, parent, ticks: user + system, endedTicks: endedUser + endedSystem };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

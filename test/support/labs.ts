// Labs of a fleet as processes of this machine, each with a rack and leases of its own, and what the database shows of them.
import { readdir, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { vi } from "vitest";
import { databaseAddress } from "../../workflows/fleet/address.ts";
import { FleetDatabase } from "../../workflows/fleet/database.ts";
import { rackproof, type RunningCommand, startRackproof, temporaryFolder } from "./commandLine.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

export interface Night {
  readonly night: number;
  readonly exitCode: number;
  readonly gateways: readonly { gateway: string; outcome: string; reason?: string }[];
}

const Pair = Type.Object({ gateway: Type.String(), first: Type.Number(), second: Type.Number() });
const Count = Type.Object({ gateway: Type.String(), results: Type.Number(), fence: Type.Number() });

export class Labs implements AsyncDisposable {
  readonly postgres: Postgres;
  readonly database: FleetDatabase;
  readonly #url: string;
  readonly #folder: string;
  readonly #agents = new Map<string, RunningCommand>();
  readonly #stack: AsyncDisposableStack;

  private constructor(
    postgres: Postgres,
    database: FleetDatabase,
    url: string,
    folder: string,
    stack: AsyncDisposableStack,
  ) {
    this.postgres = postgres;
    this.database = database;
    this.#url = url;
    this.#folder = folder;
    this.#stack = stack;
  }

  /** A new fleet; each lab has this number of gateways, `g0` and so on. */
  static async make(gateways: Readonly<Record<string, number>>): Promise<Labs> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder());
    const postgres = stack.use(await startPostgres());
    const url = await postgres.create("fleet");
    for (const [lab, count] of Object.entries(gateways)) {
      const entries = Array.from(
        { length: count },
        (_, index) => `  g${index}: { kind: process, labels: { model: m${index} } }\n`,
      );
      await writeFile(join(folder.path, `${lab}.yaml`), `gateways:\n${entries.join("")}`);
    }
    const { exitCode, stdout, stderr } = await rackproof(["fleet", "init"], { RACKPROOF_DATABASE: url });
    if (exitCode !== 0 || `${stdout}${stderr}`.includes(postgres.password))
      throw new Error(`fleet init: exit code ${exitCode ?? "none"}: ${stdout}${stderr}`);
    const database = stack.use(await FleetDatabase.open(databaseAddress(url)));
    return new Labs(postgres, database, url, folder.path, stack.move());
  }

  run(...words: string[]) {
    return rackproof(words, { RACKPROOF_DATABASE: this.#url });
  }

  /** The same, left running; the caller ends it. */
  begin(...words: string[]): RunningCommand {
    return startRackproof(words, { RACKPROOF_DATABASE: this.#url });
  }

  /** Waits until nobody has the gateway. */
  async isFree(gateway: string): Promise<void> {
    const query = "SELECT 1 FROM rackproof.hold WHERE gateway = $1 AND expires_at > clock_timestamp()";
    await until(
      `end of the hold of ${gateway}`,
      async () => (await this.database.run(query, [gateway])) === 0,
    );
  }

  out(lab: string): string {
    return join(this.#folder, lab);
  }

  /** Each lab has leases of its own, as on a host of its own; `url` is the way to the database. */
  async start(lab: string, more: readonly string[] = [], url = this.#url): Promise<void> {
    const words = ["agent", "--rack", join(this.#folder, `${lab}.yaml`), "--lab", lab, "--parallel", "2"];
    this.#agents.set(
      lab,
      startRackproof([...words, ...more, "--labels", `site=${lab}`, "--out", this.out(lab)], {
        RACKPROOF_DATABASE: url,
        RACKPROOF_LEASES: join(this.#folder, `${lab}.db`),
      }),
    );
    const query = "SELECT 1 FROM rackproof.lab WHERE name = $1 AND state = 'running'";
    await until(`agent of ${lab}`, async () => (await this.database.run(query, [lab])) === 1);
  }

  signal(lab: string, signal: NodeJS.Signals): void {
    this.#agents.get(lab)?.kill(signal);
  }

  /** Ends the agent and waits for its end. */
  async end(lab: string, signal: NodeJS.Signals): Promise<void> {
    const agent = this.#agents.get(lab);
    this.#agents.delete(lab);
    agent?.kill(signal);
    // One that is suspended receives no other signal.
    agent?.kill("SIGCONT");
    await agent;
  }

  async night(selection: string, ...words: string[]): Promise<Night> {
    const all = ["--level", "smoke", "--select", selection, "--retries", "0", "--seed", "7"];
    const { exitCode, stdout, stderr } = await this.run("nightly", "--fleet", "--json", ...all, ...words);
    const result = JSON.parse(stdout === "" ? JSON.stringify({ exitCode: 2 }) : stdout) as Night;
    if (result.exitCode !== exitCode || stdout === "")
      throw new Error(`night: exit code ${exitCode ?? "none"}: ${stderr}`);
    return result;
  }

  /** Waits until a run has begun on the gateway; answers the number of its hold. */
  async runBegins(gateway: string): Promise<number> {
    let fence: number | undefined;
    await until(`run on ${gateway}`, async () => {
      const [row] = await this.database.rows(
        Type.Object({ fence: Type.Number() }),
        "SELECT fence::float8 AS fence FROM rackproof.act WHERE gateway = $1 AND what = 'run begins'",
        [gateway],
      );
      fence = row?.fence;
      return fence !== undefined;
    });
    return fence ?? 0;
  }

  /** Waits until this share of the turns of all nights has ended. */
  async turnsEnd(share: number): Promise<void> {
    await until(`end of ${share} of the turns`, async () => {
      const [row] = await this.database.rows(
        Type.Object({ share: Type.Number() }),
        "SELECT avg((state IN ('done', 'set-aside'))::integer)::float8 AS share FROM rackproof.turn HAVING count(*) > 0",
      );
      return (row?.share ?? 0) >= share;
    });
  }

  /** Waits until a result of the lab is on its disk, because the database is away. */
  async resultsWait(lab: string): Promise<void> {
    await until(`result on the disk of ${lab}`, async () =>
      (await readdir(join(this.out(lab), "spool")).catch(() => [])).some((name) => name.endsWith(".json")),
    );
  }

  /** Pairs of holds, or of runs, of one gateway that were in force at the same time. */
  async overlaps(): Promise<Static<typeof Pair>[]> {
    const holds = await this.database.rows(
      Pair,
      `SELECT one.wire AS gateway, one.fence::float8 AS first, other.fence::float8 AS second
       FROM rackproof.past_hold one JOIN rackproof.past_hold other ON one.wire = other.wire AND one.fence < other.fence
       WHERE other.taken_at < one.ended_at`,
    );
    // A run that was killed has no end; no act of its hold may follow the first one of a later hold.
    const acts = await this.database.rows(
      Pair,
      `SELECT one.gateway, one.fence::float8 AS first, other.fence::float8 AS second
       FROM rackproof.act one JOIN rackproof.act other ON one.gateway = other.gateway AND one.fence < other.fence
       WHERE one.at >= other.at`,
    );
    return [...holds, ...acts];
  }

  /** Number of results of each gateway, and the number of the hold of the last one. */
  countResults(night: number): Promise<Static<typeof Count>[]> {
    return this.database.rows(
      Count,
      `SELECT gateway, count(*)::float8 AS results, max(fence)::float8 AS fence FROM rackproof.result
       WHERE night = $1 GROUP BY gateway ORDER BY gateway`,
      [night],
    );
  }

  /** A way to the database that can be cut: bytes are lost then, and no connection is closed. */
  async cuttable(): Promise<{ readonly url: string; cut(): void; heal(): void }> {
    let isCut = false;
    const sockets = new Set<Socket>();
    const { port } = new URL(this.#url);
    const proxy = createServer((near) => {
      const far = connect(Number(port), "127.0.0.1");
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on("error", () => undefined);
        from.on("data", (bytes) => isCut || to.write(bytes));
        from.on("close", () => {
          sockets.delete(from);
          to.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const close = (): void => {
      for (const socket of sockets) socket.destroy();
    };
    this.#stack.defer(() => {
      proxy.close();
      close();
    });
    const { port: own } = proxy.address() as AddressInfo;
    return {
      url: this.#url.replace(`:${port}/`, `:${own}/`),
      cut: () => void (isCut = true),
      heal: () => {
        isCut = false;
        close();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#agents.keys()].map((lab) => this.end(lab, "SIGTERM")));
    await this.#stack.disposeAsync();
  }
}

const withinMs = 170_000;

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(
    async () => {
      if (!(await holds())) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
    },
    { timeout: withinMs, interval: 50 },
  );
}

/** The end of each gateway, with the reason where there is one. */
export const outcomes = ({ gateways }: Night): string[] =>
  gateways
    .map(
      ({ gateway, outcome, reason }) => `${gateway} ${outcome}${reason === undefined ? "" : `: ${reason}`}`,
    )
    .toSorted();

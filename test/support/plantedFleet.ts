// A fleet with a cause to find: PostgreSQL, agents, dispatch, holds and install commands are real; the runs are simulated.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { monotonicClock } from "../../harness/clock.ts";
import type { RackGateway } from "../../harness/rack/rackFile.ts";
import { testCase } from "../../harness/suite/case.ts";
import type { Cause } from "../../record/index.ts";
import { campaignWith } from "../../record/testing/campaigns.ts";
import { databaseAddress } from "../../workflows/fleet/address.ts";
import { runAgent } from "../../workflows/fleet/agent.ts";
import { findCauses } from "../../workflows/fleet/causeSearch.ts";
import { FleetDatabase } from "../../workflows/fleet/database.ts";
import { Dispatch } from "../../workflows/fleet/dispatch.ts";
import { runFleetNight } from "../../workflows/fleet/fleetNight.ts";
import { migrate } from "../../workflows/fleet/schema.ts";
import type { AttemptResult, AttemptWish } from "../../workflows/nightly/attempt.ts";
import { temporaryFolder } from "./commandLine.ts";

/** The conditions of one run. */
export interface RunFacts {
  readonly gateway: string;
  readonly lab: string;
  readonly firmware: string;
  readonly suite: string;
}

export interface Planted {
  /** Whether the case fails in a run. */
  fails: (facts: RunFacts) => boolean;
}

const caseId = "x/a";
const requirement = "CORE-A-01";
const suite = [
  testCase({
    id: caseId,
    title: "a",
    group: "general",
    requirements: [requirement],
    effect: "read-only",
    touches: [],
    run: () => Promise.resolve(),
  }),
];
export const [older, newer] = ["0.9", "1.0"] as const;
const labs = { a: ["left", "right"], b: ["third"] } as const;
const write = "require('fs').writeFileSync(process.argv[1], process.argv[2])";

export class PlantedFleet implements AsyncDisposable {
  readonly database: FleetDatabase;
  readonly folder: string;
  readonly #dispatch: Dispatch;
  readonly #url: string;
  readonly #stack: AsyncDisposableStack;
  readonly #planted: Planted;
  #stopAgents: () => Promise<unknown> = () => Promise.resolve();

  private constructor(
    database: FleetDatabase,
    dispatch: Dispatch,
    url: string,
    folder: string,
    planted: Planted,
    stack: AsyncDisposableStack,
  ) {
    this.database = database;
    this.#dispatch = dispatch;
    this.#url = url;
    this.folder = folder;
    this.#planted = planted;
    this.#stack = stack;
  }

  /** Two gateways on one rig and one on another, all of one type; the database is empty. */
  static async make(url: string, planted: Planted): Promise<PlantedFleet> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder()).path;
    const database = stack.use(await FleetDatabase.open(databaseAddress(url)));
    await migrate(database);
    const dispatch = stack.use(await Dispatch.open(database, { mayMigrate: true }));
    return new PlantedFleet(database, dispatch, url, folder, planted, stack.move());
  }

  #firmwareFile(lab: string, name: string): string {
    return join(this.folder, `${lab}-${name}.firmware`);
  }

  async putFirmware(version: string): Promise<void> {
    for (const [lab, names] of Object.entries(labs))
      for (const name of names) await writeFile(this.#firmwareFile(lab, name), version);
  }

  firmwareOf(lab: string, name: string): Promise<string> {
    return readFile(this.#firmwareFile(lab, name), "utf8");
  }

  /** Agents of a release; those of another one end first. */
  async startAgents(suiteVersion: string): Promise<void> {
    await this.#stopAgents();
    const stop = new AbortController();
    const listed = new Set<string>();
    const { promise: areListed, resolve } = Promise.withResolvers<void>();
    const agents = Object.entries(labs).map(([lab, names]) =>
      runAgent({
        address: databaseAddress(this.#url),
        lab,
        host: "one",
        suite,
        suiteVersion,
        suites: { [older]: ["older release"] },
        gateways: names.map((name) => {
          const install = {
            command: [process.execPath, "-e", write, this.#firmwareFile(lab, name), "{firmware}"],
          };
          const gateway: RackGateway = {
            kind: "remote",
            name,
            url: "http://192.0.2.1",
            profileFile: "p.yaml",
            install,
          };
          const entry = {
            name,
            labels: { model: "X" },
            equipment: [],
            capabilities: [],
            rig: lab,
            installs: true,
            suites: [older],
          };
          return { gateway, wires: [`${lab}/${name}`], entry };
        }),
        rackWords: [],
        out: join(this.folder, lab),
        parallel: 2,
        holdMs: 60_000,
        clock: monotonicClock,
        signal: stop.signal,
        say: (line) => {
          // Its queue exists then.
          if (line.includes("gateways listed")) listed.add(lab);
          if (listed.size === Object.keys(labs).length) resolve();
        },
        checkWires: () => Promise.resolve([]),
        runAttempt: (wish) => this.#run(lab, suiteVersion, wish),
        isStated: () => true,
        leaseFile: join(this.folder, `${lab}.db`),
      }),
    );
    const ended = Promise.all(agents);
    this.#stopAgents = () => {
      stop.abort();
      return ended;
    };
    await Promise.race([areListed, ended]);
  }

  async #run(lab: string, suiteVersion: string, wish: AttemptWish): Promise<AttemptResult> {
    const firmware = await this.firmwareOf(lab, wish.gateway);
    const facts = {
      gateway: wish.gateway,
      lab,
      firmware,
      suite: wish.launcher === undefined ? suiteVersion : older,
    };
    const verdict = this.#planted.fails(facts) ? "fail" : "pass";
    const record = campaignWith();
    return {
      ending: "exit code 0",
      record: { ...record, gateway: { ...record.gateway, version: firmware } },
      concluded: [{ id: caseId, verdict, durationMs: 1, decided: [{ requirement, verdict }] }],
    };
  }

  /** A night, and what is found about its new failures. */
  async night(suiteVersion: string, budgetMs = 120_000): Promise<readonly Cause[]> {
    const options = {
      database: this.database,
      dispatch: this.#dispatch,
      suite,
      suiteVersion,
      labels: {},
      level: "smoke",
      selection: "",
      seed: 1,
      retries: 1,
      limitMs: 60_000,
      waitMs: 60_000,
      silentMs: 60_000,
      startedBy: "a test",
      clock: monotonicClock,
      signal: new AbortController().signal,
      say: () => undefined,
      finished: () => undefined,
    } as const;
    return findCauses({ ...options, budgetMs }, await runFleetNight(options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stopAgents();
    await this.#stack.disposeAsync();
  }
}

// The agent of a lab: lists its gateways in the fleet, takes their turns, and pushes their results. A database that is
// away delays it, but does not end it.
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Lease } from "../leases/lease.ts";
import type { DatabaseAddress } from "./address.ts";
import { type AgentGateway, type AgentSurroundings, agentTurn } from "./agentTurn.ts";
import { FleetDatabase, failureText } from "./database.ts";
import { type Delivery, Dispatch, type QueuedTurn, turnKinds } from "./dispatch.ts";
import { revokedHolds } from "./fleetHolds.ts";
import { endedNights, settleKilledNights, settleRuns, turnKey } from "./fleetNights.ts";
import {
  beatLab,
  gatewayId,
  type GatewayEntry,
  holdPrefix,
  type LabEntry,
  labTtlMs,
  registerLab,
  stopLab,
  waitingTurns,
} from "./register.ts";
import { Spool } from "./results.ts";
import { requireSchema } from "./schema.ts";
import { UsageError, messageOf } from "../../record/index.ts";

export interface AgentOptions extends Omit<
  AgentSurroundings,
  "session" | "database" | "spool" | "stopped" | "lab"
> {
  readonly address: DatabaseAddress;
  readonly lab: string;
  readonly suiteVersion: string;
  readonly gateways: readonly (AgentGateway & { readonly entry: GatewayEntry })[];
  /** Turns at the same time. */
  readonly parallel: number;
  /** Aborted when the agent is to stop. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const beatMs = 5000;
const pollMs = 1000;
const againMs = 2000;
/** Within this time after an outage every command that runs has given a sign of life. */
const signOfLifeMs = 25_000;
/** The lease of the agent itself ends with its process; it is not to expire while the process is suspended. */
const dayMs = 24 * 3_600_000;
const agentLease = { ttlMs: 20 * dayMs, limitMs: 3650 * dayMs };

/** Runs until the signal; throws a UsageError when another agent speaks for the lab. */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { lab, leaseFile, signal } = options;
  // One agent of a lab on this machine: when this one has the lease, every former one has ended.
  using only = Lease.take({
    gateway: `agent of lab ${lab}`,
    wires: [`agent ${lab}`],
    owner: `rackproof agent, process ${process.pid}`,
    ...agentLease,
    ...(leaseFile === undefined ? {} : { file: leaseFile }),
  });
  await mkdir(options.out, { recursive: true });
  const database = await opened(options);
  if (database === undefined) return;
  await using _closed = database;
  await new Agent(options, database, AbortSignal.any([signal, only.lost])).run();
}

/** The database as soon as it answers; undefined when the agent is stopped before. */
async function opened({ address, signal, clock, say }: AgentOptions): Promise<FleetDatabase | undefined> {
  for (let first = true; !signal.aborted; first = false) {
    try {
      const database = await FleetDatabase.open(address);
      await requireSchema(database);
      return database;
    } catch (thrown) {
      if (!(thrown instanceof UsageError) || thrown.code !== "FLEET_UNREACHABLE") throw thrown;
      if (first) say(`${thrown.message}; waiting for it`);
    }
    await clock.delay(againMs, signal).catch(() => undefined);
  }
  return undefined;
}

interface RunningTurn {
  readonly delivery: Delivery;
  readonly holdId: string;
  readonly ended: AbortController;
  readonly revoked: AbortController;
}

class Agent {
  readonly #options: AgentOptions;
  readonly #database: FleetDatabase;
  readonly #stop = new AbortController();
  readonly #lab: LabEntry;
  readonly #spool: Spool;
  readonly #running = new Map<string, RunningTurn>();
  readonly #turns = new Map<Promise<void>, QueuedTurn["kind"]>();
  #away = "";
  /** Holds of runs that have ended since the last beat. */
  readonly #ended = new Set<string>();
  #isReplaced = false;
  #mayHaveLost = false;
  #answersSinceMs: number;

  constructor(options: AgentOptions, database: FleetDatabase, signal: AbortSignal) {
    this.#options = options;
    this.#database = database;
    const { lab: name, host, suiteVersion, parallel, clock } = options;
    this.#lab = { name, session: randomUUID(), host, suiteVersion, parallel };
    this.#spool = new Spool(join(options.out, "spool"));
    this.#answersSinceMs = clock.nowMs();
    const stop = (): void => this.#stop.abort(new Error("the agent was stopped"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  }

  /** Throws a UsageError when another agent speaks for the lab. */
  async run(): Promise<void> {
    const begun = await this.#begin();
    if (begun === undefined) return;
    await using dispatch = begun;
    const { gateways, say } = this.#options;
    say(`lab ${this.#lab.name}: ${gateways.length} gateways listed in ${this.#database.address.shown}`);
    const beating = this.#beatUntilStopped(dispatch);
    try {
      await this.#takeTurns(dispatch);
    } finally {
      this.#stop.abort(new Error("the agent was stopped"));
      await Promise.all(this.#turns.keys());
      await beating;
      await this.#whenAnswering(() => this.#pushResults());
      await this.#whenAnswering(() => stopLab(this.#database, this.#lab));
    }
    if (this.#isReplaced)
      throw new UsageError("FLEET_LAB_TAKEN", `lab ${this.#lab.name}: a later agent speaks for it`);
  }

  /** Enters the lab as soon as the database answers; undefined when the agent is stopped before. */
  async #begin(): Promise<Dispatch | undefined> {
    const { clock } = this.#options;
    // A former process on another machine is awaited until its expiry.
    const untilMs = clock.nowMs() + labTtlMs + againMs;
    while (!this.#stop.signal.aborted) {
      let refusal: UsageError | undefined;
      const dispatch = await this.#whenAnswering(() =>
        this.#enter().catch((thrown: unknown) => {
          if (!(thrown instanceof UsageError)) throw thrown;
          refusal = thrown;
          return undefined;
        }),
      );
      if (dispatch !== undefined) return dispatch;
      if (refusal !== undefined && clock.nowMs() > untilMs) throw refusal;
      await this.#delay(againMs);
    }
    return undefined;
  }

  async #enter(): Promise<Dispatch> {
    // Results of a former process count before its turns are queued again.
    await this.#pushResults();
    const entries = this.#options.gateways.map(({ entry }) => entry);
    await using stack = new AsyncDisposableStack();
    const dispatch = stack.use(await Dispatch.open(this.#database, { supervises: true }));
    // The queue exists before the lab is listed: a night that begins in between finds both or none.
    await dispatch.serve(this.#lab.name);
    await dispatch.offer(this.#lab.name, await registerLab(this.#database, this.#lab, entries));
    stack.move();
    return dispatch;
  }

  async #takeTurns(dispatch: Dispatch): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const kinds = turnKinds.filter((kind) => this.#hasRoom(kind));
      const delivery = await this.#whenAnswering(() => dispatch.next(this.#lab.name, kinds));
      await this.#whenAnswering(() => this.#endUnwanted());
      if (delivery === undefined) await this.#delay(pollMs);
      else this.#start(delivery);
    }
  }

  /** Somebody waits for a run, and has the gateway already: turns of nights take no place from it. */
  #hasRoom(kind: QueuedTurn["kind"]): boolean {
    return [...this.#turns.values()].filter((one) => one === kind).length < this.#options.parallel;
  }

  #start(delivery: Delivery): void {
    const work = this.#turn(delivery).finally(() => this.#turns.delete(work));
    this.#turns.set(work, delivery.kind ?? "night");
  }

  /** Ends turns whose night has ended or whose hold was revoked. */
  async #endUnwanted(): Promise<void> {
    if (this.#running.size === 0) return;
    const running = [...this.#running.values()];
    const nights = await endedNights(
      this.#database,
      running.map(({ delivery }) => delivery.night),
    );
    for (const { delivery, ended } of running)
      if (nights.has(delivery.night))
        ended.abort(new Error(`${delivery.kind ?? "night"} ${delivery.night} has ended`));
    const revoked = new Set(await revokedHolds(this.#database, holdPrefix(this.#lab.name)));
    for (const one of running)
      if (revoked.has(one.holdId)) one.revoked.abort(new Error("its hold was revoked"));
  }

  async #turn(delivery: Delivery): Promise<void> {
    const { gateways, say } = this.#options;
    const { night, gateway: id } = delivery;
    const found = gateways.find(({ gateway }) => gatewayId(this.#lab.name, gateway.name) === id);
    if (found === undefined) return this.#settle(delivery, "settled");
    const [ended, revoked] = [new AbortController(), new AbortController()];
    const key = turnKey(delivery);
    // A second delivery of the same turn is not started beside it.
    if (this.#running.has(key)) return this.#settle(delivery, "settled");
    const holdId = delivery.hold ?? `${holdPrefix(this.#lab.name)}${randomUUID()}`;
    this.#running.set(key, { delivery, holdId, ended, revoked });
    try {
      const surroundings: AgentSurroundings = {
        ...this.#options,
        session: this.#lab.session,
        database: this.#database,
        spool: this.#spool,
        stopped: this.#stop.signal,
      };
      const answer = await agentTurn(
        surroundings,
        { name: { night, gateway: id }, holdId, ended: ended.signal, revoked: revoked.signal },
        found,
      );
      await this.#whenAnswering(() => this.#pushResults());
      await this.#settle(delivery, answer);
    } catch (thrown) {
      say(`${delivery.kind ?? "night"} ${night}, ${id}: ${failureText(thrown)}`);
      await this.#settle(delivery, "again");
    } finally {
      this.#running.delete(key);
      this.#ended.add(holdId);
    }
  }

  async #settle(delivery: Delivery, answer: "again" | "settled"): Promise<void> {
    await this.#whenAnswering(() => (answer === "again" ? delivery.later() : delivery.done()));
  }

  async #pushResults(): Promise<void> {
    for (const line of await this.#spool.push(this.#database)) this.#options.say(line);
  }

  async #beatUntilStopped(dispatch: Dispatch): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#whenAnswering(() => this.#beat(dispatch));
      await this.#delay(beatMs);
    }
  }

  async #beat(dispatch: Dispatch): Promise<void> {
    if (!(await beatLab(this.#database, this.#lab))) {
      this.#isReplaced = true;
      this.#stop.abort(new Error("a later agent speaks for the lab"));
      return;
    }
    // After an outage the commands of the nights must be able to give a sign of life first.
    if (this.#options.clock.nowMs() - this.#answersSinceMs > signOfLifeMs)
      await settleKilledNights(this.#database);
    for (const { delivery } of this.#running.values()) await delivery.touch();
    await this.#pushResults();
    await this.#recover(dispatch);
  }

  /** Settles what an outage has left: holds without a release, turns without a result, lost deliveries. */
  async #recover(dispatch: Dispatch): Promise<void> {
    const { name } = this.#lab;
    const ended = [...this.#ended];
    if (ended.length > 0) await dispatch.offer(name, await settleRuns(this.#database, ended));
    for (const id of ended) this.#ended.delete(id);
    if (!this.#mayHaveLost) return;
    await dispatch.offer(name, await waitingTurns(this.#database, name));
    this.#mayHaveLost = false;
  }

  /** The answer, or undefined while the database is away; each outage is reported once. */
  async #whenAnswering<T>(action: () => Promise<T>): Promise<T | undefined> {
    const { say, clock } = this.#options;
    try {
      const answer = await action();
      if (this.#away !== "") {
        say(`database ${this.#database.address.shown}: answers again`);
        this.#away = "";
        this.#mayHaveLost = true;
        this.#answersSinceMs = clock.nowMs();
      }
      return answer;
    } catch (thrown) {
      if (this.#away === "")
        say(
          `database ${this.#database.address.shown}: ${failureText(thrown)}; runs continue to the end of their holds`,
        );
      this.#away = messageOf(thrown);
      return undefined;
    }
  }

  async #delay(delayMs: number): Promise<void> {
    await this.#options.clock.delay(delayMs, this.#stop.signal).catch(() => undefined);
  }
}

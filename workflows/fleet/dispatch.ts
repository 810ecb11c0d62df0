// Turns on their way to the labs: one queue a lab. It only delivers; whether a turn may begin is decided by its hold
// and its row. A delivery that is lost, late or repeated does no harm.
import type { PgBoss } from "pg-boss";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { FleetDatabase } from "./database.ts";

/** A turn by its night and the gateway's name in the fleet. */
export const TurnName = Type.Object({ night: Type.Integer(), gateway: Type.String() });
export type TurnName = Static<typeof TurnName>;

/** A night of all gateways, or a run that somebody waits for. */
export const turnKinds = ["night", "run"] as const;
const QueuedTurn = Type.Object({
  ...TurnName.properties,
  kind: Type.Optional(Type.Enum([...turnKinds])),
  /** The hold that was granted for it. */
  hold: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
/** A turn as it is queued. */
export type QueuedTurn = Static<typeof QueuedTurn>;
export { QueuedTurn as queuedTurnSchema };

/** A turn that was delivered, until it is settled. */
export interface Delivery extends QueuedTurn {
  /** Settles it for good. */
  readonly done: () => Promise<void>;
  /** Delivers it again after some seconds. */
  readonly later: () => Promise<void>;
  /** Keeps it from being delivered to a restarted agent. */
  readonly touch: () => Promise<void>;
}

const schema = "rackproof_queue";
/** A delivery whose agent ended without settling it is delivered again after this time. */
const heartbeatSec = 60;
const againAfterSec = 5;
const longestSec = 23 * 3600;
const alwaysAgain = 1_000_000;

export class Dispatch implements AsyncDisposable {
  readonly #boss: PgBoss;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** `mayMigrate` creates or updates the tables of the queues; `supervises` delivers again what was not settled. */
  static async open(
    database: FleetDatabase,
    { mayMigrate = false, supervises = false } = {},
  ): Promise<Dispatch> {
    const { PgBoss: Boss } = await import("pg-boss");
    const boss = new Boss({
      db: { executeSql: (text, values) => database.executeSql(text, values) },
      schema,
      migrate: mayMigrate,
      createSchema: mayMigrate,
      supervise: supervises,
      schedule: false,
      registerInstance: false,
      openTelemetry: { enabled: false },
    });
    // A statement that fails is reported to its caller.
    boss.on("error", () => undefined);
    const dispatch = new Dispatch(boss);
    try {
      await boss.start();
      return dispatch;
    } catch (thrown) {
      await dispatch[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** Makes the lab's queue. */
  async serve(lab: string): Promise<void> {
    await this.#boss.createQueue(lab, {
      retryLimit: alwaysAgain,
      retryDelay: againAfterSec,
      expireInSeconds: longestSec,
      heartbeatSeconds: heartbeatSec,
    });
  }

  async offer(lab: string, turns: readonly QueuedTurn[]): Promise<void> {
    if (turns.length > 0)
      await this.#boss.insert(
        lab,
        turns.map(({ night, gateway, kind = "night", hold = null }) => ({
          data: { night, gateway, kind, hold },
          priority: turnKinds.indexOf(kind),
        })),
      );
  }

  /** The next turn of these kinds for the lab; runs are first. */
  async next(lab: string, kinds: readonly QueuedTurn["kind"][] = turnKinds): Promise<Delivery | undefined> {
    const wanted = turnKinds.flatMap((kind, priority) => (kinds.includes(kind) ? [priority] : []));
    if (wanted.length === 0) return undefined;
    const range = { minPriority: Math.min(...wanted), maxPriority: Math.max(...wanted) };
    const [job] = await this.#boss.fetch<unknown>(lab, { batchSize: 1, includeMetadata: true, ...range });
    if (job === undefined) return undefined;
    const attempt = { id: job.id, retryCount: job.retryCount };
    const turn = job.data;
    if (checker(QueuedTurn)(turn).length > 0) throw new Error(`queue ${lab}: job ${job.id} names no turn`);
    return {
      ...(turn as QueuedTurn),
      done: async () => void (await this.#boss.complete(lab, attempt)),
      later: async () => void (await this.#boss.fail(lab, attempt)),
      touch: async () => void (await this.#boss.touch(lab, attempt)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false });
  }
}

// A lease on a gateway and its wires: for all wires or none, extended by a heartbeat, and expired when that stops.
import { randomUUID } from "node:crypto";
import type { LeaseCheck } from "../../rigs/index.ts";
import { leaseFile, type LeaseRecord, LeaseStore } from "./leaseStore.ts";
import { UsageError, messageOf } from "../../record/index.ts";

export interface LeaseOptions {
  readonly gateway: string;
  readonly wires: readonly string[];
  /** The holder, in words. */
  readonly owner: string;
  /** Time to expiry after the last heartbeat; default 30 s. */
  readonly ttlMs?: number;
  /** Longest time of the lease; default 12 h. */
  readonly limitMs?: number;
  /** Time left of a hold of the fleet, beyond which no heartbeat extends the lease; default: no such hold. */
  readonly leftMs?: () => number;
  readonly file?: string;
}

const defaultTtlMs = 30_000;
const defaultLimitMs = 12 * 3_600_000;
/** Two heartbeats may be missed before the lease is lost. */
const beatsInTtl = 4;

/** A command that a night starts finds its lease here. */
export const leaseVariable = "RACKPROOF_LEASE";

/** The gateway cannot be had now: another run uses it, or its place of labgrid cannot be acquired. */
export class LeasedElsewhere extends UsageError {
  constructor(gateway: string, what: string, code: "GATEWAY_HELD" | "LABGRID_PLACE" = "GATEWAY_HELD") {
    super(code, `gateway ${gateway}: ${what}`);
  }
}

/** An act without a valid lease. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

export class Lease implements LeaseCheck, Disposable {
  readonly fence: number;
  readonly #store: LeaseStore;
  readonly #id: string;
  readonly #gateway: string;
  readonly #wires: readonly string[];
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #isOwn: boolean;
  readonly #leftMs: () => number;

  private constructor(
    store: LeaseStore,
    record: LeaseRecord,
    wires: readonly string[],
    renewMs?: number,
    leftMs = () => Infinity,
  ) {
    this.#store = store;
    this.#id = record.id;
    this.#gateway = record.gateway;
    this.#wires = wires;
    this.fence = record.fence;
    this.#isOwn = renewMs !== undefined;
    this.#leftMs = leftMs;
    const everyMs = (renewMs ?? defaultTtlMs) / beatsInTtl;
    this.#timer = setInterval(() => this.#beat(renewMs), everyMs);
    this.#timer.unref();
  }

  /** Takes the wires. Throws LeasedElsewhere when another run has one of them. */
  static take(options: LeaseOptions): Lease {
    const store = new LeaseStore(options.file ?? leaseFile());
    const ttlMs = options.ttlMs ?? defaultTtlMs;
    const { gateway, wires, owner, limitMs = defaultLimitMs, leftMs = () => Infinity } = options;
    const firstMs = Math.min(ttlMs, leftMs());
    const result = store.take({ id: randomUUID(), owner, gateway, wires, ttlMs: firstMs, limitMs });
    if ("taken" in result) return new Lease(store, result.taken, wires, ttlMs, leftMs);
    store[Symbol.dispose]();
    const { owner: holder, takenAt, fence } = result.heldBy;
    throw new LeasedElsewhere(gateway, `in use by ${holder} since ${takenAt} (lease ${fence})`);
  }

  /**
   * For a command: uses the lease that the environment names, which the starter of the command extends, or takes a
   * lease.
   */
  static takeOrAdopt(
    options: LeaseOptions,
    environment: Readonly<Record<string, string | undefined>> = process.env,
  ): Lease {
    const id = environment[leaseVariable];
    if (id === undefined) return Lease.take(options);
    const store = new LeaseStore(options.file ?? leaseFile());
    const record = store.find(id);
    if (record !== undefined) return new Lease(store, record, options.wires);
    store[Symbol.dispose]();
    throw new UsageError(
      "LEASE_LOST",
      `gateway ${options.gateway}: the lease in ${leaseVariable} has expired`,
    );
  }

  /** Environment of a command that uses this lease. */
  get environment(): Readonly<Record<string, string>> {
    return { [leaseVariable]: this.#id };
  }

  /** Aborted with a LeaseLost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  check(act: string): void {
    if (this.#lost.signal.aborted || this.#store.find(this.#id)?.fence !== this.fence) this.#lose();
    if (this.#lost.signal.aborted) {
      throw new LeaseLost(`${messageOf(this.#lost.signal.reason)}; cannot ${act}`);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#isOwn) this.#store.release(this.#id);
    this.#store[Symbol.dispose]();
  }

  #beat(renewMs: number | undefined): void {
    const isHeld =
      renewMs === undefined
        ? this.#store.find(this.#id) !== undefined
        : this.#store.renew(this.#id, Math.min(renewMs, this.#leftMs())) !== undefined;
    if (!isHeld) this.#lose();
  }

  #lose(): void {
    if (this.#lost.signal.aborted) return;
    clearInterval(this.#timer);
    const holder = this.#wires.map((wire) => this.#store.holderOf(wire)).find((one) => one !== undefined);
    const now = holder === undefined ? "it expired" : `now in use by ${holder.owner}, lease ${holder.fence}`;
    this.#lost.abort(new LeaseLost(`gateway ${this.#gateway}: lease ${this.fence} was lost: ${now}`));
  }
}

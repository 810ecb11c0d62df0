// Who uses which wires: one interface to the leases of a machine (SQLite) and the holds of a fleet (PostgreSQL).

/** One use of some wires, as stored. */
export interface HoldRecord {
  readonly id: string;
  /** In words: the command and its process, or a person. */
  readonly owner: string;
  readonly gateway: string;
  /** Fencing number: larger than that of every earlier holder of any wire. */
  readonly fence: number;
  readonly takenAt: string;
}

export interface HoldWish {
  readonly id: string;
  readonly owner: string;
  readonly gateway: string;
  /** All are taken, or none. */
  readonly wires: readonly string[];
  /** Time to expiry without renewal. */
  readonly ttlMs: number;
  /** No renewal extends the use beyond this time after its start. */
  readonly limitMs: number;
}

export type HoldAnswer<R extends HoldRecord = HoldRecord> = { readonly taken: R } | { readonly heldBy: R };

/** The leases of a machine answer at once, the holds of a fleet after a round trip. */
type Answer<T> = T | Promise<T>;

export interface Holds {
  /** Takes all the wires or none; answers the record, or the holder of one of them. */
  take(wish: HoldWish): Answer<HoldAnswer>;
  /** Extends the use, never beyond its limit; answers the granted milliseconds, or undefined when it is lost. */
  renew(id: string, ttlMs: number): Answer<number | undefined>;
  release(id: string): Answer<void>;
  /** The record while it is valid; undefined after its expiry or release. */
  find(id: string): Answer<HoldRecord | undefined>;
  /** The present holder of the wire. */
  holderOf(wire: string): Answer<HoldRecord | undefined>;
}

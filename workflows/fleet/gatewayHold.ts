// A hold while it is used: renewed in the background, with a deadline on this machine's monotonic clock. Checking it
// costs no round trip.
import { type Clock } from "../../harness/index.ts";
import type { HoldRecord, HoldWish, Holds } from "../leases/holds.ts";
import { messageOf } from "../../record/index.ts";

/** Renewals in the time to expiry, and the longest time between two: so soon a revoked hold ends its run. */
const beatsInTtl = 8;
const longestBeatMs = 5000;
/** Share of the time to expiry that is reserved for ending a run cleanly. */
const endingShare = 1 / 3;

export class GatewayHold implements AsyncDisposable {
  readonly record: HoldRecord;
  readonly #holds: Holds;
  readonly #wish: HoldWish;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  readonly #disposed = new AbortController();
  readonly #work: Promise<unknown>;
  readonly #limitMs: number;
  #deadlineMs: number;
  #failure = "";

  private constructor(holds: Holds, wish: HoldWish, record: HoldRecord, clock: Clock, sentMs: number) {
    this.#holds = holds;
    this.#wish = wish;
    this.record = record;
    this.#clock = clock;
    this.#limitMs = sentMs + wish.limitMs;
    this.#deadlineMs = sentMs + Math.min(wish.ttlMs, wish.limitMs);
    this.#work = Promise.all([this.#renew(), this.#watchDeadline()]);
  }

  /** Takes the wires of the wish; answers the hold, or the record of the present holder. */
  static async take(holds: Holds, wish: HoldWish, clock: Clock): Promise<GatewayHold | HoldRecord> {
    // The database counts from the arrival of the request, which is later: the deadline here is never the later one.
    const sentMs = clock.nowMs();
    const answer = await holds.take(wish);
    if ("heldBy" in answer) return answer.heldBy;
    return new GatewayHold(holds, wish, answer.taken, clock, sentMs);
  }

  /** Takes over a hold that was granted to another process; undefined when it has ended. */
  static async adopt(holds: Holds, wish: HoldWish, clock: Clock): Promise<GatewayHold | undefined> {
    const sentMs = clock.nowMs();
    const grantedMs = await holds.renew(wish.id, wish.ttlMs);
    const record = grantedMs === undefined ? undefined : await holds.find(wish.id);
    if (grantedMs === undefined || record === undefined) return undefined;
    return new GatewayHold(holds, { ...wish, ttlMs: Math.min(wish.ttlMs, grantedMs) }, record, clock, sentMs);
  }

  /** Ends the run at once: the hold was revoked. */
  revoked(): void {
    this.#lose("it was revoked");
  }

  /** Time for which the wires may be used without a further renewal; not positive when the hold is lost. */
  get leftMs(): number {
    return this.#deadlineMs - this.#clock.nowMs();
  }

  /** Aborted when the run must end: the hold is lost, or would be lost before the run could end cleanly. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  async #renew(): Promise<void> {
    const { id, ttlMs } = this.#wish;
    while (await this.#waited(Math.min(ttlMs / beatsInTtl, longestBeatMs))) {
      const sentMs = this.#clock.nowMs();
      try {
        const grantedMs = await this.#holds.renew(id, ttlMs);
        this.#failure = "";
        if (grantedMs === undefined) this.#lose("it expired or was revoked");
        // A deadline that has passed is final: the run was ended then.
        else if (this.leftMs > 0) this.#deadlineMs = sentMs + grantedMs;
      } catch (thrown) {
        this.#failure = messageOf(thrown);
      }
    }
  }

  async #watchDeadline(): Promise<void> {
    let untilMs = this.#untilEndingMs();
    while (untilMs > 0 && (await this.#waited(untilMs))) untilMs = this.#untilEndingMs();
    if (!this.#isOver()) this.#lose(this.#whyNotRenewed());
  }

  #whyNotRenewed(): string {
    if (this.#failure !== "") return `the database does not answer (${this.#failure})`;
    return this.#deadlineMs >= this.#limitMs - longestBeatMs
      ? "its limit is near"
      : "it was not renewed in time";
  }

  /** Whether the wish allows more time than the run has had. */
  get isWithinLimit(): boolean {
    return this.#clock.nowMs() < this.#limitMs - this.#wish.ttlMs;
  }

  #untilEndingMs(): number {
    return this.leftMs - this.#wish.ttlMs * endingShare;
  }

  #isOver(): boolean {
    return this.#disposed.signal.aborted || this.#ending.signal.aborted;
  }

  /** Waits; false when the hold has ended meanwhile. */
  async #waited(delayMs: number): Promise<boolean> {
    const signal = AbortSignal.any([this.#disposed.signal, this.#ending.signal]);
    await this.#clock.delay(delayMs, signal).catch(() => undefined);
    return !this.#isOver();
  }

  #lose(why: string): void {
    this.#ending.abort(
      new Error(`gateway ${this.#wish.gateway}: hold ${this.record.fence} ended early: ${why}`),
    );
  }

  /** Releases the wires; with a database that does not answer they are free at the expiry. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed.abort();
    this.#deadlineMs = -Infinity;
    await this.#work;
    await Promise.resolve(this.#holds.release(this.record.id)).catch(() => undefined);
  }
}

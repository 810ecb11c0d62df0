// Decides the fate of each packet on an impaired line, and sends it when its time has come.
import type { Impairment } from "../gateway/impairment.ts";

interface Queued {
  readonly packet: Buffer;
  readonly dueMs: number;
}

export interface QueueOptions {
  readonly send: (packet: Buffer) => void;
  readonly nowMs: () => number;
  /** Answers a number from 0 to below 1. */
  readonly random: () => number;
}

/** What a slow line buffers before it; further packets are lost. */
const longestWaitMs = 1000;

export class ImpairedQueue implements Disposable {
  impairment: Impairment = {};
  isCut = false;
  readonly #options: QueueOptions;
  /** In the order of their time. */
  readonly #queue: Queued[] = [];
  #timer: NodeJS.Timeout | undefined;
  #busyUntilMs = 0;
  #lastDueMs = 0;
  #isOver = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  take(packet: Buffer): void {
    const { lossPercent = 0, duplicatePercent = 0, largestBytes = Infinity } = this.impairment;
    if (this.#isOver || this.isCut || packet.length > largestBytes || this.#happens(lossPercent)) return;
    this.#pass(packet);
    if (this.#happens(duplicatePercent)) this.#pass(Buffer.from(packet));
  }

  #pass(packet: Buffer): void {
    const { delayMs = 0, jitterMs = 0, reorderPercent = 0, rateKbit } = this.impairment;
    const nowMs = this.#options.nowMs();
    if (this.#happens(reorderPercent)) return this.#options.send(packet);
    let sentMs = nowMs;
    if (rateKbit !== undefined) {
      if (this.#busyUntilMs - nowMs > longestWaitMs) return;
      sentMs = Math.max(nowMs, this.#busyUntilMs) + (packet.length * 8) / rateKbit;
      this.#busyUntilMs = sentMs;
    }
    const jitter = jitterMs === 0 ? 0 : jitterMs * (2 * this.#options.random() - 1);
    const leavesMs = sentMs + Math.max(0, delayMs + jitter);
    const dueMs = Math.max(this.#lastDueMs, leavesMs);
    this.#lastDueMs = dueMs;
    this.#queue.push({ packet, dueMs });
    this.#pump();
  }

  #happens(percent: number): boolean {
    return percent > 0 && this.#options.random() * 100 < percent;
  }

  /** Sends what is due. A cut loses also what is on its way. */
  #pump(): void {
    const nowMs = this.#options.nowMs();
    while (this.#queue[0] !== undefined && this.#queue[0].dueMs <= nowMs) {
      const first = this.#queue.shift();
      if (first !== undefined && !this.isCut) this.#options.send(first.packet);
    }
    const [next] = this.#queue;
    if (next === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#pump();
      },
      Math.max(1, Math.ceil(next.dueMs - nowMs)),
    );
  }

  /** Packets that still arrive are lost: there may be no line to send them on. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#queue.length = 0;
  }
}

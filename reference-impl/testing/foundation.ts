// The foundation for tests of a group: real files and database, a clock that tests move, a board that records.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import type { Foundation, Group } from "../foundation/gateway.ts";
import type { Answer, Call, Handlers } from "../http/handler.ts";
import { plainProduct } from "../product/product.ts";
import { Store } from "../store/store.ts";

/** A clock that tests move; due timers run in order, at their own time. */
class ManualClock implements Clock {
  #nowMs: number;
  #timers: { dueMs: number; action: () => void }[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, action: () => void): Disposable {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), action };
    this.#timers.push(timer);
    return {
      [Symbol.dispose]: () => {
        this.#timers = this.#timers.filter((one) => one !== timer);
      },
    };
  }

  onStep(): Disposable {
    return { [Symbol.dispose]: () => undefined };
  }

  advance(byMs: number): void {
    const endMs = this.#nowMs + byMs;
    for (;;) {
      const [next] = this.#timers.toSorted((a, b) => a.dueMs - b.dueMs);
      if (next === undefined || next.dueMs > endMs) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#nowMs = next.dueMs;
      next.action();
    }
    this.#nowMs = endMs;
  }
}

export interface TestFoundation extends Foundation, Disposable {
  readonly clock: ManualClock;
  /** When the board was asked to reboot, in milliseconds since the start. */
  readonly rebootsAtMs: number[];
  /** Ids of the event kinds that were raised. */
  readonly raised: number[];
}

export const startMs = Date.UTC(2026, 0, 15, 12, 0, 0);

/** A foundation in a temporary folder; a given folder is not removed, for a second boot on the same state. */
export function testFoundation(folder?: string, bootMs = startMs): TestFoundation {
  const stateFolder = folder ?? mkdtempSync(join(tmpdir(), "rackproof-test-"));
  const clock = new ManualClock(bootMs);
  const store = new Store(join(stateFolder, "gateway.db"));
  const rebootsAtMs: number[] = [];
  const raised: number[] = [];
  return {
    identity: { model: "RP-1000", tpeversion: "2.3.0", serialNumber: "RP1000-000001", version: "1.0.0" },
    stateFolder,
    store,
    clock,
    board: {
      bootedAtMs: bootMs,
      reboot: () => void rebootsAtMs.push(clock.nowMs() - bootMs),
      print: () => undefined,
    },
    events: { raise: (kindId) => void raised.push(kindId) },
    log: () => undefined,
    delivered: () => undefined,
    product: plainProduct,
    rebootsAtMs,
    raised,
    [Symbol.dispose]() {
      store[Symbol.dispose]();
      if (folder === undefined) rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}

/** Calls an operation of the group as the administrator, with inputs as the HTTP side hands them on. */
export async function callGroup(
  group: Group,
  id: keyof Handlers,
  inputs: Partial<Pick<Call, "path" | "query" | "headers" | "body" | "files" | "signal">> = {},
): Promise<Answer> {
  const handler = group.handlers[id];
  if (handler === undefined) throw new Error(`the group has no ${id}`);
  return handler({
    caller: { userId: 1, name: "admin", permissions: new Set() },
    address: "127.0.0.1",
    path: {},
    query: {},
    headers: {},
    body: {},
    files: [],
    signal: new AbortController().signal,
    ...inputs,
  });
}

/** The `data` of a JSON answer. */
export async function dataOf(...call: Parameters<typeof callGroup>): Promise<unknown> {
  const answer = await callGroup(...call);
  if (answer.kind !== "json") throw new Error(`${call[1]} answered a ${answer.kind}`);
  return (answer.body as { data: unknown }).data;
}

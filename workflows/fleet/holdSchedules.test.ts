// Nights over a few wires with several holders, and every order of events that a network and an operating system can
// produce: slow requests, slow answers, outages of the database, suspended and killed holders. Time is virtual.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Clock } from "../../harness/index.ts";
import type { HoldWish, Holds } from "../leases/holds.ts";
import { LeaseStore } from "../leases/leaseStore.ts";
import { GatewayHold } from "./gatewayHold.ts";
import { answerTo } from "./results.ts";
import { movedClock } from "./testing/movedClock.ts";

const ttlMs = 12_000;
/** Nothing fails after this time, and every night must end. */
const lastingMs = 90_000;
const actEveryMs = 400;
/** A later answer is not awaited: what was asked for has happened all the same. */
const answerWithinMs = 15_000;
const wires = ["left", "right"] as const;

const delayMs = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 200 }) },
  fc.integer({ min: 0, max: 30_000 }),
);
const span = fc.record({
  fromMs: fc.integer({ min: 0, max: lastingMs }),
  forMs: fc.integer({ min: 0, max: 40_000 }),
});
const Holder = fc.record({
  startMs: fc.integer({ min: 0, max: 20_000 }),
  /** Time of a request on its way, by its number. */
  requestMs: fc.array(delayMs, { minLength: 1, maxLength: 6 }),
  answerMs: fc.array(delayMs, { minLength: 1, maxLength: 6 }),
  /** Time of a run. */
  workMs: fc.integer({ min: 0, max: 30_000 }),
  suspended: fc.array(span, { maxLength: 3 }),
  killedMs: fc.option(fc.integer({ min: 1000, max: lastingMs }), { nil: Infinity, freq: 2 }),
});
const Schedule = fc.record({
  holders: fc.array(Holder, { minLength: 2, maxLength: 3 }),
  outages: fc.array(span, { maxLength: 2 }),
});
type Holder = ReturnType<typeof Holder.generate> extends { value: infer T } ? T : never;
type Schedule = { readonly holders: readonly Holder[]; readonly outages: readonly Span[] };
type Span = { readonly fromMs: number; readonly forMs: number };

/** The turn of a wire as the database has it. */
class Turn {
  /** Of the last run that has begun. */
  fence = 0;
  /** Numbers of the holds whose results count. */
  readonly counted: number[] = [];
  /** Numbers of the holds under which the wire was used, in order of time. */
  readonly acts: number[] = [];
  /** Results on the disks of holders, and the last answer to each. */
  readonly spooled = new Map<number, string>();
}

interface Rules {
  /** The deadline is counted from the request; otherwise from its answer. */
  readonly fromRequest: boolean;
  /** Whether a result counts. */
  readonly answer: typeof answerTo;
}

const kept: Rules = { fromRequest: true, answer: answerTo };
/** A result of an earlier run counts as well. */
const withoutFences: Rules["answer"] = (turn, fence) => answerTo(turn && { ...turn, fence }, fence);
/** The same result counts again. */
const withoutMemory: Rules["answer"] = (turn, fence) =>
  answerTo(turn && { ...turn, state: "running" }, fence);

interface World {
  readonly clock: Clock;
  readonly store: LeaseStore;
  readonly outages: readonly Span[];
  readonly rules: Rules;
  readonly turns: ReadonlyMap<string, Turn>;
}

/** A night; answers what is wrong in it. */
async function play({ holders, outages }: Schedule, rules: Rules): Promise<string[]> {
  const clock = movedClock();
  using store = new LeaseStore(":memory:", () => clock.nowMs());
  const turns = new Map(wires.map((wire) => [wire, new Turn()]));
  const world: World = { clock, store, outages, rules, turns };
  for (const [index, holder] of holders.entries()) void new Participant(index, holder, world).takePart();
  await clock.move(5 * lastingMs);
  const isAlive = holders.some(({ killedMs }) => killedMs === Infinity);
  return [...turns].flatMap(([wire, turn]) => wrongIn(turn, isAlive).map((what) => `${wire}: ${what}`));
}

function wrongIn({ fence, counted, acts, spooled }: Turn, isAlive: boolean): string[] {
  const isOrdered = acts.every((one, index) => one >= (acts[index - 1] ?? 0));
  const answer = spooled.get(fence);
  return [
    ...(isOrdered ? [] : ["two holders at a time"]),
    ...(counted.length > 1 ? ["counted twice"] : []),
    ...(answer !== undefined && answer !== "" && counted.at(-1) !== fence ? ["lost"] : []),
    ...(isAlive && counted.length === 0 ? ["not ended"] : []),
  ];
}

/** A process that takes the turns which have no result, on whichever wire is free. */
class Participant {
  readonly #index: number;
  readonly #holder: Holder;
  readonly #world: World;
  /** It continues to count while the process is suspended, but nothing runs. */
  readonly #clock: Clock;
  readonly #holds: Holds;
  #calls = 0;

  constructor(index: number, holder: Holder, world: World) {
    this.#index = index;
    this.#holder = holder;
    this.#world = world;
    this.#clock = { ...world.clock, delay: (ms, signal) => this.#delay(ms, signal) };
    this.#holds = this.#overNetwork();
  }

  async takePart(): Promise<void> {
    await this.#delay(this.#holder.startMs);
    const { turns } = this.#world;
    const isWanted = (): boolean => [...turns.values()].some(({ counted }) => counted.length === 0);
    for (let round = 0; !this.#isOver() && isWanted(); round++) {
      const gateway = wires[(this.#index + round) % wires.length] ?? "";
      const wish: HoldWish = {
        id: `${this.#index} ${round}`,
        owner: `holder ${this.#index}`,
        gateway,
        wires: [gateway],
        ttlMs,
        limitMs: 40_000,
      };
      const hold = await GatewayHold.take(this.#holds, wish, this.#clock).catch(() => undefined);
      const turn = turns.get(gateway);
      if (hold instanceof GatewayHold && turn !== undefined) await this.#use(hold, turn);
      await this.#delay(1000);
    }
  }

  /** Acts as long as the hold permits, also when the run should be ending. */
  async #use(hold: GatewayHold, turn: Turn): Promise<void> {
    const { fence, id } = hold.record;
    const begins = (): boolean => {
      const may = this.#world.store.find(id) !== undefined && turn.counted.length === 0;
      if (may) turn.fence = fence;
      return may;
    };
    const isBegun = await this.#call(begins).catch(() => false);
    const untilMs = this.#clock.nowMs() + this.#holder.workMs;
    while (isBegun && hold.leftMs > 0 && this.#clock.nowMs() < untilMs && !this.#isOver()) {
      turn.acts.push(fence);
      await this.#delay(actEveryMs);
    }
    if (this.#isOver()) return;
    if (isBegun) {
      turn.spooled.set(fence, "");
      void this.#push(turn, fence);
    }
    await hold[Symbol.asyncDispose]();
  }

  /** Until it is answered. */
  async #push(turn: Turn, fence: number): Promise<void> {
    const store = (): string => {
      const state = turn.counted.length > 0 ? "done" : "running";
      const answer = this.#world.rules.answer({ state, fence: turn.fence }, fence);
      if (answer === "accepted") turn.counted.push(fence);
      return answer;
    };
    while (!this.#isOver() && turn.spooled.get(fence) === "") {
      turn.spooled.set(fence, await this.#call(store).catch(() => ""));
      await this.#delay(1000);
    }
  }

  #isOver(): boolean {
    return this.#world.clock.nowMs() > this.#holder.killedMs || this.#world.clock.nowMs() > 4 * lastingMs;
  }

  async #delay(ms: number, signal?: AbortSignal): Promise<void> {
    const { clock } = this.#world;
    await clock.delay(ms, signal);
    for (;;) {
      const now = clock.nowMs();
      const span_ = this.#holder.suspended.find(({ fromMs, forMs }) => now >= fromMs && now < fromMs + forMs);
      if (span_ === undefined) return;
      await clock.delay(span_.fromMs + span_.forMs - now);
    }
  }

  /** Over a network: requests and answers take time, and both are lost in an outage. */
  async #call<T>(action: () => T): Promise<T> {
    const { clock, outages } = this.#world;
    const { requestMs, answerMs } = this.#holder;
    const number = this.#calls++;
    const nowMs = (): number => clock.nowMs();
    const onItsWay = (times: readonly number[]) =>
      clock.delay(nowMs() > lastingMs ? 0 : (times[number % times.length] ?? 0));
    const away = (): boolean =>
      outages.some(({ fromMs, forMs }) => nowMs() >= fromMs && nowMs() < fromMs + forMs);
    const sentMs = nowMs();
    await onItsWay(requestMs);
    if (away() || this.#isOver()) throw new Error("no answer");
    const answer = action();
    await onItsWay(answerMs);
    if (away() || nowMs() - sentMs > answerWithinMs) throw new Error("no answer");
    await this.#delay(0);
    return answer;
  }

  #overNetwork(): Holds {
    const { store, rules, clock } = this.#world;
    return {
      take: (wish) => this.#call(() => store.take(wish)),
      renew: async (id, ms) => {
        const sentMs = clock.nowMs();
        const grantedMs = await this.#call(() => store.renew(id, ms));
        if (grantedMs === undefined || rules.fromRequest) return grantedMs;
        return grantedMs + (clock.nowMs() - sentMs);
      },
      release: (id) => this.#call(() => store.release(id)),
      find: (id) => this.#call(() => store.find(id)),
      holderOf: (wire) => this.#call(() => store.holderOf(wire)),
    };
  }
}

const runs = 200;
/** A search for a violation ends with the first one. */
const runsToFind = 3000;
const seed = 20_270_101;

function search(rules: Rules, isWanted: (wrong: readonly string[]) => boolean) {
  const isKept = rules === kept;
  return fc.check(
    fc.asyncProperty(Schedule, async (schedule) => isWanted(await play(schedule, rules))),
    { numRuns: isKept ? runs : runsToFind, seed, endOnFailure: !isKept },
  );
}

test("no night lets two holders use a wire, loses a result, counts one twice, or does not end", async () => {
  const { failed, counterexample } = await search(kept, (wrong) => wrong.length === 0);
  expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null });
}, 60_000);

test.each([
  ["two holders at a time", "with deadlines counted from the answer", { ...kept, fromRequest: false }],
  ["lost", "without fences", { ...kept, answer: withoutFences }],
  ["counted twice", "without memory of what was counted", { ...kept, answer: withoutMemory }],
] as const)(
  "the same search finds '%s' %s",
  async (what, _change, rules) => {
    const { failed } = await search(rules, (wrong) => !wrong.some((one) => one.endsWith(what)));
    expect(failed).toBe(true);
  },
  60_000,
);

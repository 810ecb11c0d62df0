// One wire, several holders, and every order of events that a network and an operating system can produce: slow requests,
// slow answers, outages of the database, suspended and killed holders. Time is virtual.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Clock } from "../../harness/index.ts";
import type { HoldWish, Holds } from "../leases/holds.ts";
import { LeaseStore } from "../leases/leaseStore.ts";
import { GatewayHold } from "./gatewayHold.ts";
import { movedClock } from "./testing/movedClock.ts";

const ttlMs = 12_000;
const lastingMs = 90_000;
const actEveryMs = 400;

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
  /** Time of a write to the shared results on its way. */
  writeMs: fc.array(delayMs, { minLength: 1, maxLength: 6 }),
  suspended: fc.array(span, { maxLength: 3 }),
  killedMs: fc.option(fc.integer({ min: 1000, max: lastingMs }), { nil: Infinity }),
});
const Schedule = fc.record({
  holders: fc.array(Holder, { minLength: 2, maxLength: 3 }),
  outages: fc.array(span, { maxLength: 2 }),
});
type Holder = ReturnType<typeof Holder.generate> extends { value: infer T } ? T : never;
type Schedule = { readonly holders: readonly Holder[]; readonly outages: readonly Span[] };
type Span = { readonly fromMs: number; readonly forMs: number };

interface Outcome {
  /** Numbers of the holds under which the wire was used, in order of time. */
  readonly acts: readonly number[];
  /** Numbers of the holds whose results were accepted, in order of time. */
  readonly results: readonly number[];
}

interface Rules {
  /** The results accept no hold that is older than one they have seen. */
  readonly fenced: boolean;
  /** The deadline is counted from the request; otherwise from its answer. */
  readonly fromRequest: boolean;
}

const kept: Rules = { fenced: true, fromRequest: true };

async function play({ holders, outages }: Schedule, rules: Rules): Promise<Outcome> {
  const clock = movedClock();
  using store = new LeaseStore(":memory:", () => clock.nowMs());
  const acts: number[] = [];
  const results: number[] = [];
  const write = (fence: number): void => {
    if (!rules.fenced || fence >= (results.at(-1) ?? 0)) results.push(fence);
  };
  for (const [index, holder] of holders.entries())
    void takePart(index, holder, { clock, store, outages, rules, act: (fence) => acts.push(fence), write });
  await clock.move(lastingMs);
  // Holders end with the test.
  ended.add(clock);
  await clock.move(4 * lastingMs);
  return { acts, results };
}

const ended = new WeakSet<Clock>();

interface World {
  readonly clock: Clock;
  readonly store: LeaseStore;
  readonly outages: readonly Span[];
  readonly rules: Rules;
  readonly act: (fence: number) => void;
  readonly write: (fence: number) => void;
}

async function takePart(index: number, holder: Holder, world: World): Promise<void> {
  const { clock } = world;
  const own = ownClock(holder, clock);
  const isOver = (): boolean => ended.has(clock) || clock.nowMs() > holder.killedMs;
  const holds = overNetwork(holder, world, own, isOver);
  await own.delay(holder.startMs);
  for (let round = 0; !isOver(); round++) {
    const wish: HoldWish = {
      id: `${index} ${round}`,
      owner: `holder ${index}`,
      gateway: "left",
      wires: ["left"],
      ttlMs,
      limitMs: 40_000,
    };
    const hold = await GatewayHold.take(holds, wish, own).catch(() => undefined);
    if (hold instanceof GatewayHold) await use(hold, holder, world, own, isOver);
    await own.delay(1000);
  }
}

/** Acts as long as the hold permits, also when the run should be ending. */
async function use(
  hold: GatewayHold,
  { writeMs }: Holder,
  { act, write, clock }: World,
  own: Clock,
  isOver: () => boolean,
): Promise<void> {
  const { fence } = hold.record;
  for (let number = 0; hold.leftMs > 0 && !isOver(); number++) {
    act(fence);
    void clock.delay(writeMs[number % writeMs.length] ?? 0).then(() => write(fence));
    await own.delay(actEveryMs);
  }
  if (isOver()) return;
  await hold[Symbol.asyncDispose]();
}

/** The clock of a process that is suspended at times: it continues to count, but nothing runs. */
function ownClock({ suspended }: Holder, clock: Clock): Clock {
  return {
    ...clock,
    async delay(ms, signal) {
      await clock.delay(ms, signal);
      for (;;) {
        const now = clock.nowMs();
        const span = suspended.find(({ fromMs, forMs }) => now >= fromMs && now < fromMs + forMs);
        if (span === undefined) return;
        await clock.delay(span.fromMs + span.forMs - now);
      }
    },
  };
}

/** The store behind a network: requests and answers take time, and both are lost in an outage. */
function overNetwork(
  { requestMs, answerMs }: Holder,
  { clock, store, outages, rules }: World,
  own: Clock,
  isOver: () => boolean,
): Holds {
  let number = 0;
  const away = (): boolean =>
    outages.some(({ fromMs, forMs }) => clock.nowMs() >= fromMs && clock.nowMs() < fromMs + forMs);
  const call = async <T>(action: () => T): Promise<T> => {
    number += 1;
    await clock.delay(requestMs[number % requestMs.length] ?? 0);
    if (away() || isOver()) throw new Error("no answer");
    const answer = action();
    await clock.delay(answerMs[number % answerMs.length] ?? 0);
    if (away()) throw new Error("no answer");
    await own.delay(0);
    return answer;
  };
  return {
    take: (wish) => call(() => store.take(wish)),
    renew: async (id, ms) => {
      const sentMs = clock.nowMs();
      const grantedMs = await call(() => store.renew(id, ms));
      if (grantedMs === undefined || rules.fromRequest) return grantedMs;
      return grantedMs + (clock.nowMs() - sentMs);
    },
    release: (id) => call(() => store.release(id)),
    find: (id) => call(() => store.find(id)),
    holderOf: (wire) => call(() => store.holderOf(wire)),
  };
}

const isInOrder = (fences: readonly number[]): boolean =>
  fences.every((fence, index) => fence >= (fences[index - 1] ?? 0));

const runs = 200;
/** A search for a violation ends with the first one. */
const runsToFind = 3000;
const seed = 20_270_101;

function search(rules: Rules, holdsFor: (outcome: Outcome) => boolean) {
  const isKept = rules === kept;
  return fc.check(
    fc.asyncProperty(Schedule, async (schedule) => holdsFor(await play(schedule, rules))),
    { numRuns: isKept ? runs : runsToFind, seed, endOnFailure: !isKept },
  );
}

test("no schedule lets two holders use the wire, or an earlier one write its results after a later one", async () => {
  const { failed, counterexample } = await search(
    kept,
    ({ acts, results }) => isInOrder(acts) && isInOrder(results),
  );
  expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null });
}, 60_000);

test("without fences the same search finds results of an earlier holder after those of a later one", async () => {
  const { failed } = await search({ ...kept, fenced: false }, ({ results }) => isInOrder(results));
  expect(failed).toBe(true);
}, 60_000);

test("with deadlines counted from the answer the same search finds two holders at a time", async () => {
  const { failed } = await search({ ...kept, fromRequest: false }, ({ acts }) => isInOrder(acts));
  expect(failed).toBe(true);
}, 60_000);

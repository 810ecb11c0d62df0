import { testCase, type TestCase } from "../../harness/suite/case.ts";
import type { CaseContext, Level } from "../../harness/suite/context.ts";
import { latenciesMs, latencyHistogram, type SequenceTotals } from "../../harness/streams/sequenceLedger.ts";
import { clientCapacity, SequenceClient, untilAllShown } from "../support/sequenceClients.ts";
import { type LoadSource, loadSources, SequenceLoad } from "../support/sequenceLoad.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["field-devices"],
  equipment: ["field-devices"],
  capabilities: ["tags", "tag-stream"],
  load: true,
  deadlineMs: 900_000,
} as const;

const trialMs: Readonly<Record<Level, number>> = { smoke: 1000, nightly: 2000, certification: 10_000 };
const latencyRunMs: Readonly<Record<Level, number>> = { smoke: 1500, nightly: 3000, certification: 30_000 };
const sustainedMs: Readonly<Record<Level, number>> = { smoke: 2000, nightly: 4000, certification: 60_000 };
const clientsByLevel: Readonly<Record<Level, readonly number[]>> = {
  smoke: [1],
  nightly: [4],
  certification: [1, 4, 16],
};
/** Milliseconds between two changes of a tag, slow to fast. */
const paces = [2000, 1000, 500, 250, 200, 150, 125, 100, 80, 60, 50, 40, 30, 20];
/** The reader must be able to read several times what comes, or it may be itself what is measured. */
const leastHeadRoom = 3;

interface Trial {
  readonly totals: SequenceTotals;
  /** Changes a second that were put into the registers. */
  readonly rate: number;
  readonly headRoom: number | undefined;
}

/** Sources that can be set at will, and the shortest pace at which polling can still see every change. */
function loadOf(context: CaseContext): {
  sources: LoadSource[];
  tags: number;
  pollIntervalMs: number;
  fastestMs: number;
} {
  const sources = loadSources(context.field, "modbus-tcp");
  const points = sources.flatMap((source) => source.points);
  if (points.length === 0)
    context.notApplicable("no simulated field device of the rack takes sequence numbers");
  const pollIntervalMs = Math.max(...points.map((point) => point.pollIntervalMs));
  // A change that is gone before the next poll is nobody's loss: twice the poll interval leaves room for its jitter.
  return { sources, tags: points.length, pollIntervalMs, fastestMs: 2 * pollIntervalMs };
}

async function openClients(
  context: CaseContext,
  stack: AsyncDisposableStack,
  sources: readonly LoadSource[],
  load: SequenceLoad,
  count: number,
  latencyUs = latencyHistogram(),
): Promise<SequenceClient[]> {
  const clients: SequenceClient[] = [];
  for (let number = 0; number < count; number++)
    clients.push(stack.use(await SequenceClient.open(context, sources, load, latencyUs)));
  return clients;
}

/** Changes all tags at the pace while the clients read, and counts what reached them. */
async function trial(
  context: CaseContext,
  sources: readonly LoadSource[],
  options: { everyMs: number; forMs: number; clients: number },
  latencyUs = latencyHistogram(),
): Promise<Trial> {
  const { clock, signal } = context;
  await using stack = new AsyncDisposableStack();
  const load = await SequenceLoad.begin(sources, clock);
  const tags = sources.reduce((sum, { points }) => sum + points.length, 0);
  const settleMs = context.profile.patience.settleMs + 2000;
  const clients = await openClients(context, stack, sources, load, options.clients, latencyUs);
  await untilAllShown(context, clients, load.last, settleMs);
  if (!clients.every((client) => client.hasAll(load.last)))
    context.unmet(
      `the first values of ${tags} tags did not reach ${options.clients} clients within ${settleMs} ms`,
    );
  const startedMs = clock.nowMs();
  await load.run(options.everyMs, options.forMs, signal);
  const tookSec = (clock.nowMs() - startedMs) / 1000;
  await untilAllShown(context, clients, load.last, settleMs);
  const all = clients.map((client) => client.totals(load.last));
  const sum = (part: keyof SequenceTotals): number => all.reduce((total, one) => total + one[part], 0);
  const rate = ((load.last - load.first) * tags) / tookSec;
  const capacity = clientCapacity(context, clients);
  return {
    totals: {
      received: sum("received"),
      lost: sum("lost"),
      repeated: sum("repeated"),
      disordered: sum("disordered"),
    },
    rate,
    headRoom: capacity === undefined ? undefined : capacity / (rate * options.clients),
  };
}

const isClean = ({ totals }: Trial): boolean => totals.lost + totals.repeated + totals.disordered === 0;
const isBottleneck = ({ headRoom }: Trial): boolean => headRoom !== undefined && headRoom < leastHeadRoom;
const inWords = ({ totals }: Trial): string =>
  `${totals.received} values received, ${totals.lost} lost, ${totals.repeated} repeated, ${totals.disordered} out of order`;

function keep(context: CaseContext, clients: number, { rate, totals }: Trial): void {
  context.keep.loadTrial({ clients, changesPerSec: rate, ...totals });
}

/** The fastest pace without loss: the fastest of all if that holds, else found by halving. */
async function search(
  context: CaseContext,
  sources: readonly LoadSource[],
  candidates: readonly number[],
  clients: number,
): Promise<{ everyMs: number; trial: Trial } | undefined> {
  const forMs = trialMs[context.level];
  let low = 0;
  let high = candidates.length - 1;
  let next = high;
  let best: { everyMs: number; trial: Trial } | undefined;
  while (low <= high) {
    const everyMs = candidates[next] ?? 1000;
    const result = await trial(context, sources, { everyMs, forMs: Math.max(forMs, 4 * everyMs), clients });
    keep(context, clients, result);
    context.note(`${clients} clients, a change every ${everyMs} ms: ${inWords(result)}`);
    if (isClean(result)) {
      best = { everyMs, trial: result };
      low = next + 1;
    } else {
      if (isBottleneck(result))
        context.note(`the harness itself was close to its limit: head-room ${result.headRoom?.toFixed(1)}`);
      high = next - 1;
    }
    next = Math.floor((low + high) / 2);
  }
  return best;
}

function report(
  context: CaseContext,
  requirement: string,
  name: string,
  value: number,
  unit: string,
  limit: { low?: number; high?: number },
): void {
  context.verify(requirement).within({
    name,
    unit,
    interval: { low: value, high: value },
    limits: limit,
    observers: ["sequence numbers"],
  });
}

export const throughputSuite: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "throughput/highest-rate",
    title:
      "The highest rate at which changes of field values reach all clients without loss, repeat or disorder",
    requirements: ["CORE-FIELD-24"],
    async run(context) {
      const { profile, level } = context;
      const { sources, tags, pollIntervalMs, fastestMs } = loadOf(context);
      const declared = profile.throughput;
      const counts = declared.clients === undefined ? clientsByLevel[level] : [declared.clients];
      const candidates = paces.filter((everyMs) => everyMs >= fastestMs);
      context.note(`${tags} tags of ${sources.length} devices, polled every ${pollIntervalMs} ms`);
      for (const clients of counts) {
        const best = await search(context, sources, candidates, clients);
        const rate = best?.trial.rate ?? 0;
        report(
          context,
          "CORE-FIELD-24",
          `changes without loss to each of ${clients} clients`,
          Math.round(rate),
          "1/s",
          declared.changesPerSec === undefined ? {} : { low: declared.changesPerSec },
        );
        if (best === undefined) continue;
        if (best.everyMs === candidates.at(-1))
          context.note("the rate was bounded by the poll interval, not by what the gateway can carry");
        if (best.trial.headRoom !== undefined)
          context.note(`the harness could have read ${best.trial.headRoom.toFixed(0)} times as much`);
      }
    },
  }),
  testCase({
    ...shared,
    id: "throughput/latency",
    title: "How long a change takes from the register of the field device to the client",
    requirements: ["CORE-FIELD-25"],
    async run(context) {
      const { profile, level } = context;
      const { sources, tags, pollIntervalMs, fastestMs } = loadOf(context);
      const latencyUs = latencyHistogram();
      // A pace that is no multiple of the poll interval meets polling at every phase.
      const everyMs = Math.max(2 * fastestMs, 200) + 7;
      const result = await trial(
        context,
        sources,
        { everyMs, forMs: latencyRunMs[level], clients: 1 },
        latencyUs,
      );
      if (latencyUs.totalCount === 0) context.unmet("no change reached the client");
      context.note(`${tags} tags, a change every ${everyMs} ms: ${inWords(result)}`);
      context.note(`the poll interval of ${pollIntervalMs} ms is part of every figure`);
      context.keep.distribution("from the register to the client", "ms", latenciesMs(latencyUs));
      for (const percentile of [50, 99, 99.9]) {
        const ms = latencyUs.getValueAtPercentile(percentile) / 1000;
        const limit = percentile === 99 ? profile.throughput.latencyP99Ms : undefined;
        report(
          context,
          "CORE-FIELD-25",
          `latency p${percentile}`,
          ms,
          "ms",
          limit === undefined ? {} : { high: limit },
        );
      }
      report(context, "CORE-FIELD-25", "latency max", latencyUs.maxValue / 1000, "ms", {});
    },
  }),
  testCase({
    ...shared,
    id: "throughput/sustained-load",
    title:
      "The declared rate, or half of the fastest that polling can show, is kept without loss for a longer time",
    requirements: ["CORE-FIELD-26"],
    async run(context) {
      const { profile, level, verify } = context;
      const { sources, tags, fastestMs } = loadOf(context);
      const { changesPerSec, clients = 4 } = profile.throughput;
      const everyMs =
        changesPerSec === undefined ? 2 * fastestMs : Math.max(fastestMs, (tags * 1000) / changesPerSec);
      const result = await trial(context, sources, { everyMs, forMs: sustainedMs[level], clients });
      keep(context, clients, result);
      const facts = {
        what: `${tags} tags every ${Math.round(everyMs)} ms to ${clients} clients for ${sustainedMs[level] / 1000} s`,
        observed: inWords(result),
      };
      if (changesPerSec === undefined) {
        report(context, "CORE-FIELD-26", "changes kept up", Math.round(result.rate), "1/s", {});
        context.note(
          `${facts.what}: ${facts.observed}; the profile declares no rate, so that this decides nothing`,
        );
        return;
      }
      if (!isClean(result) && isBottleneck(result))
        context.unmet(`the harness was too slow to tell: ${facts.observed}`);
      verify("CORE-FIELD-26").that(isClean(result), {
        ...facts,
        expected: "none lost, repeated or out of order",
      });
    },
  }),
];

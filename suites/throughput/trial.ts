// A load of sequence numbers at one pace, and what of it reached the clients.
import { type CaseContext, type SequenceTotals, latencyHistogram } from "../../harness/index.ts";
import { clientCapacity, SequenceClient, untilAllShown } from "../support/sequenceClients.ts";
import { type LoadSource, loadSources, SequenceLoad } from "../support/sequenceLoad.ts";

/** Timers are late now and then; a load that reaches this share of the declared rate counts as that rate. */
const reachedShare = 0.9;
/** The reader must be able to read several times what comes, or it may be itself what is measured. */
const leastHeadRoom = 3;

export interface Trial {
  readonly totals: SequenceTotals;
  /** Changes a second that were put into the registers. */
  readonly rate: number;
  readonly headRoom: number | undefined;
}

export interface Load {
  readonly sources: LoadSource[];
  readonly tags: number;
  readonly pollIntervalMs: number;
  /** The shortest pace at which polling can still see every change. */
  readonly fastestMs: number;
}

/** Sources that can be set at will. */
export function loadOf(context: CaseContext): Load {
  const sources = loadSources(context.field, "modbus-tcp");
  const points = sources.flatMap((source) => source.points);
  if (points.length === 0)
    context.notApplicable("no simulated field device of the rack takes sequence numbers");
  const pollIntervalMs = Math.max(...points.map((point) => point.pollIntervalMs));
  // A change that is gone before the next poll is nobody's loss: twice the poll interval leaves room for its jitter.
  return { sources, tags: points.length, pollIntervalMs, fastestMs: 2 * pollIntervalMs };
}

/** The pace that makes the declared rate; undefined where none is declared. */
export function declaredPace({ profile, unmet }: CaseContext, { tags, fastestMs }: Load): number | undefined {
  const { changesPerSec } = profile.throughput;
  if (changesPerSec === undefined) return undefined;
  const everyMs = Math.floor((tags * 1000) / changesPerSec);
  const most = Math.floor((tags * 1000) / fastestMs);
  if (most < reachedShare * changesPerSec)
    unmet(
      `the rack's ${tags} tags change at most ${most} times a second, and the profile declares ${changesPerSec}: ` +
        `a larger rack, or shorter poll intervals, would show it`,
    );
  return Math.max(everyMs, fastestMs);
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
export async function trial(
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

export const isClean = ({ totals }: Trial): boolean =>
  totals.lost + totals.repeated + totals.disordered === 0;
export const isBottleneck = ({ headRoom }: Trial): boolean =>
  headRoom !== undefined && headRoom < leastHeadRoom;
export const inWords = ({ totals }: Trial): string =>
  `${totals.received} values received, ${totals.lost} lost, ${totals.repeated} repeated, ${totals.disordered} out of order`;

export function keep(context: CaseContext, clients: number, { rate, totals }: Trial): void {
  context.keep.loadTrial({ clients, changesPerSec: rate, ...totals });
}

/** Judges what clients received at the rate that the profile declares. */
export function judge(context: CaseContext, requirement: string, what: string, result: Trial): void {
  if (!isClean(result) && isBottleneck(result))
    context.unmet(`the harness was too slow to tell: ${inWords(result)}`);
  const { changesPerSec = 0 } = context.profile.throughput;
  if (isClean(result) && result.rate < reachedShare * changesPerSec)
    context.unmet(`this machine made only ${Math.round(result.rate)} changes a second`);
  context.verify(requirement).that(isClean(result), {
    what,
    expected: "none lost, repeated or out of order",
    observed: inWords(result),
  });
}

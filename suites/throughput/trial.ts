// A load of sequence numbers at one pace, and the values that reached the clients.
import { type CaseContext, latencyHistogram, type SequenceTotals } from "../../harness/index.ts";
import {
  clientCapacity,
  SequenceClient,
  untilAllShown,
  whyNotDelivering,
} from "../support/sequenceClients.ts";
import { type LoadSource, loadSources, SequenceLoad } from "../support/sequenceLoad.ts";

/** Timers are late at times; a load that reaches this share of the declared rate counts as that rate. */
const reachedShare = 0.9;
/** With less headroom than this the harness may limit the measured rate. */
const leastHeadRoom = 3;

export interface Trial {
  readonly totals: SequenceTotals;
  /** Changes per second written to the registers. */
  readonly rate: number;
  readonly headRoom: number | undefined;
}

export interface Load {
  readonly sources: LoadSource[];
  readonly tags: number;
  readonly pollIntervalMs: number;
  /** The shortest pace at which polling still catches every change. */
  readonly fastestMs: number;
}

/** Sources of simulated Modbus TCP devices. */
export function loadOf(context: CaseContext): Load {
  // The rate would be that of the line, and takes minutes to find.
  if (context.roundTripMs > 0) context.notApplicable("the line is impaired from the start");
  const sources = loadSources(context.field, "modbus-tcp");
  const points = sources.flatMap((source) => source.points);
  if (points.length === 0)
    context.notApplicable("the rack has no simulated Modbus TCP device with 32-bit or 64-bit integers");
  const pollIntervalMs = Math.max(...points.map((point) => point.pollIntervalMs));
  // A change overwritten before the next poll is no loss: twice the poll interval allows for polling jitter.
  return { sources, tags: points.length, pollIntervalMs, fastestMs: 2 * pollIntervalMs };
}

/** The pace that yields the declared rate; undefined where none is declared. */
export function declaredPace({ profile, unmet }: CaseContext, { tags, fastestMs }: Load): number | undefined {
  const { changesPerSec } = profile.throughput;
  if (changesPerSec === undefined) return undefined;
  const everyMs = Math.floor((tags * 1000) / changesPerSec);
  const most = Math.floor((tags * 1000) / fastestMs);
  if (most < reachedShare * changesPerSec)
    unmet(
      `the ${tags} tags of the rack change at most ${most} times per second, each at every second poll; the profile declares ${changesPerSec}. ` +
        `Fix: add tags to the rack or shorten the poll intervals`,
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

/** Changes all tags at the pace while the clients read, and counts the values received. */
export async function trial(
  context: CaseContext,
  sources: readonly LoadSource[],
  options: { everyMs: number; forMs: number; clients: number },
  latencyUs = latencyHistogram(),
): Promise<Trial> {
  await using stack = new AsyncDisposableStack();
  const load = await SequenceLoad.begin(sources, context);
  const tags = sources.reduce((sum, { points }) => sum + points.length, 0);
  const settleMs = context.profile.patience.settleMs + 2000;
  const clients = await openClients(context, stack, sources, load, options.clients, latencyUs);
  const problem = await whyNotDelivering(context, load, clients, settleMs);
  if (problem !== undefined) context.unmet(`precondition failed: ${problem.reason}`);
  const startNumber = load.last;
  const tookMs = await load.run(options.everyMs, options.forMs, context.signal);
  await untilAllShown(context, clients, load.last, settleMs);
  const all = clients.map((client) => client.totals(load.last));
  const sum = (part: keyof SequenceTotals): number => all.reduce((total, one) => total + one[part], 0);
  const rate = ((load.last - startNumber) * tags * 1000) / tookMs;
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

/** Judges the values received at the declared rate. */
export function judge(context: CaseContext, requirement: string, what: string, result: Trial): void {
  if (!isClean(result) && isBottleneck(result))
    context.unmet(`the harness was too slow for a verdict: ${inWords(result)}`);
  const { changesPerSec = 0 } = context.profile.throughput;
  if (isClean(result) && result.rate < reachedShare * changesPerSec)
    context.unmet(
      `this machine generated only ${Math.round(result.rate)} of ${changesPerSec} changes per second`,
    );
  context.verify(requirement).that(isClean(result), {
    what,
    expected: "none lost, repeated or out of order",
    observed: inWords(result),
  });
}

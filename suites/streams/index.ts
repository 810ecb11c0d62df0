import { around, type CaseContext, type Evidence, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import type { FieldPoint } from "../../rigs/index.ts";
import {
  awaitShown,
  edgeValues,
  isSame,
  onePerForm,
  pathOf,
  shownByMonitoring,
} from "../support/fieldPoints.ts";
import { endingCases } from "./ending.ts";
import { requireFollowing } from "../support/following.ts";
import { verifyReceived } from "../support/onStream.ts";
import { SequenceClient, untilAllShown, whyNotDelivering } from "../support/sequenceClients.ts";
import { type LoadSource, SequenceLoad } from "../support/sequenceLoad.ts";
import { verifyMonitoredMembers } from "../support/shownMembers.ts";
import { someLoad } from "../support/someLoad.ts";
import { takenIntervalMs } from "../support/streamInterval.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["field-devices"],
  equipment: ["field-devices"],
  capabilities: ["tags", "tag-stream"],
  deadlineMs: 180_000,
} as const;

/** With the changes of a nightly run this number almost certainly shows a loss of one change in 500. */
const tagsToFollow = 256;
const changesByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 6, nightly: 12, certification: 100 };
/** A client that does not read holds the others up from the first change that finds no room. */
const changesBesideSlow: typeof changesByLevel = { ...changesByLevel, nightly: 6 };
/** Far from the limits of all types used here. */
const startOfSteps = 10_000;
const stepsByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 4, nightly: 30, certification: 100 };
const cadenceMs: Readonly<Record<CampaignLevel, number>> = {
  smoke: 1200,
  nightly: 3500,
  certification: 20_000,
};

/** A few more than the cadence is judged by. */
const fewestIntervals = 8;
/** More missing rounds than this number and this share of all cannot come from a momentarily busy machine. */
const leastLeftOut = 3;
const shareLeftOut = 0.08;

/** Number of missing rounds: gaps of two rounds that the following gap does not compensate for. */
function roundsLeftOut(gaps: readonly number[]): number {
  // Of two gaps together: a gateway may send two rounds at a time.
  const pairs = gaps.slice(1).map((gap, index) => gap + (gaps[index] ?? gap));
  const usual = (pairs.toSorted((a, b) => a - b)[Math.floor(pairs.length / 2)] ?? 0) / 2;
  return gaps.filter((gap, index) => gap > 1.6 * usual && gap + (gaps[index + 1] ?? usual) > 2.6 * usual)
    .length;
}

/** Streams of single tags that are open side by side. */
const streamsAtOnce = 4;

const noDeviation = "none lost, repeated or out of order";

const pointsOf = (sources: readonly LoadSource[]): number =>
  sources.reduce((sum, { points }) => sum + points.length, 0);

interface Watched {
  /** The deviations of each client. */
  readonly wrong: readonly string[];
  /** The stream that shows the first of them. */
  readonly shown: { readonly evidence?: Evidence };
}

const evidenceOf = (clients: readonly SequenceClient[], last: number): Watched["shown"] => {
  const [evidence] = clients.flatMap((client) => client.evidence(last) ?? []);
  return evidence === undefined ? {} : { evidence };
};

/** Runs a load past the clients. */
async function watched(
  context: CaseContext,
  load: SequenceLoad,
  clients: readonly SequenceClient[],
  { everyMs, changes }: { readonly everyMs: number; readonly changes: typeof changesByLevel },
): Promise<Watched> {
  const settleMs = context.profile.patience.settleMs + 2000;
  const problem = await whyNotDelivering(context, load, clients, settleMs);
  if (problem?.cause === "devices") context.unmet(`precondition failed: ${problem.reason}`);
  // The tags follow their devices: a silent stream is a deviation, and waiting for its changes adds no evidence.
  if (problem !== undefined) return { wrong: [problem.reason], shown: evidenceOf(clients, load.last) };
  await load.runPolled(everyMs, changes[context.level], context.signal, settleMs);
  await untilAllShown(context, clients, load.last, settleMs);
  const shown = evidenceOf(clients, load.last);
  const wrong = clients.flatMap((client, index) => {
    const { lost, repeated, disordered } = client.totals(load.last);
    return lost + repeated + disordered === 0
      ? []
      : [`client ${index + 1}: ${lost} lost, ${repeated} repeated, ${disordered} out of order`];
  });
  return { wrong, shown };
}

/** Whether the point has an integer type of 16 or 32 bits. */
const isNumber = ({ dataType }: FieldPoint): boolean =>
  dataType === "int32" || dataType === "uint32" || dataType === "int16";

export const streamSuite: readonly TestCase[] = [
  ...endingCases,
  testCase({
    ...shared,
    id: "streams/every-change-once-and-in-order",
    title: "Streams deliver every change once, in order, to every client",
    requirements: ["CORE-FIELD-03", "CORE-FIELD-20", "CORE-FIELD-22"],
    async run(context) {
      const { verify } = context;
      const { sources, everyMs } = someLoad(context, tagsToFollow);
      await using stack = new AsyncDisposableStack();
      const load = await SequenceLoad.begin(sources, context);
      const clients: SequenceClient[] = [];
      for (let number = 0; number < 3; number++)
        clients.push(stack.use(await SequenceClient.open(context, sources, load)));
      const { wrong, shown } = await watched(context, load, clients, { everyMs, changes: changesByLevel });
      const facts = {
        what: `${load.last - load.first} changes of ${pointsOf(sources)} tags, ${everyMs} ms apart, on ${clients.length} streams`,
        expected: noDeviation,
        observed: wrong.length === 0 ? noDeviation : wrong,
        ...shown,
      };
      verify("CORE-FIELD-03").that(wrong.length === 0, facts);
      verify("CORE-FIELD-20").that(wrong.length === 0, facts);
      verify("CORE-FIELD-22").that(wrong.length === 0, facts);
      const strangers = clients.flatMap(({ readings }) => readings.flatMap(({ stream }) => stream.others));
      verify("CORE-FIELD-22").equal(strangers, [], "stream lines that are not a value of a requested tag");
    },
  }),
  testCase({
    ...shared,
    id: "streams/values-of-every-type",
    title: "A stream of changes shows field values of every data type exactly",
    requirements: ["CORE-FIELD-03", "CORE-TAG-08", "CORE-TAG-09", "CORE-TAG-11", "CORE-TAG-14"],
    async run(context) {
      const { gateway, verify, field, clock } = context;
      const placed = onePerForm(field).filter(({ point }) => point.access !== "w");
      const forms = [
        ...Map.groupBy(placed, ({ device, point }) => `${device.kind} ${point.dataType}`).values(),
      ];
      const waiting = forms.flatMap((one) => one.slice(0, 1)).values();
      await Promise.all(
        Array.from({ length: streamsAtOnce }, async () => {
          for (const { device, point } of waiting) {
            const { provider, source, tag } = pathOf(point);
            let current = await requireFollowing(context, { device, point });
            await using stream = await gateway.admin.openTagStream(
              { provider, source },
              { tags: tag, onChanged: true },
            );
            for (const value of edgeValues(point)) {
              // Only a change is shown; whether a stream opens with the current value is not stated.
              if (isSame(point, current, value)) continue;
              current = value;
              const sinceMs = clock.nowMs();
              await device.set(point, value);
              const seen = await stream
                .next(
                  `${String(value)} for ${point.id}`,
                  (one) => one.receivedMs >= sinceMs && isSame(point, one.value.dataValue, value),
                  5000,
                )
                .catch(() => undefined);
              if (seen === undefined && !(await awaitShown(context, point, value)).holds)
                context.unmet(`precondition failed: ${point.id} does not follow ${device.name}`);
              verify("CORE-FIELD-03").that(seen !== undefined, {
                what: `${point.id} (${point.dataType}) on a stream of changes`,
                expected: String(value),
                observed:
                  seen?.value.dataValue ?? stream.received.at(-1)?.value.dataValue ?? "no value within 5 s",
                evidence: around(stream, seen?.receivedMs),
              });
              if (seen === undefined) return;
              verifyMonitoredMembers(context, { device, point }, seen.value, {
                view: "on a stream of changes",
                evidence: around(stream, seen.receivedMs),
              });
            }
          }
        }),
      );
    },
  }),
  testCase({
    ...shared,
    id: "streams/cadence",
    title: "A stream with `streamInterval` keeps its interval under continuous operation",
    requirements: ["CORE-TAG-51"],
    load: true,
    async run(context) {
      const { gateway, verify, clock, signal, level } = context;
      const [source] = someLoad(context, 1).sources;
      const [point] = source?.points ?? [];
      if (source === undefined || point === undefined)
        return context.notApplicable("the rack has no integer point of a simulated device");
      const { provider, source: name, tag } = pathOf(point);
      await requireFollowing(context, { device: source.device, point });
      const intervalMs = await takenIntervalMs(context, { provider, source: name, tag });
      await using stream = await gateway.admin.openTagStream(
        { provider, source: name },
        { tags: tag, streamInterval: intervalMs },
      );
      await stream.next("the first value", () => true).catch(() => undefined);
      await clock.delay(Math.max(cadenceMs[level], fewestIntervals * intervalMs), signal);
      const times = stream.received.map(({ receivedMs }) => receivedMs);
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      context.keep.cadence({ name: `stream of ${tag}`, intervalMs, gapsMs: gaps });
      const mean = gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length);
      verify("CORE-TAG-51").that(gaps.length >= 5 && mean > intervalMs * 0.7 && mean < intervalMs * 1.3, {
        what: `mean interval of a stream with streamInterval=${intervalMs}`,
        expected: `${intervalMs * 0.7} to ${intervalMs * 1.3} ms over at least 5 intervals`,
        observed: `${mean.toFixed(1)} ms over ${gaps.length} intervals`,
        evidence: stream,
      });
      // A smoke run has too few rounds to tell a missing one from a late one.
      if (level !== "smoke") {
        const leftOut = roundsLeftOut(gaps);
        verify("CORE-TAG-51").that(leftOut < Math.max(leastLeftOut, gaps.length * shareLeftOut), {
          what: `missing rounds of a stream with streamInterval=${intervalMs} over ${gaps.length} intervals`,
          expected: `less than ${Math.max(leastLeftOut, gaps.length * shareLeftOut)}`,
          observed: leftOut,
          evidence: stream,
        });
      }
      const sorted = gaps.map((gap) => Math.abs(gap - intervalMs)).toSorted((a, b) => a - b);
      for (const [word, share] of [
        ["median", 0.5],
        ["largest", 1],
      ] as const) {
        const jitter = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
        verify("CORE-TAG-51").within({
          name: `jitter of the interval, ${word}`,
          unit: "ms",
          interval: { low: jitter, high: jitter },
          limits: {},
          observers: ["arrival at the client"],
        });
      }
    },
  }),
  testCase({
    ...shared,
    id: "streams/slow-and-vanishing-clients",
    title: "Clients that stop reading or disconnect do not affect other stream clients",
    requirements: ["CORE-FIELD-21"],
    async run(context) {
      const { verify, gateway } = context;
      const { sources, everyMs } = someLoad(context, 64);
      await using stack = new AsyncDisposableStack();
      const load = await SequenceLoad.begin(sources, context);
      const steady = stack.use(await SequenceClient.open(context, sources, load));
      const slow = stack.use(await SequenceClient.open(context, sources, load));
      const vanishing = await SequenceClient.open(context, sources, load);
      const settleMs = context.profile.patience.settleMs + 2000;
      const problem = await whyNotDelivering(context, load, [steady], settleMs);
      if (problem !== undefined) context.unmet(`precondition failed: ${problem.reason}`);
      for (const { stream } of slow.readings) stream.pause();
      await vanishing[Symbol.asyncDispose]();
      const { wrong, shown } = await watched(context, load, [steady], {
        everyMs,
        changes: changesBesideSlow,
      });
      verify("CORE-FIELD-21").that(wrong.length === 0, {
        what: `${load.last - load.first} changes of ${pointsOf(sources)} tags on the stream of one client, while another does not read and a third has disconnected`,
        expected: noDeviation,
        observed: wrong.length === 0 ? noDeviation : wrong,
        ...shown,
      });
      for (const { stream } of slow.readings) stream.resume();
      verify("CORE-FIELD-21").accepted(await gateway.admin.call("listTags"));
    },
  }),
  testCase({
    ...shared,
    id: "streams/differences-add-up",
    title: "Differences with `compute=diff` equal the steps of the field device",
    requirements: ["CORE-FIELD-23"],
    async run(context) {
      const { gateway, verify, field, clock, signal, level, random } = context;
      const placed = onePerForm(field).find(
        ({ device, point }) => device.isSimulated && isNumber(point) && point.access !== "w",
      );
      if (placed === undefined)
        return context.notApplicable("the rack has no simulated readable point of int32, uint32 or int16");
      const { device, point } = placed;
      const { provider, source, tag } = pathOf(point);
      await requireFollowing(context, placed);
      // A direct read may ask the device; the stream sends what is polled, as monitoring shows it.
      const byMonitoring = { view: shownByMonitoring };
      await device.set(point, startOfSteps);
      if (!(await awaitShown(context, point, startOfSteps, byMonitoring)).holds)
        context.unmet(`the gateway did not show ${startOfSteps} for ${point.id}`);
      await using stream = await gateway.admin.openTagStream(
        { provider, source },
        { tags: tag, onChanged: true, compute: "diff" },
      );
      await clock.delay(3 * point.pollIntervalMs, signal);
      // The last step is unique: its arrival marks the end.
      const steps = Array.from({ length: stepsByLevel[level] }, () => random.pick([3, -5, 22, 7, -11]));
      steps.push(-1);
      let value = startOfSteps;
      for (const step of steps) {
        value += step;
        await device.set(point, value);
        if (!(await awaitShown(context, point, value, byMonitoring)).holds)
          context.unmet(`the gateway did not show ${value} for ${point.id}`);
        await clock.delay(point.pollIntervalMs, signal);
      }
      await stream
        .next("the last difference", (one) => Number(one.value.dataValue) === -1, 5000)
        .catch(() => undefined);
      // The base of the first difference after opening is not stated; the following differences are.
      verifyReceived(
        verify("CORE-FIELD-23"),
        stream,
        stream.received
          .map(({ value, receivedMs }) => ({ shown: Number(value.dataValue), receivedMs }))
          .slice(1 - steps.length),
        steps.slice(1),
        `${steps.length - 1} differences received`,
      );
    },
  }),
];

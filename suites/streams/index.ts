import { type CaseContext, type Level, type TestCase, testCase } from "../../harness/index.ts";
import type { FieldPoint } from "../../rigs/index.ts";
import { awaitShown, isSame, onePerForm, pathOf, telling } from "../support/fieldPoints.ts";
import { endingCases } from "./ending.ts";
import { SequenceClient, untilAllShown } from "../support/sequenceClients.ts";
import { type LoadSource, loadSources, SequenceLoad } from "../support/sequenceLoad.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["field-devices"],
  equipment: ["field-devices"],
  capabilities: ["tags", "tag-stream"],
  deadlineMs: 180_000,
} as const;

/** Far more than polling needs: a machine that is busy for a moment must not look like a gateway that loses changes. */
const changeAfterPolls = 8;
/** With a nightly run's changes these show a loss of one change in 500 all but surely. */
const tagsToFollow = 256;
const changesByLevel: Readonly<Record<Level, number>> = { smoke: 6, nightly: 12, certification: 100 };
/** Far from the ends of all types that are looked at. */
const startOfSteps = 10_000;
const stepsByLevel: Readonly<Record<Level, number>> = { smoke: 4, nightly: 30, certification: 100 };
const cadenceMs: Readonly<Record<Level, number>> = { smoke: 1200, nightly: 3500, certification: 20_000 };

/** So many rounds, and this share of all, are left out by design and not by a machine that was busy for a moment. */
const leastLeftOut = 3;
const shareLeftOut = 0.08;

/** How many rounds are missing: a gap of two rounds that the next one does not make up for by coming early. */
function roundsLeftOut(gaps: readonly number[]): number {
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  return gaps.filter((gap, index) => gap > 1.6 * usual && gap + (gaps[index + 1] ?? usual) > 2.6 * usual)
    .length;
}

/** As many tags at most, of as few sources as have them, and the pace at which polling sees each of their changes. */
function someLoad(context: CaseContext, tags: number): { sources: LoadSource[]; everyMs: number } {
  const sources: LoadSource[] = [];
  let left = tags;
  for (const source of loadSources(context.field).toSorted((a, b) => b.points.length - a.points.length)) {
    if (left === 0) break;
    const points = source.points.slice(0, left);
    left -= points.length;
    sources.push({ ...source, points, indexes: new Map(points.map(({ tag }, index) => [tag.tag, index])) });
  }
  if (sources.length === 0)
    return context.notApplicable("no simulated field device of the rack takes sequence numbers");
  // Far from the poll interval: here order and completeness count, and speed is another case's.
  const slowestPollMs = Math.max(...sources.flatMap(({ points }) => points.map((one) => one.pollIntervalMs)));
  return { sources, everyMs: changeAfterPolls * slowestPollMs };
}

const pointsOf = (sources: readonly LoadSource[]): number =>
  sources.reduce((sum, { points }) => sum + points.length, 0);

/** Runs a load past the clients and answers what was wrong with what each of them received. */
async function watched(
  context: CaseContext,
  load: SequenceLoad,
  clients: readonly SequenceClient[],
  everyMs: number,
): Promise<string[]> {
  const settleMs = context.profile.patience.settleMs + 2000;
  await untilAllShown(context, clients, load.last, settleMs);
  await load.runPolled(everyMs, changesByLevel[context.level], context.signal, settleMs);
  await untilAllShown(context, clients, load.last, settleMs);
  return clients.flatMap((client, index) => {
    const { lost, repeated, disordered } = client.totals(load.last);
    return lost + repeated + disordered === 0
      ? []
      : [`client ${index + 1}: ${lost} lost, ${repeated} repeated, ${disordered} out of order`];
  });
}

/** A point with a type that has differences. */
const isNumber = ({ dataType }: FieldPoint): boolean =>
  dataType === "int32" || dataType === "uint32" || dataType === "int16";

export const streamSuite: readonly TestCase[] = [
  ...endingCases,
  testCase({
    ...shared,
    id: "streams/every-change-once-and-in-order",
    title:
      "A stream of changes shows every value that a field device takes, once and in order, to every client",
    requirements: ["CORE-FIELD-03", "CORE-FIELD-20", "CORE-FIELD-22"],
    async run(context) {
      const { clock, verify } = context;
      const { sources, everyMs } = someLoad(context, tagsToFollow);
      await using stack = new AsyncDisposableStack();
      const load = await SequenceLoad.begin(sources, clock);
      const clients: SequenceClient[] = [];
      for (let number = 0; number < 3; number++)
        clients.push(stack.use(await SequenceClient.open(context, sources, load)));
      const wrong = await watched(context, load, clients, everyMs);
      const facts = {
        what: `${load.last - load.first} changes of ${pointsOf(sources)} tags, ${everyMs} ms apart, on ${clients.length} streams`,
        expected: "each once and in order",
        observed: wrong.length === 0 ? "so" : wrong,
      };
      verify("CORE-FIELD-03").that(wrong.length === 0, facts);
      verify("CORE-FIELD-20").that(wrong.length === 0, facts);
      const strangers = clients.flatMap(({ readings }) => readings.flatMap(({ stream }) => stream.others));
      verify("CORE-FIELD-22").equal(
        strangers,
        [],
        "lines of the streams that are no value of a tag that was asked for",
      );
    },
  }),
  testCase({
    ...shared,
    id: "streams/values-of-every-type",
    title: "A stream of changes shows values of every data type as the field device has them",
    requirements: ["CORE-FIELD-03"],
    async run(context) {
      const { gateway, verify, field } = context;
      const placed = onePerForm(field).filter(({ point }) => point.access !== "w");
      const forms = [
        ...Map.groupBy(placed, ({ device, point }) => `${device.kind} ${point.dataType}`).values(),
      ];
      await Promise.all(
        [
          ...Map.groupBy(
            forms.flatMap((one) => one.slice(0, 1)),
            ({ device }) => device.name,
          ).values(),
        ].map(async (points) => {
          for (const { device, point } of points) {
            const { provider, source, tag } = pathOf(point);
            await using stream = await gateway.admin.openTagStream(
              { provider, source },
              { tags: tag, onChanged: true },
            );
            const values = telling(point);
            for (const value of values) {
              await device.set(point, value);
              const seen = await stream
                .next(
                  `${point.id} to be ${String(value)}`,
                  (one) => isSame(point, one.value.dataValue, value),
                  5000,
                )
                .catch(() => undefined);
              verify("CORE-FIELD-03").that(seen !== undefined, {
                what: `${point.id} (${point.dataType}) on a stream of changes`,
                expected: String(value),
                observed: seen?.value.dataValue ?? stream.received.at(-1)?.value.dataValue ?? "nothing",
              });
              if (seen === undefined) return;
            }
          }
        }),
      );
    },
  }),
  testCase({
    ...shared,
    id: "streams/cadence",
    title: "A stream at an interval keeps its cadence; its jitter is reported",
    requirements: ["CORE-TAG-51"],
    async run(context) {
      const { gateway, verify, clock, signal, level } = context;
      const [source] = someLoad(context, 1).sources;
      const [point] = source?.points ?? [];
      if (source === undefined || point === undefined) return context.notApplicable("no point");
      const intervalMs = 100;
      const { provider, source: name, tag } = pathOf(point);
      await source.device.set(point, 7);
      await awaitShown(context, point, 7);
      await using stream = await gateway.admin.openTagStream(
        { provider, source: name },
        { tags: tag, streamInterval: intervalMs },
      );
      await stream.next("the first value", () => true).catch(() => undefined);
      await clock.delay(cadenceMs[level], signal);
      const times = stream.received.map(({ receivedMs }) => receivedMs);
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      context.keep.cadence({ name: `stream of ${tag}`, intervalMs, gapsMs: gaps });
      const mean = gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length);
      verify("CORE-TAG-51").that(gaps.length >= 5 && mean > intervalMs * 0.7 && mean < intervalMs * 1.3, {
        what: `the mean interval of a stream at ${intervalMs} ms`,
        expected: "70 to 130 ms",
        observed: `${mean.toFixed(1)} ms over ${gaps.length} intervals`,
      });
      // A smoke run sees too few rounds to tell one that was left out from one that came late.
      if (level !== "smoke") {
        const leftOut = roundsLeftOut(gaps);
        verify("CORE-TAG-51").that(leftOut < Math.max(leastLeftOut, gaps.length * shareLeftOut), {
          what: `rounds of a stream at ${intervalMs} ms that did not come, and were not made up for`,
          expected: `none or next to none of ${gaps.length}`,
          observed: leftOut,
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
    title: "A client that stops reading and one that vanishes take nothing from the others",
    requirements: ["CORE-FIELD-21"],
    async run(context) {
      const { clock, verify, gateway } = context;
      const { sources, everyMs } = someLoad(context, 64);
      await using stack = new AsyncDisposableStack();
      const load = await SequenceLoad.begin(sources, clock);
      const steady = stack.use(await SequenceClient.open(context, sources, load));
      const slow = stack.use(await SequenceClient.open(context, sources, load));
      const vanishing = await SequenceClient.open(context, sources, load);
      for (const { stream } of slow.readings) stream.pause();
      await vanishing[Symbol.asyncDispose]();
      const wrong = await watched(context, load, [steady], everyMs);
      verify("CORE-FIELD-21").that(wrong.length === 0, {
        what: `${load.last - load.first} changes of ${pointsOf(sources)} tags beside a client that does not read and one that vanished`,
        expected: "each once and in order",
        observed: wrong.length === 0 ? "so" : wrong,
      });
      for (const { stream } of slow.readings) stream.resume();
      verify("CORE-FIELD-21").accepted(await gateway.admin.call("listTags"));
    },
  }),
  testCase({
    ...shared,
    id: "streams/differences-add-up",
    title:
      "The differences of a stream with compute diff add up to what the value of the field device moved by",
    requirements: ["CORE-FIELD-23"],
    async run(context) {
      const { gateway, verify, field, clock, signal, level, random } = context;
      const placed = onePerForm(field).find(
        ({ device, point }) => device.isSimulated && isNumber(point) && point.access !== "w",
      );
      if (placed === undefined) return context.notApplicable("the rack has no whole number to look at");
      const { device, point } = placed;
      const { provider, source, tag } = pathOf(point);
      await device.set(point, startOfSteps);
      if (!(await awaitShown(context, point, startOfSteps)).holds) context.unmet(`${point.id} was not shown`);
      await using stream = await gateway.admin.openTagStream(
        { provider, source },
        { tags: tag, onChanged: true, compute: "diff" },
      );
      await clock.delay(3 * point.pollIntervalMs, signal);
      // The last step is like no other, so that its arrival is the end.
      const steps = Array.from({ length: stepsByLevel[level] }, () => random.pick([3, -5, 22, 7, -11]));
      steps.push(-1);
      let value = startOfSteps;
      for (const step of steps) {
        value += step;
        await device.set(point, value);
        if (!(await awaitShown(context, point, value)).holds) context.unmet(`${point.id} was not shown`);
        await clock.delay(point.pollIntervalMs, signal);
      }
      await stream
        .next("the last difference", (one) => Number(one.value.dataValue) === -1, 5000)
        .catch(() => undefined);
      // What the first value after opening is compared with is open; the following differences are not.
      verify("CORE-FIELD-23").equal(
        stream.received.map((one) => Number(one.value.dataValue)).slice(1 - steps.length),
        steps.slice(1),
        `${steps.length - 1} differences as they arrived`,
      );
    },
  }),
];

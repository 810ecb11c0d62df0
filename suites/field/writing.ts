import { type CaseContext, type TagStream, type TestCase, testCase } from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
import type { FieldPoint, PointValue } from "../../rigs/index.ts";
import {
  awaitShown,
  inWords,
  isSame,
  checkEach,
  onePerForm,
  onePerSource,
  pathOf,
  type PlacedPoint,
  edgeValues,
  noValue,
  shownByMonitoring,
} from "../support/fieldPoints.ts";
import { requireDevices } from "../support/following.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["field-devices"],
  equipment: ["field-devices"],
  capabilities: ["tags"],
  deadlineMs: 120_000,
} as const;

/** A gateway with a shorter device timeout than this would be unusual. */
const patienceWithDevicesMs = 300;
/** Other devices and units on which points are written. */
const mostSources = 1;

/** Writes each edge value through the gateway and compares the field device with it. */
async function writeValues(context: CaseContext, { device, point }: PlacedPoint): Promise<boolean> {
  const { gateway, verify } = context;
  const before = await device.get(point);
  const values = edgeValues(point);
  const isOther = await hasOtherNotation(context, point, before);
  let isRight = true;
  for (const value of values) {
    const answer = await gateway.admin.call("writeTag", {
      path: pathOf(point),
      json: { dataType: point.dataType, dataValue: value },
    });
    if (answer.rejected && isOther) {
      const reason = "the gateway writes raw values in another notation than base64, which is not stated";
      verify("CORE-FIELD-06").notApplicable(`writes of ${inWords(point)}`, reason);
      return true;
    }
    // A simulated device runs on this machine: its late answer is the rig's fault, not the gateway's.
    if (!answer.accepted && device.isSimulated && context.hostDelayMs() > patienceWithDevicesMs) {
      throw new Unmet(
        `write of ${point.id} failed (${answer.summary()}) while this machine was overloaded: the simulated device may have answered too late`,
        "insufficient-evidence",
      );
    }
    verify("CORE-FIELD-06").accepted(answer);
    isRight &&= answer.accepted;
    if (!answer.accepted) break;
    const stored = await storedInDevice(context, { device, point }, value);
    const isStored = isSame(point, stored, value);
    verify("CORE-FIELD-06").that(isStored, {
      what: `value of ${inWords(point)} in the field device after a write`,
      expected: String(value),
      observed: stored,
      evidence: answer,
    });
    // Further values of a wrong point add no evidence and take as long.
    isRight &&= isStored;
    if (!isStored) break;
    if (point.access === "rw") {
      const isReadOnce = value === values.at(-1) && (await isMonitored(context, point, value));
      const first = await awaitShown(context, point, value, isReadOnce ? { withinMs: 0 } : {});
      // A rejection may pass, unlike a value of its own.
      const read = first.last === noValue ? await awaitShown(context, point, value) : first;
      verify("CORE-FIELD-07").that(read.holds, {
        what: `direct read of ${inWords(point)} after a write`,
        expected: String(value),
        observed: read.last,
        evidence: answer,
      });
      isRight &&= read.holds;
      if (!read.holds) break;
    }
  }
  const [value, other] = [values.at(-1), values.at(-2)];
  if (isRight && point.access === "rw" && value !== undefined && other !== undefined)
    isRight = await writeAgain(context, { device, point }, value, other);
  await device.set(point, before);
  return isRight;
}

/** Whether raw values of the point are, or may be, in another notation than base64, which the suite writes. */
async function hasOtherNotation(
  { gateway }: CaseContext,
  point: FieldPoint,
  present: PointValue,
): Promise<boolean> {
  if (point.dataType !== "raw") return false;
  const read = await gateway.admin.call("readTag", { path: pathOf(point) });
  return !read.accepted || read.body().dataValue !== present;
}

/** Writes the value that was written last once more, after the device has taken another by itself. */
async function writeAgain(
  context: CaseContext,
  { device, point }: PlacedPoint,
  value: PointValue,
  other: PointValue,
): Promise<boolean> {
  const { gateway, verify } = context;
  await device.set(point, other);
  const { holds } = await awaitShown(context, point, other, { view: shownByMonitoring });
  if (!holds) return true;
  const json = { dataType: point.dataType, dataValue: value };
  // First when the gateway has seen the change of the device, then before it has.
  for (const hasSeen of [true, false]) {
    if (!hasSeen) await device.set(point, other);
    const answer = await gateway.admin.call("writeTag", { path: pathOf(point), json });
    const stored = answer.accepted ? await storedInDevice(context, { device, point }, value) : undefined;
    const isWritten = verify("CORE-FIELD-06").that(stored !== undefined && isSame(point, stored, value), {
      what: `value of ${inWords(point)} in the field device after the same value was written again, which the device had changed`,
      expected: String(value),
      observed: stored ?? answer.summary(),
      evidence: answer,
    });
    if (!isWritten) return false;
    const { holds: isShown } = await awaitShown(context, point, value, { view: shownByMonitoring });
    if (!isShown) return true;
  }
  return true;
}

/** The value in the device, which a write may reach shortly after its answer: the success response is not shown. */
async function storedInDevice(
  { clock, signal, profile }: CaseContext,
  { device, point }: PlacedPoint,
  value: PointValue,
): Promise<PointValue> {
  const startedMs = clock.nowMs();
  let stored: PointValue = await device.get(point);
  while (!isSame(point, stored, value) && clock.nowMs() - startedMs < profile.patience.settleMs) {
    await clock.delay(10, signal);
    stored = await device.get(point);
  }
  return stored;
}

/** Whether monitoring shows the value, for longer than one poll: from then on a direct read has no reason to be older. */
async function isMonitored(context: CaseContext, point: FieldPoint, value: PointValue): Promise<boolean> {
  const { holds } = await awaitShown(context, point, value, { view: shownByMonitoring });
  if (holds) await context.clock.delay(point.pollIntervalMs, context.signal);
  return holds;
}

/** What a write beside other devices showed. */
interface Beside {
  readonly isRight: boolean;
  readonly hasStreamed: boolean;
}

const ofPoint = (received: TagStream["received"], point: FieldPoint): unknown[] =>
  received
    .filter(({ value }) => value.tagName === pathOf(point).tag)
    .map(({ value }) => value.dataValue as unknown);

/** A poll may be under way at several writes in a row where polls take most of the time. */
const mostWrites = 8;

/** Writes two values to a tag that a stream follows, and looks for each in the field device and on the stream. */
async function writeBeside(
  context: CaseContext,
  { device, point }: PlacedPoint,
  stream: TagStream | undefined,
  isFirst: boolean,
): Promise<Beside> {
  const { gateway, verify } = context;
  let isRight = true;
  let hasStreamed = false;
  /** What the stream showed of the point after each write. */
  const shownOnce: unknown[][] = [];
  const before = await device.get(point);
  const other = edgeValues(point).findLast((one) => !isSame(point, one, before));
  const isMonitoredNow = async (value: PointValue): Promise<boolean> =>
    stream !== undefined &&
    point.access === "rw" &&
    (await awaitShown(context, point, value, { view: shownByMonitoring })).holds;
  // Only what monitoring shows before and after a write is a change that a stream must send.
  let isShown = await isMonitoredNow(before);
  const values = other === undefined ? [] : [other, before];
  for (let times = 0; times < (isFirst ? mostWrites : 2); times++) {
    const value = values[times % 2];
    const isFlickering = shownOnce.length > 0 && shownOnce.every((shown) => shown.length > 1);
    if (value === undefined || (times >= 2 && !isFlickering)) break;
    const received = stream?.received.length ?? 0;
    const wasShown = isShown;
    const json = { dataType: point.dataType, dataValue: value };
    const answer = await gateway.admin.call("writeTag", { path: pathOf(point), json });
    // Rejections are the matter of the points that are written with every value.
    if (!answer.accepted) break;
    const stored = await storedInDevice(context, { device, point }, value);
    isRight = verify("CORE-FIELD-06").that(isSame(point, stored, value), {
      what: `value of ${inWords(point)} in its field device after a write, beside other devices`,
      expected: String(value),
      observed: stored,
      evidence: answer,
    });
    if (isRight && point.access === "rw") {
      const read = await awaitShown(context, point, value);
      isRight = verify("CORE-FIELD-07").that(read.holds, {
        what: `direct read of ${inWords(point)} after a write, beside other devices`,
        expected: String(value),
        observed: read.last,
        evidence: answer,
      });
    }
    if (!isRight) break;
    isShown = await isMonitoredNow(value);
    if (stream === undefined || !wasShown || !isShown) continue;
    // The next poll replaces the value of one that was under way at the write.
    if (isFirst) await context.clock.delay(2 * point.pollIntervalMs, context.signal);
    const isIt = (one: TagStream["received"][number]["value"]): boolean =>
      one.tagName === pathOf(point).tag && isSame(point, one.dataValue, value);
    const isStreamed =
      stream.received.slice(received).some((one) => isIt(one.value)) ||
      (await stream.next("the written value", (one) => isIt(one.value)).catch(() => undefined)) !== undefined;
    if (stream.ended) continue;
    hasStreamed = true;
    isRight = verify("CORE-TAG-52").that(isStreamed, {
      what: `value of ${inWords(point)} on a stream of changes after it was written and monitored`,
      expected: String(value),
      observed: isStreamed ? String(value) : "not received within 5 s",
      evidence: stream,
    });
    if (isStreamed) shownOnce.push(ofPoint(stream.received.slice(received), point));
    if (!isRight) break;
  }
  // A single other value may be that of a poll which was under way at the write.
  if (isFirst && shownOnce.length > 1)
    isRight = verify("CORE-TAG-52").that(
      shownOnce.some((values) => values.length === 1),
      {
        what: `values of ${inWords(point)} on a stream of changes after each of ${shownOnce.length} writes`,
        expected: "the written value once",
        observed: shownOnce.map((values) => values.map(String)),
        ...(stream === undefined ? {} : { evidence: stream }),
      },
    );
  await device.set(point, before);
  return { isRight, hasStreamed };
}

const paceOf = (placed: PlacedPoint | undefined): number => placed?.point.pollIntervalMs ?? 0;

/** Writes to some points of every form on other devices and units than those written with every value. */
async function writeElsewhere(context: CaseContext, placed: readonly PlacedPoint[]): Promise<void> {
  const { gateway, field, random, declares } = context;
  const ids = new Set(placed.map(({ point }) => point.id));
  const others = onePerSource(field).filter(({ point }) => point.access !== "r" && !ids.has(point.id));
  // A small rack has no others; then the stream is tested with points that were written before.
  const candidates = others.length > 0 ? others : placed.filter(({ point }) => point.access === "rw");
  const sources = Map.groupBy(candidates, ({ point }) => pathOf(point).source);
  // The source that is polled most often, and others at random.
  const fastest = [...sources].toSorted(([, [a]], [, [b]]) => paceOf(a) - paceOf(b)).slice(0, 1);
  const chosen = new Set(
    [...fastest.map(([name]) => name), ...random.shuffle([...sources.keys()])].slice(0, mostSources + 1),
  );
  const written = candidates.filter(({ point }) => chosen.has(pathOf(point).source));
  let isRight = true;
  let hasStreamed = false;
  await requireDevices(context, new Set(written.map(({ device }) => device)));
  // One point, of those that are polled most often, shows how its writes are streamed.
  let isFirst = true;
  const byPace = written.toSorted((a, b) => paceOf(a) - paceOf(b));
  for (const of of Map.groupBy(byPace, ({ point }) => pathOf(point).source).values()) {
    const [first] = of;
    if (first === undefined) continue;
    const { provider, source } = pathOf(first.point);
    await using streams = new AsyncDisposableStack();
    const stream = declares("tag-stream")
      ? streams.use(await gateway.admin.openTagStream({ provider, source }, { onChanged: true }))
      : undefined;
    // Each wrong value is waited for, and one shows the fault.
    for (const one of of)
      if (isRight) {
        const seen = await writeBeside(context, one, stream?.status === 200 ? stream : undefined, isFirst);
        isFirst &&= !seen.hasStreamed;
        isRight &&= seen.isRight;
        hasStreamed ||= seen.hasStreamed;
      }
  }
  if (!hasStreamed)
    context
      .verify("CORE-TAG-52")
      .notApplicable("written values on a stream", "no tag was written and streamed");
}

export const writingCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "field/writes-reach-the-device",
    title: "Direct writes reach the field device and are read back",
    requirements: ["CORE-FIELD-06", "CORE-FIELD-07", "CORE-TAG-52"],
    async run(context) {
      const placed = onePerForm(context.field).filter(({ point }) => point.access !== "r");
      if (!placed.some(({ point }) => point.access === "rw"))
        context.notApplicable("the rack has no point with access rw");
      await requireDevices(context, new Set(placed.map(({ device }) => device)));
      await checkEach(context, placed, (one) => writeValues(context, one));
      await writeElsewhere(context, placed);
    },
  }),
];

import { allEnded, type CaseContext, type TagStream, type TestCase, testCase } from "../../harness/index.ts";
import type { FieldFault, FieldPoint, PointValue } from "../../rigs/index.ts";
import {
  awaitShown,
  inWords,
  isSame,
  pathOf,
  type PlacedPoint,
  type Shown,
  isMarked,
  shownByMonitoring,
  shownByRead,
} from "../support/fieldPoints.ts";
import { countersOf } from "../support/fieldCounters.ts";
import { recoverWithinMs, requireDevices, requireFollowing } from "../support/following.ts";
import { EventWatch } from "../support/fieldEvents.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["field-devices"],
  addsTo: ["event-catalogue", "event-log"],
  equipment: ["field-devices"],
  capabilities: ["tags"],
  deadlineMs: 180_000,
} as const;

/** A fault lasts for some polls of its point, and at least this long. */
const leastFaultMs = 500;
const pollsOfFault = 3;
/** A simulated serial line has about as many. */
const usualFaults = 10;

/** Faults under which the device still has values, which must not be shown wrongly. */
const misleading: ReadonlySet<FieldFault> = new Set([
  "exception",
  "slow-answer",
  "wrong-unit",
  "garbage",
  "crc-error",
  "partial-frame",
  "noise",
  "bad-quality",
]);

/** One device of each kind with injectable faults, and one of its integer points. */
function subjects({ field }: CaseContext): PlacedPoint[] {
  const kinds = Map.groupBy(
    field.devices.filter((device) => device.faults.length > 0),
    ({ kind }) => kind,
  );
  return [...kinds.values()].flatMap((devices) => {
    for (const device of devices) {
      const [point] = countersOf(device);
      if (point !== undefined) return [{ device, point }];
    }
    return [];
  });
}

/** Points of devices without an injected fault, whose values must keep updating. */
function bystanders({ field }: CaseContext, all: readonly PlacedPoint[]): PlacedPoint[] {
  return field.devices
    .filter((device) => !all.some((subject) => subject.device === device))
    .flatMap((device) => countersOf(device).map((point) => ({ device, point })));
}

const views = [
  ["read", shownByRead],
  ["monitored", shownByMonitoring],
] as const;

/** Injects one fault and checks the gateway during and after it; returns whether the values recovered. */
async function showFault(
  context: CaseContext,
  subject: PlacedPoint,
  fault: FieldFault,
  other: PlacedPoint | undefined,
): Promise<boolean> {
  const { verify } = context;
  const { device, point } = subject;
  const unit = point.at.kind === "modbus" ? { unit: point.at.unit } : {};
  const what = (rest: string): string => `value of ${inWords(point)} ${rest} ${device.kind} fault ${fault}`;
  await device.set(point, 1000);
  // A direct read may ask the device, while a stream compares with what was polled before.
  const within = { withinMs: recoverWithinMs };
  const read = await awaitShown(context, point, 1000, within);
  const shownBefore = read.holds
    ? await awaitShown(context, point, 1000, { ...within, view: shownByMonitoring })
    : read;
  // Its tag followed it before: a fault of another device has stopped its values, which is tested there.
  if (!shownBefore.holds && fault === device.faults[0]) {
    context.note(
      `${device.name}: no fault injected, because its values stopped during faults of other devices`,
    );
    return false;
  }
  // Shown before the first fault but not before this one: the gateway has not recovered from an earlier one.
  if (!shownBefore.holds) {
    verify("CORE-FIELD-11").that(false, {
      what: `${what("before the")}, after earlier faults`,
      expected: "1000",
      observed: shownBefore.last,
    });
    return false;
  }
  const earlier = await usualOf(context, point);
  const wrong: unknown[] = [];
  await using streams = new AsyncDisposableStack();
  const stream = context.declares("tag-stream")
    ? streams.use(await openChanges(context, subject))
    : undefined;
  {
    // Monitoring may show an earlier polled value, which the device had as well.
    const before = await usualOf(context, point);
    await using _fault = await device.fault(fault, unit);
    await allEnded([
      collectWrong(context, subject, { before, earlier }, wrong),
      other && showOther(context, other, `the ${device.kind} fault ${fault} of ${device.name}`),
    ]);
  }
  if (misleading.has(fault)) {
    verify("CORE-FIELD-12").that(wrong.length === 0, {
      what: what("during the"),
      expected:
        "1000 or 2000 (values of the device), marked by a member such as a quality, or rejected with 4xx",
      observed: wrong.length === 0 ? "only 1000, 2000 or rejections" : wrong,
    });
  }
  const sinceMs = context.clock.nowMs();
  await device.set(point, 3000);
  // A direct read may query the device itself; monitoring shows whether polling has resumed.
  for (const [how, view] of views) {
    const after = await awaitShown(context, point, 3000, { withinMs: recoverWithinMs, view });
    verify("CORE-FIELD-11").that(after.holds, {
      what: `${what("after the")} as ${how}`,
      expected: `3000 within ${recoverWithinMs / 1000} s`,
      observed: after.last,
    });
    if (!after.holds) return false;
  }
  // Awaited here: the stream is closed at the end of this function.
  return await verifyStreamed(context, point, { stream, sinceMs, what: what("after the") });
}

/** What each view shows. */
interface Usual {
  readonly read: Shown | undefined;
  readonly monitored: Shown | undefined;
}

async function usualOf(context: CaseContext, point: FieldPoint): Promise<Usual> {
  return { read: await shownByRead(context, point), monitored: await shownByMonitoring(context, point) };
}

function openChanges({ gateway }: CaseContext, { point }: PlacedPoint): Promise<TagStream> {
  const { provider, source, tag } = pathOf(point);
  return gateway.admin.openTagStream({ provider, source }, { tags: tag, onChanged: true });
}

/** Whether a stream that was open during the fault, and is still, has the value that monitoring shows after it. */
async function verifyStreamed(
  { verify }: CaseContext,
  point: FieldPoint,
  {
    stream,
    sinceMs,
    what,
  }: { readonly stream: TagStream | undefined; readonly sinceMs: number; readonly what: string },
): Promise<boolean> {
  const next = await stream
    ?.next(
      "the value after the fault",
      ({ value, receivedMs }) => receivedMs >= sinceMs && isSame(point, value.dataValue, 3000),
    )
    .catch(() => undefined);
  // Whether a stream outlives the fault is not stated.
  if (stream === undefined || (next === undefined && (stream.ended || stream.status !== 200))) {
    verify("CORE-TAG-52").notApplicable(`${what} on a stream`, "no stream was open over the fault");
    return true;
  }
  return verify("CORE-TAG-52").that(next !== undefined, {
    what: `${what} on a stream of changes that was open during it`,
    expected: "3000 within 5 s",
    observed: next === undefined ? "not received within 5 s" : "3000",
    evidence: stream,
  });
}

/** Collects the values shown during the fault that the device never had. */
async function collectWrong(
  context: CaseContext,
  { device, point }: PlacedPoint,
  { before, earlier }: { readonly before: Usual; readonly earlier: Usual },
  wrong: unknown[],
): Promise<void> {
  const { clock, signal } = context;
  const had: PointValue[] = [1000, 2000];
  const isHad = (shown: unknown): boolean =>
    shown === before.monitored?.shown || had.some((value) => isSame(point, shown, value));
  await device.set(point, 2000);
  const endMs = clock.nowMs() + Math.max(leastFaultMs, pollsOfFault * point.pollIntervalMs);
  while (clock.nowMs() < endMs) {
    for (const [how, view] of views) {
      const seen = await view(context, point);
      if (seen !== undefined && !isHad(seen.shown) && !isMarked(seen, [before[how], earlier[how]]))
        wrong.push(seen.shown);
    }
    await clock.delay(50, signal);
  }
}

/** Changes the value of another device during the fault. */
async function showOther(
  context: CaseContext,
  { device, point }: PlacedPoint,
  during: string,
): Promise<void> {
  const { verify, clock, signal } = context;
  for (const value of [31, 32, 33]) {
    await device.set(point, value);
    for (const [how, view] of views) {
      const shown = await awaitShown(context, point, value, { view });
      verify("CORE-FIELD-10").that(shown.holds, {
        what: `value of ${inWords(point)} as ${how} during ${during}`,
        expected: String(value),
        observed: shown.last,
      });
    }
    await clock.delay(50, signal);
  }
}

const modbusFailed = "slave device failed";
const modbusConnected = "slave device connected";

export const faultCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "field/faults-stay-where-they-are",
    title: "Field device faults cause no false value, affect no other device, and end completely",
    requirements: ["CORE-FIELD-10", "CORE-FIELD-11", "CORE-FIELD-12", "CORE-TAG-52"],
    touches: ["field-devices"],
    leastMs: usualFaults * leastFaultMs,
    async run(context) {
      const all = subjects(context);
      if (all.length === 0) context.notApplicable("the rack has no field device with injectable faults");
      const others = bystanders(context, all);
      const showFaults = async (subject: PlacedPoint, other: PlacedPoint | undefined): Promise<void> => {
        for (const fault of subject.device.faults)
          // A point that has not recovered from one fault gives no evidence about the next.
          if (!(await showFault(context, subject, fault, other))) return;
      };
      await allEnded(
        [...all, ...others.slice(0, all.length)].map((placed) => requireFollowing(context, placed)),
      );
      if (others.length > 0) await allEnded(all.map((subject, index) => showFaults(subject, others[index])));
      // One device at a time: the next one must keep its values meanwhile.
      else if (all.length > 1)
        for (const [index, subject] of all.entries())
          await showFaults(subject, all[(index + 1) % all.length]);
      else {
        context
          .verify("CORE-FIELD-10")
          .notApplicable("values of other field devices", "the rack has a single field device");
        await allEnded(all.map((subject) => showFaults(subject, undefined)));
      }
    },
  }),
  testCase({
    ...shared,
    id: "field/device-events",
    title: "Loss and return of a Modbus device appear as events, streamed and logged",
    requirements: ["CORE-FIELD-13", "CORE-FIELD-14", "CORE-FIELD-17", "CORE-EVENT-68"],
    capabilities: ["tags", "events", "event-stream"],
    async run(context) {
      const { verify, field, clock, signal } = context;
      const device = field.devices.find(
        ({ kind, faults }) => kind === "modbus-tcp" && faults.includes("cut"),
      );
      const [point] = device === undefined ? [] : countersOf(device);
      if (device === undefined || point === undefined)
        return context.notApplicable("the rack has no Modbus TCP device whose connection can be cut");
      await requireFollowing(context, { device, point });
      await using watch = await EventWatch.begin(context, [modbusFailed, modbusConnected]);
      const cutMs = clock.nowMs();
      const fault = await device.fault("cut");
      const failed = await watch.next(modbusFailed);
      await fault[Symbol.asyncDispose]();
      const backMs = clock.nowMs();
      const connected = await watch.next(modbusConnected);
      verify("CORE-FIELD-13").that(failed !== undefined, {
        what: `event "${modbusFailed}" after ${device.name} was cut off`,
        expected: `within ${watch.withinMs / 1000} s`,
        observed:
          failed === undefined
            ? `none within ${watch.withinMs / 1000} s`
            : `after ${Math.round(failed - cutMs)} ms`,
        evidence: watch.evidence,
      });
      verify("CORE-FIELD-14").that(connected !== undefined, {
        what: `event "${modbusConnected}" after ${device.name} was reachable again`,
        expected: `within ${watch.withinMs / 1000} s`,
        observed:
          connected === undefined
            ? `none within ${watch.withinMs / 1000} s`
            : `after ${Math.round(connected - backMs)} ms`,
        evidence: watch.evidence,
      });
      watch.verifyKind(modbusFailed);
      watch.verifyKind(modbusConnected);
      if (failed === undefined && connected === undefined)
        verify("CORE-EVENT-68").notApplicable(
          "`category` and `severity` of these events",
          "none was recorded",
        );
      await clock.delay(200, signal);
      const { streamed, logged } = await watch.finish();
      verify("CORE-FIELD-17").that(
        streamed.indexOf(modbusFailed) >= 0 &&
          streamed.indexOf(modbusFailed) < streamed.lastIndexOf(modbusConnected),
        {
          what: "order of the events on the event stream",
          expected: `${modbusFailed}, then ${modbusConnected}`,
          observed: streamed,
          evidence: watch.evidence,
        },
      );
      verify("CORE-FIELD-17").equal(
        logged,
        streamed,
        "events in the log, oldest first, compared with the event stream",
        watch.evidence,
      );
    },
  }),
  testCase({
    ...shared,
    id: "field/function-events",
    title: "Modbus exceptions raise `function failed`, and their end raises `function recover`",
    requirements: ["CORE-FIELD-15", "CORE-EVENT-68"],
    capabilities: ["tags", "events", "event-stream"],
    async run(context) {
      const { verify, field } = context;
      const device = field.devices.find(
        ({ kind, faults }) => kind === "modbus-tcp" && faults.includes("exception"),
      );
      if (device === undefined)
        return context.notApplicable("the rack has no Modbus TCP device that can answer with exceptions");
      await requireDevices(context, [device]);
      await using watch = await EventWatch.begin(context, ["function failed", "function recover"]);
      const fault = await device.fault("exception", { exceptionCode: 4 });
      const failed = await watch.next("function failed");
      await fault[Symbol.asyncDispose]();
      // Without the first event there is no recovery to record.
      const recovered = failed === undefined ? undefined : await watch.next("function recover");
      for (const [name, at] of [
        ["function failed", failed],
        ["function recover", recovered],
      ] as const) {
        if (name === "function recover" && failed === undefined) continue;
        verify("CORE-FIELD-15").that(at !== undefined, {
          what: `event "${name}" for exceptions of ${device.name}`,
          expected: `within ${watch.withinMs / 1000} s`,
          observed:
            at === undefined ? `none within ${watch.withinMs / 1000} s` : `within ${watch.withinMs / 1000} s`,
          evidence: watch.evidence,
        });
        watch.verifyKind(name);
      }
      if (failed === undefined)
        verify("CORE-EVENT-68").notApplicable(
          "`category` and `severity` of these events",
          "none was recorded",
        );
    },
  }),
];

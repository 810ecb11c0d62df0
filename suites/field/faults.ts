import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { FieldFault, PointValue } from "../../rigs/index.ts";
import {
  awaitShown,
  inWords,
  isSame,
  type PlacedPoint,
  shownByMonitoring,
  shownByRead,
} from "../support/fieldPoints.ts";
import { countersOf } from "../support/fieldCounters.ts";
import { EventWatch } from "../support/fieldEvents.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["field-devices", "event-log", "event-catalogue"],
  equipment: ["field-devices"],
  capabilities: ["tags"],
  deadlineMs: 180_000,
} as const;

const faultLastsMs = 700;
/** After this a gateway may still be in the pause that it makes between two tries. */
const recoverWithinMs = 15_000;

/** Faults under which the device still has values of its own, which must not be shown wrongly. */
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

/** One device of each kind that can fail on purpose, with a numeric point to look at. */
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

/** Points of devices that no fault is shown on, whose values go on meanwhile; one for each subject. */
function bystanders({ field }: CaseContext, all: readonly PlacedPoint[]): PlacedPoint[] {
  return field.devices
    .filter((device) => !all.some((subject) => subject.device === device))
    .flatMap((device) => countersOf(device).map((point) => ({ device, point })));
}

const looks = [
  ["read", shownByRead],
  ["monitored", shownByMonitoring],
] as const;

/** Shows one fault of the device and looks at what the gateway made of it; answers whether its values were back. */
async function showFault(
  context: CaseContext,
  subject: PlacedPoint,
  fault: FieldFault,
  other: PlacedPoint | undefined,
): Promise<boolean> {
  const { verify, clock, signal } = context;
  const { device, point } = subject;
  const unit = point.at.kind === "modbus" ? { unit: point.at.unit } : {};
  const what = (rest: string): string => `${inWords(point)} ${rest} ${device.kind} fault ${fault}`;
  await device.set(point, 1000);
  const shownBefore = await awaitShown(context, point, 1000);
  if (!shownBefore.holds && fault === device.faults[0])
    context.unmet(`${point.id} was not shown before the fault`);
  // Shown before the first fault and not before this one: an earlier one is not over for the gateway.
  if (!shownBefore.holds) {
    verify("CORE-FIELD-11").that(false, {
      what: `${what("before the")}, after earlier ones`,
      expected: "1000",
      observed: shownBefore.last,
    });
    return false;
  }
  const wrong = await shownDuring(context, subject, fault, unit);
  if (misleading.has(fault)) {
    verify("CORE-FIELD-12").that(wrong.length === 0, {
      what: what("during the"),
      expected: "1000 or 2000, which the device had, or a refusal",
      observed: wrong.length === 0 ? "so" : wrong,
    });
  }
  if (other !== undefined) {
    await using _fault = await device.fault(fault, unit);
    for (const value of [31, 32, 33]) {
      await other.device.set(other.point, value);
      const shown = await awaitShown(context, other.point, value);
      verify("CORE-FIELD-10").that(shown.holds, {
        what: `${inWords(other.point)} during the ${device.kind} fault ${fault} of ${device.name}`,
        expected: String(value),
        observed: shown.last,
      });
      await clock.delay(50, signal);
    }
  }
  await device.set(point, 3000);
  // A direct read may ask the device itself; monitoring shows whether it is polled again.
  for (const [how, look] of looks) {
    const after = await awaitShown(context, point, 3000, { withinMs: recoverWithinMs, look });
    verify("CORE-FIELD-11").that(after.holds, {
      what: `${what("after the")} as ${how}`,
      expected: `3000 within ${recoverWithinMs / 1000} s`,
      observed: after.last,
    });
    if (!after.holds) return false;
  }
  return true;
}

/** Values that were shown during the fault although the device never had them. */
async function shownDuring(
  context: CaseContext,
  { device, point }: PlacedPoint,
  fault: FieldFault,
  unit: { unit?: number },
): Promise<unknown[]> {
  const { clock, signal } = context;
  // Monitoring may show what was polled a while ago, which the device had as well.
  const before = await shownByMonitoring(context, point);
  const had: PointValue[] = [1000, 2000];
  const isHad = (shown: unknown): boolean =>
    shown === before?.shown || had.some((value) => isSame(point, shown, value));
  await using _fault = await device.fault(fault, unit);
  await device.set(point, 2000);
  const wrong: unknown[] = [];
  const startedMs = clock.nowMs();
  while (clock.nowMs() - startedMs < faultLastsMs) {
    for (const [, look] of looks) {
      const seen = await look(context, point);
      if (seen !== undefined && !isHad(seen.shown)) wrong.push(seen.shown);
    }
    await clock.delay(50, signal);
  }
  return wrong;
}

const modbusFailed = "slave device failed";
const modbusConnected = "slave device connected";

export const faultCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "field/faults-stay-where-they-are",
    title:
      "Whatever a field device does wrong, the others go on, no value is invented, and its own values are back afterwards",
    requirements: ["CORE-FIELD-10", "CORE-FIELD-11", "CORE-FIELD-12"],
    async run(context) {
      const all = subjects(context);
      if (all.length === 0) context.notApplicable("no field device of the rack can misbehave on purpose");
      const others = bystanders(context, all);
      await Promise.all(
        all.map(async (subject, index) => {
          for (const fault of subject.device.faults)
            // What is not back after one fault shows nothing about the next.
            if (!(await showFault(context, subject, fault, others[index]))) return;
        }),
      );
    },
  }),
  testCase({
    ...shared,
    id: "field/device-events",
    title:
      "A Modbus device that goes away and comes back raises its events, in order, on the stream and in the log",
    requirements: ["CORE-FIELD-13", "CORE-FIELD-14", "CORE-FIELD-17"],
    capabilities: ["tags", "events", "event-stream"],
    async run(context) {
      const { verify, field, clock, signal } = context;
      const device = field.devices.find(
        ({ kind, faults }) => kind === "modbus-tcp" && faults.includes("cut"),
      );
      const [point] = device === undefined ? [] : countersOf(device);
      if (device === undefined || point === undefined)
        return context.notApplicable("no Modbus TCP device can be cut off");
      await using watch = await EventWatch.begin(context, [modbusFailed, modbusConnected]);
      const cutMs = clock.nowMs();
      const fault = await device.fault("cut");
      const failed = await watch.next(modbusFailed);
      await fault[Symbol.asyncDispose]();
      const backMs = clock.nowMs();
      const connected = await watch.next(modbusConnected);
      verify("CORE-FIELD-13").that(failed !== undefined, {
        what: `an event ${modbusFailed} after ${device.name} was cut off`,
        expected: `within ${watch.withinMs / 1000} s`,
        observed: failed === undefined ? "none" : `after ${Math.round(failed - cutMs)} ms`,
      });
      verify("CORE-FIELD-14").that(connected !== undefined, {
        what: `an event ${modbusConnected} after ${device.name} was back`,
        expected: `within ${watch.withinMs / 1000} s`,
        observed: connected === undefined ? "none" : `after ${Math.round(connected - backMs)} ms`,
      });
      await clock.delay(200, signal);
      const { streamed, logged } = await watch.finish();
      verify("CORE-FIELD-17").that(
        streamed.indexOf(modbusFailed) >= 0 &&
          streamed.indexOf(modbusFailed) < streamed.lastIndexOf(modbusConnected),
        {
          what: "events of the stream",
          expected: `${modbusFailed}, then ${modbusConnected}`,
          observed: streamed,
        },
      );
      verify("CORE-FIELD-17").equal(
        logged,
        streamed,
        "events in the log, oldest first, beside those of the stream",
      );
    },
  }),
  testCase({
    ...shared,
    id: "field/function-events",
    title:
      "A function that a Modbus device refuses raises function failed, and function recover when it works again",
    requirements: ["CORE-FIELD-15"],
    capabilities: ["tags", "events", "event-stream"],
    async run(context) {
      const { verify, field } = context;
      const device = field.devices.find(
        ({ kind, faults }) => kind === "modbus-tcp" && faults.includes("exception"),
      );
      if (device === undefined) return context.notApplicable("no Modbus TCP device can answer exceptions");
      await using watch = await EventWatch.begin(context, ["function failed", "function recover"]);
      const fault = await device.fault("exception", { exceptionCode: 4 });
      const failed = await watch.next("function failed");
      await fault[Symbol.asyncDispose]();
      const recovered = await watch.next("function recover");
      for (const [name, at] of [
        ["function failed", failed],
        ["function recover", recovered],
      ] as const) {
        verify("CORE-FIELD-15").that(at !== undefined, {
          what: `an event ${name} of ${device.name}`,
          expected: `within ${watch.withinMs / 1000} s`,
          observed: at === undefined ? "none" : "so",
        });
      }
    },
  }),
];

import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { HarnessFault } from "../../record/index.ts";
import type { FieldPoint, PointValue } from "../../rigs/index.ts";
import {
  awaitShown,
  inWords,
  isSame,
  checkEach,
  onePerForm,
  pathOf,
  type PlacedPoint,
  edgeValues,
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

/** Writes each edge value through the gateway and compares the field device with it. */
async function writeValues(context: CaseContext, { device, point }: PlacedPoint): Promise<boolean> {
  const { gateway, verify } = context;
  const before = await device.get(point);
  const values = edgeValues(point);
  let isRight = true;
  for (const value of values) {
    const answer = await gateway.admin.call("writeTag", {
      path: pathOf(point),
      json: { dataType: point.dataType, dataValue: value },
    });
    // A simulated device runs on this machine: its late answer is the rig's fault, not the gateway's.
    if (!answer.accepted && device.isSimulated && context.hostDelayMs() > patienceWithDevicesMs) {
      throw new HarnessFault(
        `write of ${point.id} failed (${answer.summary()}) while this machine was overloaded: the simulated device may have answered too late`,
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
      const read = await awaitShown(context, point, value, isReadOnce ? { withinMs: 0 } : {});
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
  const answer = await gateway.admin.call("writeTag", { path: pathOf(point), json });
  const stored = answer.accepted ? await storedInDevice(context, { device, point }, value) : undefined;
  return verify("CORE-FIELD-06").that(stored !== undefined && isSame(point, stored, value), {
    what: `value of ${inWords(point)} in the field device after the same value was written again, which the device had changed`,
    expected: String(value),
    observed: stored ?? answer.summary(),
    evidence: answer,
  });
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

export const writingCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "field/writes-reach-the-device",
    title: "Direct writes reach the field device and are read back",
    requirements: ["CORE-FIELD-06", "CORE-FIELD-07"],
    async run(context) {
      const placed = onePerForm(context.field).filter(({ point }) => point.access !== "r");
      if (!placed.some(({ point }) => point.access === "rw"))
        context.notApplicable("the rack has no point with access rw");
      await requireDevices(context, new Set(placed.map(({ device }) => device)));
      await checkEach(context, placed, (one) => writeValues(context, one));
    },
  }),
  testCase({
    ...shared,
    id: "field/read-only-points-refuse-writes",
    title: "Writes of read-only points are rejected with 400 and leave the device unchanged",
    requirements: ["CORE-FIELD-08"],
    async run(context) {
      const { gateway, verify, field } = context;
      const placed = onePerForm(field).filter(({ point }) => point.access === "r");
      if (placed.length === 0) context.notApplicable("the rack has no point with access r");
      await requireDevices(context, new Set(placed.map(({ device }) => device)));
      for (const { device, point } of placed) {
        const before = await device.get(point);
        const value = edgeValues(point).find((one) => !isSame(point, one, before));
        const answer = await gateway.admin.call("writeTag", {
          path: pathOf(point),
          json: { dataType: point.dataType, dataValue: value },
        });
        verify("CORE-FIELD-08").refused(answer, 400);
        const after = await device.get(point);
        verify("CORE-FIELD-08").that(isSame(point, after, before), {
          what: `value of ${inWords(point)} in the field device after a rejected write`,
          expected: String(before),
          observed: after,
          evidence: answer,
        });
      }
    },
  }),
];

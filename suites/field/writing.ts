import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { HarnessFault } from "../../record/index.ts";
import type { PointValue } from "../../rigs/index.ts";
import {
  awaitShown,
  inWords,
  isSame,
  lookAtEach,
  onePerForm,
  pathOf,
  type PlacedPoint,
  telling,
} from "../support/fieldPoints.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["field-devices"],
  equipment: ["field-devices"],
  capabilities: ["tags"],
  deadlineMs: 120_000,
} as const;

/** A gateway that waits less than this for a device is quick to give up. */
const patienceWithDevicesMs = 300;

/** Writes each telling value through the gateway and looks at the device itself. */
async function writeValues(context: CaseContext, { device, point }: PlacedPoint): Promise<boolean> {
  const { gateway, verify, clock, signal } = context;
  const before = await device.get(point);
  let isRight = true;
  for (const value of telling(point)) {
    const answer = await gateway.admin.call("writeTag", {
      path: pathOf(point),
      json: { dataType: point.dataType, dataValue: value },
    });
    // A simulated device lives on this machine, and answers late when it is held up: a rig's fault, not the gateway's.
    if (!answer.accepted && device.isSimulated && context.hostDelayMs() > patienceWithDevicesMs) {
      throw new HarnessFault(
        `${point.id} was not written (${answer.summary()}) while this machine held its programs up: the device may have answered too late`,
      );
    }
    verify("CORE-FIELD-06").accepted(answer);
    isRight &&= answer.accepted;
    if (!answer.accepted) break;
    // The answer of a write is not shown; the write may reach the device a little after it.
    const startedMs = clock.nowMs();
    let held: PointValue = await device.get(point);
    while (!isSame(point, held, value) && clock.nowMs() - startedMs < context.profile.patience.settleMs) {
      await clock.delay(10, signal);
      held = await device.get(point);
    }
    const isHeld = isSame(point, held, value);
    verify("CORE-FIELD-06").that(isHeld, {
      what: `${inWords(point)} in the device after a write`,
      expected: String(value),
      observed: held,
      evidence: answer,
    });
    // What comes after the first wrong value of a point says nothing new, and waits as long.
    isRight &&= isHeld;
    if (!isHeld) break;
    if (point.access === "rw") {
      const read = await awaitShown(context, point, value);
      verify("CORE-FIELD-07").that(read.holds, {
        what: `${inWords(point)} read back`,
        expected: String(value),
        observed: read.last,
        evidence: answer,
      });
      isRight &&= read.holds;
      if (!read.holds) break;
    }
  }
  await device.set(point, before);
  return isRight;
}

export const writingCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "field/writes-reach-the-device",
    title: "A direct write reaches the register or node of the field device and is read back",
    requirements: ["CORE-FIELD-06", "CORE-FIELD-07"],
    async run(context) {
      const placed = onePerForm(context.field).filter(({ point }) => point.access !== "r");
      if (!placed.some(({ point }) => point.access === "rw"))
        context.notApplicable("the rack has no writable point");
      await lookAtEach(context, placed, (one) => writeValues(context, one));
    },
  }),
  testCase({
    ...shared,
    id: "field/read-only-points-refuse-writes",
    title: "A point with access r refuses a direct write with 400, and its device keeps the value",
    requirements: ["CORE-FIELD-08"],
    async run(context) {
      const { gateway, verify, field } = context;
      const placed = onePerForm(field).filter(({ point }) => point.access === "r");
      if (placed.length === 0) context.notApplicable("the rack has no point with access r");
      for (const { device, point } of placed) {
        const before = await device.get(point);
        const value = telling(point).find((one) => !isSame(point, one, before));
        const answer = await gateway.admin.call("writeTag", {
          path: pathOf(point),
          json: { dataType: point.dataType, dataValue: value },
        });
        verify("CORE-FIELD-08").refused(answer, 400);
        const after = await device.get(point);
        verify("CORE-FIELD-08").that(isSame(point, after, before), {
          what: `${inWords(point)} in the device after a refused write`,
          expected: String(before),
          observed: after,
          evidence: answer,
        });
      }
    },
  }),
];

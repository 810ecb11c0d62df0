// A direct write while its field device rejects every request: one that is accepted all the same has to reach the device.
import type { CaseContext } from "../../harness/index.ts";
import { countersOf } from "../support/fieldCounters.ts";
import {
  awaitShown,
  inWords,
  isSame,
  pathOf,
  type PlacedPoint,
  settleMs,
  shownByMonitoring,
} from "../support/fieldPoints.ts";
import { recoverWithinMs } from "../support/following.ts";

const writtenValue = 1500;
const signOfRecovery = 1234;

/** Writes a value that the device rejects; returns whether the gateway accepts it. */
export async function writeRejected({ gateway }: CaseContext, { point }: PlacedPoint): Promise<boolean> {
  if (point.access !== "rw") return false;
  const json = { dataType: point.dataType, dataValue: writtenValue };
  return (await gateway.admin.call("writeTag", { path: pathOf(point), json })).accepted;
}

/** An accepted write may wait for the end of the exceptions: the time counts once another value of the device updates. */
export async function verifyArrival(context: CaseContext, { device, point }: PlacedPoint): Promise<void> {
  const { clock, signal, verify } = context;
  const other = countersOf(device).find(
    (one) => one !== point && pathOf(one).source === pathOf(point).source,
  );
  let withinMs = recoverWithinMs;
  if (other !== undefined) {
    await device.set(other, signOfRecovery);
    const options = { withinMs: recoverWithinMs, view: shownByMonitoring };
    if ((await awaitShown(context, other, signOfRecovery, options)).holds)
      withinMs = settleMs(context, point);
  }
  const endMs = clock.nowMs() + withinMs;
  let stored = await device.get(point);
  while (!isSame(point, stored, writtenValue) && clock.nowMs() < endMs) {
    await clock.delay(50, signal);
    stored = await device.get(point);
  }
  verify("CORE-FIELD-06").that(isSame(point, stored, writtenValue), {
    what: `value of ${inWords(point)} in ${device.name} after the end of its exceptions, during which a write was accepted`,
    expected: `${writtenValue} within ${withinMs / 1000} s`,
    observed: stored,
  });
}

// Preconditions of cases with field devices: the gateway shows what a device has now. A device that recovers from an
// earlier case is waited for.
import { allEnded, type CaseContext } from "../../harness/index.ts";
import type { FieldDevice, FieldPoint, PointValue } from "../../rigs/index.ts";
import {
  awaitShown,
  edgeValues,
  isSame,
  pathOf,
  type PlacedPoint,
  settleMs,
  shownByMonitoring,
} from "./fieldPoints.ts";

/** Reconnection time granted to a gateway, which may pause between attempts. */
export const recoverWithinMs = 15_000;

/** Sets a value that the device does not have yet; returns whether monitoring shows it before the recovery time is up. */
async function follows(
  context: CaseContext,
  { device, point }: PlacedPoint,
): Promise<{ readonly holds: boolean; readonly value: PointValue; readonly last: unknown }> {
  const before = await device.get(point);
  const value = edgeValues(point).findLast((one) => !isSame(point, one, before)) ?? before;
  await device.set(point, value);
  const withinMs = Math.max(recoverWithinMs, settleMs(context, point));
  return { value, ...(await awaitShown(context, point, value, { withinMs, view: shownByMonitoring })) };
}

/** Ends the case as inconclusive unless the tag follows its device now. Returns the value that it has then. */
export async function requireFollowing(context: CaseContext, placed: PlacedPoint): Promise<PointValue> {
  const { holds, value, last } = await follows(context, placed);
  if (!holds)
    context.unmet(
      `precondition failed: ${placed.point.id} does not follow ${placed.device.name}: ` +
        `${String(value)} set, ${String(last)} monitored after ${recoverWithinMs / 1000} s`,
    );
  return value;
}

const isReadable = ({ point }: PlacedPoint): boolean => point.access !== "w";

/**
 * Waits until a change of each device is noticed on one of its points, rightly or wrongly, as long as a device may take
 * to recover: for cases that test the values themselves.
 */
export async function awaitRecovered(context: CaseContext, placed: readonly PlacedPoint[]): Promise<void> {
  const { clock, signal } = context;
  const devices = Map.groupBy(placed.filter(isReadable), ({ device }) => device);
  await allEnded(
    [...devices.values()].map(async ([first]) => {
      if (first === undefined) return;
      const { device, point } = first;
      const before = await shownByMonitoring(context, point);
      const present = await device.get(point);
      const value = edgeValues(point).findLast((one) => !isSame(point, one, present)) ?? present;
      await device.set(point, value);
      const endMs = clock.nowMs() + Math.max(recoverWithinMs, settleMs(context, point));
      while (clock.nowMs() < endMs) {
        const now = await shownByMonitoring(context, point);
        if (now !== undefined && (now.shown !== before?.shown || isSame(point, now.shown, value))) return;
        await clock.delay(point.pollIntervalMs, signal);
      }
    }),
  );
}

/** Ends the case as inconclusive unless each device is followed by one of its readable points. */
export async function requireDevices(context: CaseContext, devices: Iterable<FieldDevice>): Promise<void> {
  await allEnded(
    [...devices].map(async (device) => {
      // A real device may only be settable where clients may write.
      const point =
        device.points.find((one) => one.access === "rw") ?? device.points.find((one) => one.access !== "w");
      if (point !== undefined) await requireFollowing(context, { device, point });
    }),
  );
}

/** Ids of the points whose monitored value is not the number, or its number, after waiting until all show it. */
export async function notShowing(
  { gateway, clock, signal }: CaseContext,
  placed: readonly PlacedPoint[],
  number: number | ReadonlyMap<FieldPoint, number>,
  withinMs: number,
): Promise<string[]> {
  const sources = Map.groupBy(placed, ({ point }) =>
    JSON.stringify([pathOf(point).provider, pathOf(point).source]),
  );
  const startedMs = clock.nowMs();
  for (;;) {
    const missing: string[] = [];
    for (const points of sources.values()) {
      const [first] = points;
      if (first === undefined) continue;
      const { provider, source } = pathOf(first.point);
      const answer = await gateway.admin.call("monitorTags", { path: { provider, source } });
      const shown = new Map(
        (answer.accepted ? [answer.data()].flat() : []).map(({ tagName, dataValue }) => [
          tagName,
          String(dataValue),
        ]),
      );
      for (const { point } of points)
        if (shown.get(pathOf(point).tag) !== String(typeof number === "number" ? number : number.get(point)))
          missing.push(point.id);
    }
    if (missing.length === 0 || clock.nowMs() - startedMs >= withinMs) return missing;
    await clock.delay(100, signal);
  }
}

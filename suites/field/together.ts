import { connect } from "node:net";
import { once } from "node:events";
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { awaitShown, inWords, pathOf, type PlacedPoint, settleMs } from "../support/fieldPoints.ts";
import { countersOf } from "../support/fieldCounters.ts";
import { pollerOf } from "../support/poller.ts";
import { EventWatch } from "../support/fieldEvents.ts";
import { notShowing, recoverWithinMs } from "../support/following.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  equipment: ["field-devices"],
  capabilities: ["tags"],
  deadlineMs: 120_000,
} as const;

/** No number is beyond 16 bits with a sign. */
const mostNumbers = 2000;

/** One integer point of every device. */
function onePerDevice({ field }: CaseContext): PlacedPoint[] {
  return field.devices.flatMap((device) =>
    countersOf(device)
      .slice(0, 1)
      .map((point) => ({ device, point })),
  );
}

/** Sets the points to a number and waits until the gateway shows it; returns the deviations. */
async function allShow(
  context: CaseContext,
  placed: readonly PlacedPoint[],
  number: number,
): Promise<string[]> {
  const wrong = await Promise.all(
    placed.map(async ({ device, point }) => {
      await device.set(point, number);
      const shown = await awaitShown(context, point, number, {
        withinMs: Math.max(settleMs(context, point) + 5000, recoverWithinMs),
      });
      return shown.holds ? [] : [`${inWords(point)}: ${String(shown.last)}`];
    }),
  );
  return wrong.flat();
}

export const togetherCases: readonly TestCase[] = [
  testCase({
    ...shared,
    touches: ["field-devices"],
    id: "field/all-devices-together",
    title: "All tags of all field devices are monitored at the same time",
    requirements: ["CORE-FIELD-19"],
    async run(context) {
      const { verify, field } = context;
      const placed = field.devices.flatMap((device) =>
        countersOf(device).map((point) => ({ device, point })),
      );
      const number = context.random.integer(100, 30_000);
      // Neighbours have different numbers: a value of another point is another one.
      const numbers = new Map(placed.map(({ point }, index) => [point, number + (index % mostNumbers)]));
      for (const { device, point } of placed)
        if (device.setAll === undefined) await device.set(point, numbers.get(point) ?? number);
      await Promise.all(
        field.devices.map(async (device) =>
          device.setAll?.(countersOf(device).map((point) => [point, numbers.get(point) ?? number])),
        ),
      );
      const slowestMs = Math.max(...placed.map(({ point }) => settleMs(context, point)));
      const missing = await notShowing(context, placed, numbers, Math.max(slowestMs + 5000, recoverWithinMs));
      const devices = new Set(placed.map(({ device, point }) => `${device.name}/${pathOf(point).source}`))
        .size;
      verify("CORE-FIELD-19").that(missing.length === 0, {
        what: `monitored values of ${placed.length} tags of ${devices} devices, set to numbers from ${number} to ${number + mostNumbers - 1}`,
        expected: "its own number for each tag",
        observed:
          missing.length === 0
            ? "its own number for each tag"
            : `another or no value for ${missing.length} tags: ${missing.slice(0, 10).join(", ")}`,
      });
    },
  }),
  testCase({
    ...shared,
    touches: ["field-devices", "services", "event-log"],
    id: "field/service-stopped-and-started",
    title: "Field values resume after their app or service is stopped and started",
    requirements: ["CORE-FIELD-18"],
    async run(context) {
      const { verify, scratch, clock, signal } = context;
      const polled = onePerDevice(context).flatMap((one) => {
        const poller = pollerOf(context, one.device);
        return poller === undefined ? [] : [{ ...one, poller }];
      });
      const poller = polled[0]?.poller;
      if (poller === undefined)
        return context.notApplicable("the rack has no device whose app or service may be stopped (polledBy)");
      const same = polled.filter((one) => one.poller.name === poller.name);
      const placed = [...Map.groupBy(same, ({ device }) => device.kind).values()].flatMap((one) =>
        one.slice(0, 1),
      );
      const number = context.random.integer(100, 30_000);
      const before = await allShow(context, placed, number);
      if (before.length > 0)
        context.unmet(
          `the gateway did not show ${number} before the ${poller.name} was stopped: ${before.join(", ")}`,
        );
      scratch.undo(poller.name, () => poller.start());
      const disabled = await poller.stop();
      if (!disabled.accepted) context.unmet(`stopping the ${poller.name} failed: ${disabled.summary()}`);
      await clock.delay(300, signal);
      const enabled = await poller.start();
      verify("CORE-FIELD-18").accepted(enabled);
      const after = await allShow(context, placed, number + 1);
      verify("CORE-FIELD-18").equal(
        after,
        [],
        `points without the value ${number + 1} after the ${poller.name} was started again`,
      );
    },
  }),
  testCase({
    ...shared,
    touches: ["field-devices", "apps", "event-catalogue", "event-log"],
    id: "field/master-events",
    title: "A Modbus client's connection, wrong function call and disconnection raise events",
    requirements: ["CORE-FIELD-16", "CORE-EVENT-68"],
    capabilities: ["tags", "events", "event-stream"],
    async run(context) {
      const { verify, servers } = context;
      const modbusServer = servers.modbusSlave;
      if (modbusServer === undefined)
        return context.notApplicable("the rack file names no Modbus server of the gateway");
      const names = ["master device conncted", "wrong function called", "master device disconnected"];
      await using watch = await EventWatch.begin(context, names);
      await context.outside.ask("wrong Modbus function", async () => {
        const socket = connect(modbusServer.port, modbusServer.host);
        socket.on("error", () => undefined);
        await once(socket, "connect");
        // Modbus has no function code 0x64.
        socket.write(Buffer.from([0, 1, 0, 0, 0, 2, modbusServer.unitId, 0x64]));
        await once(socket, "data");
        socket.destroy();
      });
      for (const name of names) {
        const at = await watch.next(name);
        verify("CORE-FIELD-16").that(at !== undefined, {
          what: `event "${name}"`,
          expected: `within ${watch.withinMs / 1000} s`,
          observed:
            at === undefined ? `none within ${watch.withinMs / 1000} s` : `within ${watch.withinMs / 1000} s`,
          evidence: watch.evidence,
        });
        watch.verifyKind(name);
        // Waiting for the next events would take as long and decide no more.
        if (at === undefined) return;
      }
    },
  }),
];

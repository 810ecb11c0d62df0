import { type CaseContext, type TagStream, type TestCase, testCase } from "../../harness/index.ts";
import { awaitShown, pathOf, type PlacedPoint } from "../support/fieldPoints.ts";
import { countersOf } from "../support/fieldCounters.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  equipment: ["field-devices"],
  deadlineMs: 60_000,
} as const;

/** The interface gives no time; a stream that goes on for longer than this is not about to end. */
const graceMs = 3000;
const lookMs = 1000;
const changeEveryMs = 100;

function counting({ field, notApplicable }: CaseContext): PlacedPoint {
  for (const device of field.devices) {
    const [point] = device.kind === "modbus-tcp" ? countersOf(device) : [];
    if (point !== undefined) return { device, point };
  }
  return notApplicable("the rack has no Modbus TCP device with a whole number");
}

/** Changes the value for a while and answers how many values came over the stream meanwhile. */
async function countWhileChanging(
  { clock, signal }: CaseContext,
  stream: TagStream,
  { device, point }: PlacedPoint,
  forMs: number,
  from: number,
): Promise<number> {
  const before = stream.received.length;
  const startedMs = clock.nowMs();
  for (let value = from; clock.nowMs() - startedMs < forMs; value++) {
    await device.set(point, value);
    await clock.delay(changeEveryMs, signal);
  }
  return stream.received.length - before;
}

export const endingCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "streams/end-with-their-user",
    title: "A stream brings no more values when its user may not sign in any longer",
    touches: ["field-devices", "accounts"],
    capabilities: ["tags", "tag-stream", "users", "roles"],
    requirements: ["CORE-FIELD-28"],
    async run(context) {
      const { gateway, profile, scratch, verify, clock, signal } = context;
      const placed = counting(context);
      const { provider, source, tag } = pathOf(placed.point);
      const user = await scratch.user({ permissions: profile.permissions });
      const session = await user.signIn();
      await using stream = await session.openTagStream({ provider, source }, { tags: tag, onChanged: true });
      const before = await countWhileChanging(context, stream, placed, lookMs, 100);
      if (before === 0) context.unmet("the stream brought nothing while its user might read");
      const { data } = (await gateway.admin.call("getUser", { path: { id: user.id } })).body();
      const roles = data.roles.map((role) => (typeof role === "number" ? role : role.id));
      const off = await gateway.admin.call("updateUser", {
        path: { id: user.id },
        json: { roles, isActive: false },
      });
      if (!off.accepted) context.unmet(`the user could not be made inactive: ${off.summary()}`);
      await clock.delay(graceMs, signal);
      const after = await countWhileChanging(context, stream, placed, lookMs, 1000);
      verify("CORE-FIELD-28").equal(
        after,
        0,
        `values on the stream ${graceMs / 1000} s after its user was made inactive`,
      );
    },
  }),
  testCase({
    ...shared,
    id: "streams/fall-silent-with-their-service",
    title: "A stream brings no more values of devices whose service was disabled",
    touches: ["field-devices", "services", "event-log"],
    capabilities: ["tags", "tag-stream", "services"],
    requirements: ["CORE-FIELD-29"],
    async run(context) {
      const { gateway, scratch, verify, clock, signal } = context;
      const placed = counting(context);
      const { provider, source, tag } = pathOf(placed.point);
      await using stream = await gateway.admin.openTagStream(
        { provider, source },
        { tags: tag, onChanged: true },
      );
      const before = await countWhileChanging(context, stream, placed, lookMs, 100);
      if (before === 0) context.unmet("the stream brought nothing while the service was enabled");
      scratch.undo("the Modbus service", () =>
        gateway.admin.call("enableService", { path: { id: "modbusmaster" } }),
      );
      const off = await gateway.admin.call("disableService", { path: { id: "modbusmaster" } });
      if (!off.accepted)
        return context.notApplicable(`the service modbusmaster cannot be disabled: ${off.summary()}`);
      await clock.delay(graceMs, signal);
      const after = await countWhileChanging(context, stream, placed, lookMs, 1000);
      verify("CORE-FIELD-29").equal(
        after,
        0,
        `values on the stream ${graceMs / 1000} s after the service was disabled`,
      );
      await gateway.admin.call("enableService", { path: { id: "modbusmaster" } });
      const back = await awaitShown(context, placed.point, await placed.device.get(placed.point), {
        withinMs: 10_000,
      });
      if (!back.holds)
        context.note(
          `10 s after the service was enabled ${placed.point.id} still shows ${String(back.last)}`,
        );
    },
  }),
];

import { type CaseContext, type TagStream, type TestCase, testCase } from "../../harness/index.ts";
import { awaitShown, pathOf, type PlacedPoint } from "../support/fieldPoints.ts";
import { countersOf } from "../support/fieldCounters.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  equipment: ["field-devices"],
  deadlineMs: 60_000,
} as const;

/** The interface states no time; a stream that delivers for longer than this is not about to end. */
const graceMs = 3000;
const lookMs = 1000;
const changeEveryMs = 100;

function counting({ field, notApplicable }: CaseContext): PlacedPoint {
  for (const device of field.devices) {
    const [point] = device.kind === "modbus-tcp" ? countersOf(device) : [];
    if (point !== undefined) return { device, point };
  }
  return notApplicable("the rack has no Modbus TCP device with a readable integer of 16 bits or more");
}

/** Changes the value for a while and returns the number of values received meanwhile. */
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
    title: "A stream ends delivery when its user is made inactive",
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
      if (before === 0)
        context.unmet(
          `no value of ${placed.point.id} on the stream within ${lookMs / 1000} s while its user was active`,
        );
      const { data } = (await gateway.admin.call("getUser", { path: { id: user.id } })).body();
      const roles = data.roles.map((role) => (typeof role === "number" ? role : role.id));
      const off = await gateway.admin.call("updateUser", {
        path: { id: user.id },
        json: { roles, isActive: false },
      });
      if (!off.accepted) context.unmet(`making the user inactive failed: ${off.summary()}`);
      await clock.delay(graceMs, signal);
      const after = await countWhileChanging(context, stream, placed, lookMs, 1000);
      verify("CORE-FIELD-28").equal(
        after,
        0,
        `number of values received from ${graceMs / 1000} to ${(graceMs + lookMs) / 1000} s after the user was made inactive`,
      );
    },
  }),
  testCase({
    ...shared,
    id: "streams/fall-silent-with-their-service",
    title: "A stream ends delivery for devices whose service is disabled",
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
      if (before === 0)
        context.unmet(
          `no value of ${placed.point.id} on the stream within ${lookMs / 1000} s while the service was enabled`,
        );
      scratch.undo("Modbus service", () =>
        gateway.admin.call("enableService", { path: { id: "modbusmaster" } }),
      );
      const off = await gateway.admin.call("disableService", { path: { id: "modbusmaster" } });
      if (!off.accepted)
        return context.notApplicable(`disabling the service modbusmaster was rejected: ${off.summary()}`);
      await clock.delay(graceMs, signal);
      const after = await countWhileChanging(context, stream, placed, lookMs, 1000);
      verify("CORE-FIELD-29").equal(
        after,
        0,
        `number of values received from ${graceMs / 1000} to ${(graceMs + lookMs) / 1000} s after the service was disabled`,
      );
      await gateway.admin.call("enableService", { path: { id: "modbusmaster" } });
      const back = await awaitShown(context, placed.point, await placed.device.get(placed.point), {
        withinMs: 10_000,
      });
      if (!back.holds)
        context.note(
          `${placed.point.id} still shows ${String(back.last)} 10 s after the service was enabled again`,
        );
    },
  }),
];

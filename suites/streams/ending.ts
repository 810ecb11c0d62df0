import { type CaseContext, type TagStream, type TestCase, testCase } from "../../harness/index.ts";
import { countersOf } from "../support/fieldCounters.ts";
import { awaitShown, pathOf, type PlacedPoint, settleMs } from "../support/fieldPoints.ts";
import { pollerOf } from "../support/poller.ts";
import { requireFollowing } from "../support/following.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  equipment: ["field-devices"],
  deadlineMs: 60_000,
} as const;

/** The interface states no time; a stream that delivers for longer than this is not about to end. */
const graceMs = 3000;
/** Shortest time without values after which a stream counts as silent. */
const silentMs = 1000;
const changeEveryMs = 100;
/** The first value before the end of delivery, and the first one after it. */
const firstValue = 100;
const laterValue = 10_000;
const otherValue = 20_000;

function counting({ field, notApplicable }: CaseContext): PlacedPoint {
  for (const device of field.devices) {
    const [point] = device.kind === "modbus-tcp" ? countersOf(device) : [];
    if (point !== undefined) return { device, point };
  }
  return notApplicable("the rack has no Modbus TCP device with a readable integer of 16 bits or more");
}

/** Changes the value until `isOver`, or for so long at most; returns the number of values received meanwhile. */
async function changeWhile(
  { clock, signal }: CaseContext,
  stream: TagStream,
  { device, point }: PlacedPoint,
  { from, forMs, isOver }: { from: number; forMs: number; isOver: (received: number) => boolean },
): Promise<number> {
  const before = stream.received.length;
  const startedMs = clock.nowMs();
  const received = (): number => stream.received.length - before;
  for (let value = from; clock.nowMs() - startedMs < forMs && !isOver(received()); value++) {
    await device.set(point, value);
    await clock.delay(changeEveryMs, signal);
  }
  return received();
}

/** Ends the case as inconclusive unless the stream delivers a change of its device now. */
async function requireDelivery(context: CaseContext, stream: TagStream, placed: PlacedPoint): Promise<void> {
  const forMs = settleMs(context, placed.point);
  const isOver = (received: number): boolean => received > 0 || stream.ended;
  if ((await changeWhile(context, stream, placed, { from: firstValue, forMs, isOver })) === 0)
    context.unmet(
      `precondition failed: no change of ${placed.point.id} on the stream within ${forMs / 1000} s`,
    );
}

/** Checks that the stream delivers no value after the grace time; one that has ended cannot deliver any. */
async function verifySilence(
  context: CaseContext,
  stream: TagStream,
  placed: PlacedPoint,
  [requirement, cause]: readonly [requirement: string, cause: string],
): Promise<void> {
  const { clock, signal, verify } = context;
  const forMs = Math.max(silentMs, 3 * placed.point.pollIntervalMs);
  const endedAtMs = clock.nowMs() + graceMs;
  while (!stream.ended && clock.nowMs() < endedAtMs) await clock.delay(10, signal);
  const isOver = (): boolean => stream.ended;
  verify(requirement).equal(
    await changeWhile(context, stream, placed, { from: laterValue, forMs, isOver }),
    0,
    `number of values received from ${graceMs / 1000} to ${(graceMs + forMs) / 1000} s after ${cause}`,
    stream,
  );
}

/** Checks that the stream of another user still delivers. */
async function verifyOther(context: CaseContext, stream: TagStream, placed: PlacedPoint): Promise<void> {
  const forMs = settleMs(context, placed.point);
  const isOver = (received: number): boolean => received > 0 || stream.ended;
  const received = await changeWhile(context, stream, placed, { from: otherValue, forMs, isOver });
  const decided = context.verify("CORE-TAG-52");
  const what = "changes on the stream of another user after the user was made inactive";
  // How long a stream stays open is not stated, nor how many of them may be.
  if (received === 0 && (stream.ended || stream.status !== 200))
    return decided.notApplicable(what, "the stream is not open");
  decided.that(received > 0, {
    what,
    expected: `at least one within ${forMs / 1000} s`,
    observed: received,
    evidence: stream,
  });
}

export const endingCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "streams/end-with-their-user",
    title: "A stream ends delivery when its user is made inactive",
    touches: ["field-devices"],
    addsTo: ["accounts"],
    capabilities: ["tags", "tag-stream", "users", "roles"],
    requirements: ["CORE-FIELD-28", "CORE-TAG-52"],
    async run(context) {
      const { gateway, profile, scratch } = context;
      const placed = counting(context);
      const { provider, source, tag } = pathOf(placed.point);
      const user = await scratch.user({ permissions: profile.permissions });
      const session = await user.signIn();
      await requireFollowing(context, placed);
      const query = { tags: tag, onChanged: true } as const;
      await using stream = await session.openTagStream({ provider, source }, query);
      await using other = await gateway.admin.openTagStream({ provider, source }, query);
      await requireDelivery(context, stream, placed);
      const { data } = (await gateway.admin.call("getUser", { path: { id: user.id } })).body();
      const roles = data.roles.map((role) => (typeof role === "number" ? role : role.id));
      const off = await gateway.admin.call("updateUser", {
        path: { id: user.id },
        json: { roles, isActive: false },
      });
      if (!off.accepted) context.unmet(`making the user inactive failed: ${off.summary()}`);
      await verifySilence(context, stream, placed, ["CORE-FIELD-28", "the user was made inactive"]);
      await verifyOther(context, other, placed);
    },
  }),
  testCase({
    ...shared,
    id: "streams/fall-silent-with-their-service",
    title: "A stream ends delivery for devices whose app or service is stopped",
    touches: ["field-devices", "event-log"],
    // The one that polls the device, which may be an app as well.
    addsTo: ["services"],
    reliesOn: ["apps"],
    capabilities: ["tags", "tag-stream"],
    requirements: ["CORE-FIELD-29"],
    leastMs: graceMs + silentMs,
    async run(context) {
      const { gateway, scratch } = context;
      const placed = counting(context);
      const poller = pollerOf(context, placed.device);
      if (poller === undefined)
        return context.notApplicable("the app or service of the device may not be stopped (polledBy)");
      const { provider, source, tag } = pathOf(placed.point);
      await requireFollowing(context, placed);
      await using stream = await gateway.admin.openTagStream(
        { provider, source },
        { tags: tag, onChanged: true },
      );
      await requireDelivery(context, stream, placed);
      scratch.undo(poller.name, () => poller.start());
      const off = await poller.stop();
      if (!off.accepted)
        return context.notApplicable(`stopping the ${poller.name} was rejected: ${off.summary()}`);
      await verifySilence(context, stream, placed, ["CORE-FIELD-29", `the ${poller.name} was stopped`]);
      await poller.start();
      const back = await awaitShown(context, placed.point, await placed.device.get(placed.point), {
        withinMs: 10_000,
      });
      if (!back.holds)
        context.note(
          `${placed.point.id} still shows ${String(back.last)} 10 s after the ${poller.name} was started again`,
        );
    },
  }),
];

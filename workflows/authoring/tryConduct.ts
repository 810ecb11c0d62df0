// Learns how a gateway behaves where the interface leaves it open: the first value of a stream, the end of a reset.
import {
  type Clock,
  type GatewayUnderTest,
  type Profile,
  type Scratch,
  readableState,
} from "../../harness/index.ts";
import { messageOf } from "../../record/index.ts";

const quietMs = 300;
const firstValueWithinMs = 1000;
const restartWithinMs = 6000;
const readyWithinMs = 120_000;
const scope = "reboot";

/** Whether a stream of changes opens with the present value of a tag that does not change. */
export async function opensWithValue(
  gateway: GatewayUnderTest,
  scratch: Scratch,
  clock: Clock,
): Promise<boolean> {
  const { path } = await scratch.virtualTag({ dataType: "int32" });
  const { provider, source, tag } = path;
  const written = await gateway.admin.call("writeTag", { path, json: { dataType: "int32", dataValue: 7 } });
  if (!written.accepted) throw new Error(`the write of a virtual tag answered ${written.summary()}`);
  // The change itself must not arrive on the stream.
  await clock.delay(quietMs);
  await using stream = await gateway.admin.openTagStream(
    { provider, source },
    { onChanged: true, tags: tag },
  );
  await clock.delay(firstValueWithinMs);
  return stream.received.length > 0;
}

/** Resets the reboot schedule, sees whether the gateway reboots, and restores the schedule. Answers in words. */
export async function resetReboots(
  gateway: GatewayUnderTest,
  profile: Profile,
  clock: Clock,
): Promise<{ readonly reboots: boolean | undefined; readonly remarks: readonly string[] }> {
  const state = readableState("reboot-schedule");
  const before = await state?.read(gateway).catch(() => undefined);
  const capabilities = await gateway.admin.call("getResetCapabilities");
  const isOffered = capabilities.accepted && capabilities.data().system.scopes.includes(scope);
  if (state === undefined || before === undefined || !isOffered)
    return { reboots: undefined, remarks: [`no reset tried: the scope ${scope} is not offered`] };
  try {
    await using watch = await gateway.watchForRestart();
    const answer = await gateway.admin.call("resetToDefault", {
      query: { mode: "system", sync: true, scopes: [scope] },
    });
    if (!answer.accepted)
      return { reboots: undefined, remarks: [`the reset of ${scope} answered ${answer.summary()}`] };
    const down = await watch.wentDown(restartWithinMs);
    if (down !== undefined) {
      await watch.restarted({ downWithinMs: restartWithinMs, upWithinMs: readyWithinMs });
      gateway.signInsWereLost();
      await untilServing(gateway, clock);
    }
    const reasons =
      typeof state.restore === "function"
        ? await state.restore({ gateway, profile, baseUrl: gateway.currentBaseUrl() }, before)
        : [state.restore.none];
    return { reboots: down !== undefined, remarks: reasons };
  } catch (thrown) {
    return { reboots: undefined, remarks: [`reset of ${scope}: ${messageOf(thrown)}`] };
  }
}

/** A gateway may answer before it accepts a sign-in. */
async function untilServing(gateway: GatewayUnderTest, clock: Clock): Promise<void> {
  const startedMs = clock.nowMs();
  const isServing = async (): Promise<boolean> =>
    (await gateway.admin.call("getReboot").catch(() => undefined))?.accepted === true;
  while (!(await isServing()) && clock.nowMs() - startedMs < readyWithinMs) await clock.delay(200);
}

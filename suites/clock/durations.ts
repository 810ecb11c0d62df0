// Durations that the interface states, while the clock is set.
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { restoreTimeLater, setTime } from "../support/gatewayTime.ts";
import { backAgain, secondsSince } from "../support/restart.ts";
import { hourMs, shared } from "./shared.ts";

const validitySec = 30;
const rebootSec = 5;
/** On top of the tolerance of the profile, for the requests that set the clock meanwhile. */
const moreSec = 1;

async function opens({ gateway }: CaseContext, token: string): Promise<boolean> {
  await using socket = await gateway.tryWebsocket(token);
  return socket.opened;
}

export const durationCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "clock/websocket-token-while-the-clock-is-set",
    title: "A websocket token is valid for 30 s whatever the clock does",
    requirements: ["CORE-CLOCK-03"],
    capabilities: ["auth", "users", "roles", "events", "websocket"],
    leastMs: validitySec * 1000,
    async run(context) {
      const { gateway, verify, clock, signal, profile } = context;
      await restoreTimeLater(context);
      const token = async (): Promise<string> => (await gateway.admin.call("getWebsocketToken")).data().token;
      for (const [offsetMs, age, isValid, how] of [
        [hourMs, 0, true, "one hour forward"],
        [0, validitySec + profile.tolerances.tokenLifetimeSec + moreSec, false, "one hour back"],
      ] as const) {
        gateway.signInsWereLost();
        const own = await token();
        const issuedMs = clock.nowMs();
        await setTime(context, offsetMs);
        const tookSec = (clock.nowMs() - issuedMs) / 1000;
        // Only an early answer shows that the token was still valid by real time.
        if (isValid && tookSec > validitySec / 2)
          context.unmet(`setting the clock took ${tookSec.toFixed(1)} s`);
        await clock.delay(Math.max(0, issuedMs + age * 1000 - clock.nowMs()), signal);
        const isOpened = await opens(context, own);
        const shownSec = ((clock.nowMs() - issuedMs) / 1000).toFixed(1);
        verify("CORE-CLOCK-03").that(isOpened === isValid, {
          what: `websocket handshake with a token ${shownSec} s old, after the clock was set ${how}`,
          expected: isValid ? "opened" : "rejected",
          observed: isOpened ? "opened" : "rejected",
        });
      }
    },
  }),
  testCase({
    ...shared,
    id: "clock/reboot-delay-while-the-clock-is-set",
    title: "The reboot after an applied configuration takes 5 s whatever the clock does",
    requirements: ["CORE-CLOCK-06"],
    capabilities: ["configuration", "disruptive-reboot", "auth", "events"],
    async run(context) {
      const { gateway, verify, time, profile } = context;
      await restoreTimeLater(context);
      const limits = {
        low: rebootSec - profile.tolerances.rebootDelaySec,
        high: rebootSec + profile.tolerances.rebootDelaySec + moreSec,
      };
      for (const [offsetMs, how] of [
        [hourMs, "one hour forward"],
        [0, "one hour back"],
      ] as const) {
        const file = await gateway.admin.call("exportConfiguration", {
          query: { action: "download", encryption: false },
        });
        if (!file.accepted) context.unmet(`the export was rejected: ${file.summary()}`);
        await using watch = await gateway.watchForRestart();
        const applied = await gateway.admin.call("uploadConfiguration", {
          form: {
            file: { fileName: "configuration.tar.gz", content: file.bytes },
            apply: true,
            encryption: false,
          },
        });
        if (!applied.accepted) context.unmet(`the upload was rejected: ${applied.summary()}`);
        await time.shift(offsetMs);
        const down = await watch.wentDown((limits.high + 5) * 1000);
        const took = down === undefined ? undefined : secondsSince(applied, down);
        verify("CORE-CLOCK-06").that(
          took !== undefined && took.high >= limits.low && took.low <= limits.high,
          {
            what: `reboot after an applied configuration, while the clock was set ${how}`,
            expected: `after ${limits.low} to ${limits.high} s`,
            observed:
              took === undefined ? "none" : `after ${took.low.toFixed(1)} to ${took.high.toFixed(1)} s`,
          },
        );
        if (down !== undefined) await backAgain(context, watch);
        await setTime(context, offsetMs);
      }
    },
  }),
];

// Faults that show only when the clock is set.
import type { Clock } from "../../reference-impl/base/clock.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { ClockUser } from "../../reference-impl/edges.ts";
import { text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { type Fault, faults } from "./fault.ts";

const lookEveryMs = 20;

/** A clock whose durations are read off the wall clock; `isMisled` tells which steps mislead it. */
function byTheWall(clock: Clock, isMisled: (byMs: number) => boolean): Clock {
  let misledMs = 0;
  clock.onStep((byMs) => {
    if (isMisled(byMs)) misledMs += byMs;
  });
  const monotonicMs = (): number => clock.monotonicMs() + misledMs;
  return {
    nowMs: () => clock.nowMs(),
    monotonicMs,
    onStep: (listener) => clock.onStep(listener),
    after(delayMs, action) {
      const dueMs = monotonicMs() + delayMs;
      let timer: Disposable;
      const look = (): void => {
        if (monotonicMs() >= dueMs) action();
        else timer = clock.after(Math.max(0, Math.min(lookEveryMs, dueMs - monotonicMs())), look);
      };
      timer = clock.after(Math.min(lookEveryMs, Math.max(0, delayMs)), look);
      return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
    },
  };
}

const always = (): boolean => true;
const forward = (byMs: number): boolean => byMs > 0;
const back = (byMs: number): boolean => byMs < 0;

function misled(user: ClockUser, isMisled: (byMs: number) => boolean): Fault["install"] {
  return (at) => at.clock(user, (clock) => byTheWall(clock, isMisled));
}

/** The clock of the part, which is not told of some steps. */
function deaf(isHeard: (byMs: number) => boolean): Fault["install"] {
  return (at) =>
    at.clock("reboot", (clock) => ({
      nowMs: () => clock.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
      after: (delayMs, action) => clock.after(delayMs, action),
      onStep: (listener) => clock.onStep((byMs) => isHeard(byMs) && listener(byMs)),
    }));
}

/** Reads the gateway's wall clock. */
function wallClock(at: GatewayAlterations): () => number {
  let now: () => number = () => Date.now();
  at.clock("accounts", (clock) => {
    now = () => clock.nowMs();
    return clock;
  });
  return () => now();
}

/** No sign-in while the condition holds for the clock, milliseconds since the epoch. */
function withoutSignIns(isRejected: (nowMs: number) => boolean): Fault["install"] {
  return (at) => {
    const now = wallClock(at);
    at.around("signIn", (call, proceed) => {
      if (isRejected(now())) throw new Refusal(401, "the clock of the gateway is wrong");
      return proceed(call);
    });
  };
}

export const clockFaults: readonly Fault[] = faults([
  [
    "clock-set-restarts-the-gateway",
    "CORE-CLOCK-01",
    "subtle",
    "The watchdog restarts the gateway when the clock is set forward.",
    (at) =>
      at.background((foundation) =>
        foundation.clock.onStep((byMs) => byMs > 60_000 && foundation.board.reboot("watchdog")),
      ),
  ],
  [
    "no-sign-in-before-the-last-one",
    "CORE-CLOCK-01",
    "subtle",
    "A sign-in is rejected while the clock shows an earlier time than at the last one.",
    (at) => {
      let lastMs = 0;
      const now = wallClock(at);
      at.around("signIn", async (call, proceed) => {
        if (now() < lastMs - 60_000) throw new Refusal(401, "replayed");
        const answer = await proceed(call);
        lastMs = Math.max(lastMs, now());
        return answer;
      });
    },
  ],
  [
    "streams-wait-for-the-wall-clock",
    "CORE-CLOCK-02",
    "subtle",
    "Streams pause until the clock has reached its former time when it is set back.",
    misled("tags", back),
  ],
  [
    "values-with-earlier-times-are-dropped",
    "CORE-CLOCK-02",
    "subtle",
    "A written value is dropped while the clock shows an earlier time than at the value before.",
    (at) => {
      const now = wallClock(at);
      let lastMs = 0;
      at.around("writeTag", (call, proceed) => {
        if (now() < lastMs) return { kind: "json", status: 200, body: { message: "ok" } };
        lastMs = now();
        return proceed(call);
      });
    },
  ],
  [
    "websocket-token-ends-when-the-clock-is-set-forward",
    "CORE-CLOCK-03",
    "subtle",
    "Websocket tokens end at once when the clock is set forward.",
    misled("accounts", forward),
  ],
  [
    "websocket-token-lives-on-when-the-clock-is-set-back",
    "CORE-CLOCK-03",
    "subtle",
    "Websocket tokens live longer by the time that the clock is set back.",
    misled("accounts", back),
  ],
  [
    "reboot-delay-by-the-wall-clock",
    "CORE-CLOCK-06",
    "subtle",
    "The 5 s before a reboot end at once when the clock is set forward, and last longer when it is set back.",
    misled("reboot", always),
  ],
  [
    "reboot-is-late-when-the-clock-is-set-back",
    "CORE-CLOCK-06",
    "subtle",
    "The 5 s before a reboot last longer by the time that the clock is set back.",
    misled("reboot", back),
  ],
  [
    "schedule-misses-steps-forward",
    "CORE-CLOCK-05",
    "subtle",
    "A scheduled reboot that comes closer because the clock is set forward happens after the former wait.",
    deaf(back),
  ],
  [
    "schedule-misses-steps-back",
    "CORE-CLOCK-05",
    "subtle",
    "A scheduled reboot that moves away because the clock is set back happens after the former wait.",
    deaf(forward),
  ],
  [
    "one-reboot-happens-each-time",
    "CORE-CLOCK-04",
    "subtle",
    "A reboot at one time happens again when the clock is set back and passes the time again.",
    (at) => {
      let keep = (_dueMs: number): void => undefined;
      at.around("setReboot", (call, proceed) => {
        const dueMs = Date.parse(text(call.body["at"]));
        if (!Number.isNaN(dueMs)) keep(dueMs);
        return proceed(call);
      });
      at.background(({ clock, store, board }) => {
        keep = (dueMs) =>
          void store.run(
            "INSERT OR REPLACE INTO setting (name, value) VALUES ('kept-reboot', ?)",
            String(dueMs),
          );
        let timer: Disposable | undefined;
        const steps = clock.onStep((byMs) => {
          timer?.[Symbol.dispose]();
          const row = store.get("SELECT value FROM setting WHERE name = 'kept-reboot'");
          const leftMs = Number(row?.["value"] ?? 0) - clock.nowMs();
          if (byMs < 0 && leftMs > 0) timer = clock.after(leftMs, () => board.reboot("kept"));
        });
        return {
          [Symbol.dispose]: () => {
            timer?.[Symbol.dispose]();
            steps[Symbol.dispose]();
          },
        };
      });
    },
  ],
  [
    "entries-of-later-times-are-removed",
    "CORE-CLOCK-07",
    "subtle",
    "Log entries with times that the clock has not reached yet are removed when it is set back.",
    (at) =>
      at.background((foundation) =>
        foundation.clock.onStep((byMs) => {
          if (byMs < 0)
            foundation.store.run("DELETE FROM event WHERE created_ms > ?", foundation.clock.nowMs());
        }),
      ),
  ],
  [
    "event-stream-expects-rising-times",
    "CORE-CLOCK-07",
    "subtle",
    "The event stream leaves out entries with an earlier time than the newest entry.",
    (at) => {
      const now = wallClock(at);
      let newestMs = 0;
      at.around("createEvent", (call, proceed) => {
        newestMs = Math.max(newestMs, now());
        return proceed(call);
      });
      at.frames("getEvents", (frame) => {
        const created = Date.parse(/"createdAt":"([^"]*)"/.exec(frame)?.[1] ?? "");
        return created < newestMs - 60_000 ? [] : [frame];
      });
    },
  ],
  [
    "no-sign-in-before-2000",
    "CORE-CLOCK-09",
    "subtle",
    "Sign-ins are rejected while the clock shows a time before 2000.",
    withoutSignIns((nowMs) => nowMs < Date.UTC(2000, 0, 1)),
  ],
  [
    "tokens-end-in-2038",
    "CORE-CLOCK-09",
    "subtle",
    "Sign-in tokens are rejected once the clock has passed 2^31 s.",
    (at) => {
      const now = wallClock(at);
      at.authenticate((token, proceed) => {
        if (now() >= 2 ** 31 * 1000) throw new Refusal(401, "the token has expired");
        return proceed(token);
      });
    },
  ],
]);

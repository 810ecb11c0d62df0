// What a gateway may do when its time server sets the clock; the interface does not mention clocks.
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { StreamSink } from "../../reference-impl/http/handler.ts";
import type { ClockConduct } from "../../reference-impl/product/conduct.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { conducted } from "./conduct.ts";
import type { Variations } from "./variation.ts";

const freedom = "the interface does not state how the clock of a gateway is set";

/** Another way of following the time server. */
function follows(change: Partial<ClockConduct>): (at: GatewayAlterations) => void {
  return (at) =>
    at.product((plain) => ({
      ...plain,
      conduct: { ...plain.conduct, clock: { ...plain.conduct.clock, ...change } },
    }));
}

/** Calls back at each step of the clock, with the difference. */
function atSteps(at: GatewayAlterations, react: (byMs: number, nowMs: number) => void): void {
  at.background(({ clock }) => clock.onStep((byMs) => react(byMs, clock.nowMs())));
}

export const clockReactions = {
  "clock-only-forward": {
    differs: "The clock follows its time server forward and is never set back",
    freedom,
    aspect: "clock",
    install: follows({ follows: "forwards" }),
  },
  "clock-set-at-boot": {
    differs: "The clock follows its time server at a boot only",
    freedom,
    aspect: "clock",
    install: follows({ follows: "at boot" }),
  },
  "clock-of-its-own": {
    differs: "The clock follows no time server",
    freedom,
    aspect: "clock",
    install: follows({ follows: "never" }),
  },
  "clock-refuses-large-steps": {
    differs: "The clock ignores a time server that differs by 1000 s or more",
    freedom,
    aspect: "clock",
    install: follows({ refusesFromMs: 1_000_000 }),
  },
  "clock-follows-gradually": {
    differs: "The clock approaches its time server by at most half a second each time that it asks",
    freedom,
    aspect: "clock",
    install: follows({ mostStepMs: 500 }),
  },
  "clock-follows-late": {
    differs: "The clock follows its time server after 4 s",
    freedom,
    aspect: "clock",
    install: (at) => at.options((options) => ({ ...options, timePollMs: 4000 })),
  },
  "missed-reboots-left-out": {
    differs: "A reboot whose time the clock skips does not happen",
    freedom: "Reboot schedule: what happens to a time that never comes is not stated",
    install: conducted({ makesUpForReboots: false }),
  },
  "crontab-with-summer-time": {
    differs: "Crontab fields are meant in a time zone with summer time",
    freedom: "Reboot schedule: the time zone of crontab fields is not stated",
    aspect: "time zone of crontabs",
    install: conducted({ timeZone: "Europe/Berlin" }),
  },
  "sign-ins-end-with-the-clock": {
    differs: "Every sign-in ends when the clock is set",
    freedom: "Authentication 7: the lifetime of a sign-in is open",
    install(at) {
      const known = new Set<string>();
      const ended = new Set<string>();
      atSteps(at, () => {
        for (const token of known) ended.add(token);
        known.clear();
      });
      at.authenticate((token, proceed) => {
        if (ended.has(token)) throw new Refusal(401, "the clock was set; sign in again");
        known.add(token);
        return proceed(token);
      });
    },
  },
  "streams-end-with-the-clock": {
    differs: "Streams end when the clock is set",
    freedom: "how long a stream stays open is not stated",
    install(at) {
      const open = new Set<StreamSink>();
      atSteps(at, () => {
        for (const sink of open) sink.end();
        open.clear();
      });
      at.around(["monitorTags", "getEvents"], async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "stream") return answer;
        return {
          ...answer,
          run: (sink) => {
            open.add(sink);
            sink.once("close", () => open.delete(sink));
            return answer.run(sink);
          },
        };
      });
    },
  },
  "last-boot-moves-with-the-clock": {
    differs: "`lastBootAt` moves with the clock, since the gateway counts the time since its boot",
    freedom: "Reboot schedule: `lastBootAt` is a timestamp; what the clock does to it is not stated",
    install(at) {
      let movedMs = 0;
      atSteps(at, (byMs) => (movedMs += byMs));
      at.data(["getReboot", "setReboot"], (schedule) => ({
        ...schedule,
        lastBootAt: new Date(Date.parse(String(schedule["lastBootAt"])) + movedMs).toISOString(),
      }));
    },
  },
  "boots-with-a-saved-time": {
    differs: "For 3 s after a boot `lastBootAt` is an hour old, until the gateway has the present time",
    freedom:
      "Reboot schedule: `lastBootAt` is a timestamp; when a gateway has the present time is not stated",
    install(at) {
      let untilMs = 0;
      at.background(() => {
        untilMs = performance.now() + 3000;
        return { [Symbol.dispose]: () => undefined };
      });
      at.data(["getReboot", "setReboot"], (schedule) =>
        performance.now() < untilMs
          ? {
              ...schedule,
              lastBootAt: new Date(Date.parse(String(schedule["lastBootAt"])) - 3_600_000).toISOString(),
            }
          : schedule,
      );
    },
  },
  "log-times-never-fall": {
    differs: "An entry without a time gets at least the time of the entry before",
    freedom:
      "Create log: the default of `createdAt` is now; what now is after a clock was set back is not stated",
    install(at) {
      let latestMs = 0;
      let now = (): number => Date.now();
      at.background(({ clock }) => {
        now = () => clock.nowMs();
        return { [Symbol.dispose]: () => undefined };
      });
      at.body("createEvent", (body) => {
        latestMs = Math.max(latestMs, now());
        return body["createdAt"] === undefined
          ? { ...body, createdAt: new Date(latestMs).toISOString() }
          : body;
      });
    },
  },
} satisfies Variations;

// What a gateway does where the interface states neither the one way nor the other.
import { resetScopes } from "../../interface/resources/reboot.ts";
import type { Conduct } from "../../reference-impl/product/conduct.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { text } from "../mechanism/edits.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { mapObjects } from "../wire/exactJson.ts";
import { idsTakenAgain } from "./takenAgain.ts";
import type { Variation, Variations } from "./variation.ts";

type Install = NonNullable<Variation["install"]>;

const bootTakesMs = 3000;
const clockStepMs = 2000;
const names = "Roles and users: a name is a string; which ones a gateway accepts is not stated";
const eventIds = "Event record: id is an integer; neither its distance nor its order is stated";

/** Another conduct of the product. */
export function conducted(change: Partial<Conduct>): Install {
  return (at) => at.product((plain) => ({ ...plain, conduct: { ...plain.conduct, ...change } }));
}

/** Scopes that need a reboot to take effect: the listeners open at boot, and the others include them. */
const needReboot: ReadonlySet<string> = new Set(["all", "httpserver", "keep-network-setting"]);

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const passesForMs = 1000;

function passSlowly(at: GatewayAlterations): void {
  const untilMs = new Map<string, number>();
  const isPassing = (id: unknown): boolean => (untilMs.get(text(id)) ?? 0) > performance.now();
  at.around("operateUpgradeJob", async (call, proceed) => {
    const { id, action } = call.path;
    if (isPassing(id)) throw new Refusal(400, "the job passes from one state to the next");
    const answer = await proceed(call);
    if (action === "suspend") untilMs.set(text(id), performance.now() + passesForMs);
    return answer;
  });
  at.jsonValue((value, { id = "" }) =>
    ["operateUpgradeJob", "getUpgradeJob", "listUpgradeJobs"].includes(id)
      ? mapObjects(value, (object) =>
          object["state"] === "suppended" && isPassing(object["id"])
            ? { ...object, state: "suppending" }
            : object,
        )
      : value,
  );
}

const resetWaitsMs = 3000;

/** A reset that is requested while another one waits takes its place. */
function oneWaitingReset(at: GatewayAlterations): void {
  const scopesInPlace = new Set(resetScopes.filter((scope) => !needReboot.has(scope)));
  conducted({ scopesInPlace })(at);
  let waiting: NodeJS.Timeout | undefined;
  at.around("resetToDefault", async (call, proceed) => {
    clearTimeout(waiting);
    if (call.query["sync"] === true) return proceed(call);
    const atOnce = changed(call, { query: { ...call.query, sync: true } });
    waiting = setTimeout(() => void proceed(atOnce), resetWaitsMs);
    return { kind: "json", status: 200, body: { data: { enable: true } } };
  });
}

export const conductVariations = {
  "later-reset-replaces-the-first": {
    differs: "A reset that is requested while another one waits takes its place",
    freedom: "Limits: a reset without sync waits 3 s; what another one meanwhile does is not stated",
    install: oneWaitingReset,
  },
  "slow-recovery": {
    differs: "Values follow a field device again 3 to 5 s after its fault",
    freedom: "the interface states no time within which a field device is polled again",
    install: conducted({ fieldRetryMs: { shortest: 3000, longest: 5000 } }),
  },
  "slow-polls": {
    differs: "Modbus points are read once a second, however often the rack asks for it",
    freedom: "the interface states no poll rate",
    install: conducted({ shortestPollMs: 1000 }),
  },
  "sessions-outlive-passwords": {
    differs: "Sign-ins of a user stay valid when the password changes",
    freedom: "Authentication 7: the lifetime of a sign-in is open",
    install: conducted({ endsSessionsWithPassword: false }),
  },
  "sessions-end-with-roles": {
    differs: "Sign-ins of a user end when the user gets other roles",
    freedom: "Authentication 7: the lifetime of a sign-in is open",
    install: conducted({ endsSessionsWithRoles: true }),
  },
  "ascii-names": {
    differs: "Names of users and roles have letters and digits of ASCII and + = , . @ _ - only",
    freedom: names,
    aspect: "names",
    install: conducted({ nameRule: /^[A-Za-z0-9][A-Za-z0-9+=,.@_-]*$/ }),
  },
  "any-names": {
    differs: "Names of users and roles have any characters",
    freedom: names,
    aspect: "names",
    install: conducted({ nameRule: /^[^]+$/ }),
  },
  "unavailable-services": {
    differs: "A service that is not available can be enabled",
    freedom: "States: enable=true follows for every allowed id; available is not among the conditions",
    install: conducted({ enablesUnavailable: true }),
  },
  "resets-in-place": {
    differs: "Resets take effect without a reboot, except those that include the listeners",
    freedom: "Endpoints 5: a reset restores defaults; a reboot is not mentioned",
    aspect: "reboot after reset",
    install: conducted({ scopesInPlace: new Set(resetScopes.filter((scope) => !needReboot.has(scope))) }),
  },
  "resets-reboot": {
    differs: "Every reset ends in a reboot",
    freedom: "Endpoints 5: a reset restores defaults; a reboot is not mentioned",
    aspect: "reboot after reset",
    install: conducted({ scopesInPlace: new Set() }),
  },
  "event-ids-with-gaps": {
    differs: "Ids of events are 7 apart",
    freedom: eventIds,
    aspect: "event ids",
    install: conducted({ eventIds: { base: 3, step: 7 } }),
  },
  "event-ids-falling": {
    differs: "The newest event has the lowest id",
    freedom: eventIds,
    aspect: "event ids",
    install: conducted({ eventIds: { base: 2_000_000_000, step: -3 } }),
  },
  "ids-taken-again": {
    differs: "A new role, user or upgrade job has the id of the last removed one",
    freedom: "Resources: an id is an integer; whether it is used again is not stated",
    install: idsTakenAgain,
  },
  "clock-of-two-seconds": {
    differs: "The header Date and the times of users count in steps of 2 s",
    freedom: "Timestamps are RFC 3339 strings; how often the clock of a gateway moves on is not stated",
    install(at) {
      const stepped = (ms: number): number => Math.floor(ms / clockStepMs) * clockStepMs;
      at.clock("accounts", (clock) => ({
        nowMs: () => stepped(clock.nowMs()),
        monotonicMs: () => clock.monotonicMs(),
        after: (delayMs, action) => clock.after(delayMs, action),
        onStep: (listener) => clock.onStep(listener),
      }));
      at.wholeAnswer(({ headers }) => headers.set("date", new Date(stepped(Date.now())).toUTCString()));
    },
  },
  "entries-recorded-later": {
    differs: "A created entry is in the log 300 ms after the answer",
    freedom: "Create log: when an entry is listed, streamed and downloaded is not stated",
    install: conducted({ recordsAfterMs: 300 }),
  },
  "event-kinds-follow-later": {
    differs: "A change of the event kinds takes effect 400 ms after the answer",
    freedom: "Update event kinds: how soon it takes effect is not stated",
    install: conducted({ eventKindsFollowAfterMs: 400 }),
  },
  "keywords-fit-parts": {
    differs: "A keyword for categories or event names fits every text that contains it, in capitals or not",
    freedom: "Get events: how keywords match is not stated",
    install: conducted({ keywordsFitParts: true }),
  },
  "lost-events-accepted": {
    differs: "An entry for a log that is off or full is answered with ok and not recorded",
    freedom: "Errors: the outcome of an entry that cannot be recorded is not shown",
    install: conducted({ rejectsLostEvents: false }),
  },
  "old-events-return": {
    differs: "Events that are too old are hidden, and shown again once the time to live is longer",
    freedom: "Event configuration: how a time to live takes effect is not stated",
    aspect: "age of events",
    install: conducted({ hidesOldEvents: true }),
  },
  "events-age-from-arrival": {
    differs: "An event is as old as its entry in the log, whatever its createdAt",
    freedom: "Event configuration: from when the age of an event counts is not stated",
    aspect: "age of events",
    profile: { tolerances: { retentionSec: 3 } },
    install: conducted({ agesFromArrival: true }),
  },
  "jobs-wait": {
    differs: "Upgrade jobs wait for start",
    freedom: "States: the transitions of upgrade jobs are not shown",
    install: conducted({ beginsJobs: false }),
  },
  "jobs-pass-slowly": {
    differs: "A suspended job passes through suppending for a second, in which it takes no other action",
    freedom: "States: the transitions of upgrade jobs are not shown",
    install: passSlowly,
  },
  "checked-downloads": {
    differs:
      "A download fails whose file is no package of the gateway, also where nothing is to be installed",
    freedom: "Create upgrade job: what a file must contain is not stated",
    install: conducted({ checksDownloads: true }),
  },
  "slow-apps": {
    differs: "Starting an app takes 2 s, removing one takes 3 s",
    freedom: "States: the transitions of apps and their duration are not shown",
    profile: { apps: { operable: "aie", settleSec: 12 } },
    install: conducted({ appSlowness: 15 }),
  },
  "apps-start-after-a-boot": {
    differs: "Apps are shown as starting, without the attribute started, for 2 s after a boot",
    freedom: "States: the transitions of apps and their duration are not shown",
    install: (at) => {
      const readyMs = performance.now() + 2000;
      at.data(["listApps", "getApp"], (app) =>
        app["state"] === "ready" && performance.now() < readyMs
          ? {
              ...app,
              state: "starting",
              attributes: asList(app["attributes"]).filter((one) => one !== "started"),
            }
          : app,
      );
    },
  },
  "app-entries-stay": {
    differs: "An app must be stopped before it is uninstalled, and is listed as uninstalled afterwards",
    freedom: "States: the transitions of apps are not shown",
    install: conducted({ keepsAppEntries: true }),
  },
  "listeners-close-late": {
    differs: "A listener that was moved or switched off closes after 900 ms",
    freedom: "Set configuration of the HTTP server: when a change takes effect is not stated",
    install: conducted({ listenersCloseAfterMs: 900 }),
  },
  "reboots-are-jobs": {
    differs: "A reset of the scope `job` also resets the reboot schedule",
    freedom: "Reset capabilities: the scopes are words; what belongs to `job` is not stated",
    install: conducted({ countsRebootsAsJobs: true }),
  },
  "local-crontab": {
    differs: "Crontab fields are meant in a time zone five and a half hours ahead of UTC",
    freedom: "Reboot schedule: the time zone of crontab fields is not stated",
    aspect: "time zone of crontabs",
    install: conducted({ timeZone: "Asia/Kolkata" }),
  },
  "slow-boot": {
    differs: "A boot takes 3 s longer",
    freedom: "the interface states no limit for the duration of a boot",
    // Nothing else runs at this point of a boot, therefore the whole thread may wait.
    install: (at) =>
      at.boot(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, bootTakesMs)),
  },
  "times-in-seconds": {
    differs: "The gateway's own timestamps are whole seconds",
    freedom: "Conventions: RFC 3339 leaves the fraction to the writer",
    aspect: "timestamps",
    install(at) {
      conducted({ eventTimeStepMs: 1000 })(at);
      // Times of events and of the end of an account may come from a client, which gets them back unchanged.
      at.jsonValue((value, { id }) =>
        id === "getEvents" ? value : mapObjects(value, (object) => inSeconds(object)),
      );
    },
  },
} as const satisfies Variations;

function inSeconds(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([name, inner]) => [
      name,
      name.endsWith("At") && typeof inner === "string" ? inner.replace(/\.\d+(?=Z$)/, "") : inner,
    ]),
  );
}

// Faults of reboots and resets.
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { badInput } from "../http/refusal.ts";
import { at as valueAt, fields, put, text } from "./edits.ts";
import { type Fault, faults } from "./fault.ts";
import { losesAtBoot } from "./habits.ts";
import { changed, type Step, type Switchboard } from "./switchboard.ts";

const due = "the reboot schedule is due";

const rebootFaults = faults([
  [
    "now-flag-does-not-reboot",
    "CORE-REBOOT-11",
    "plain",
    "now true is answered and no reboot follows.",
    (at) => at.body("setReboot", ({ now: _now, ...body }) => body),
  ],
  [
    "now-flag-reboots-late",
    "CORE-REBOOT-11",
    "subtle",
    "With now true the reboot comes 8 s later.",
    (at) =>
      at.reboot((reason, next) => (reason.includes("user asked") ? void setTimeout(next, 8000) : next())),
  ],
  [
    "at-now-does-not-reboot",
    "CORE-REBOOT-12",
    "plain",
    "at now is answered and no reboot follows.",
    (at) => at.body("setReboot", (body) => (body["at"] === "now" ? { ...body, at: undefined } : body)),
  ],
  [
    "last-boot-is-the-first",
    "CORE-REBOOT-13",
    "plain",
    "lastBootAt stays what it was at the first boot.",
    (at) => {
      let firstMs = "";
      at.boot((store) => {
        const kept = store.get("SELECT value FROM setting WHERE name = 'first-boot'");
        firstMs = text(kept?.["value"]) || new Date().toISOString();
        if (kept === undefined)
          store.run("INSERT INTO setting (name, value) VALUES ('first-boot', ?)", firstMs);
      });
      at.data(["getReboot", "setReboot"], (data) => ({ ...data, lastBootAt: firstMs }));
    },
  ],
  [
    "crontab-fields-are-swapped",
    "CORE-REBOOT-14",
    "plain",
    "minute and hour of the schedule are shown the wrong way round.",
    (at) =>
      at.data(["getReboot", "setReboot"], (data) => {
        const shown = fields(data["at"]);
        return { ...data, at: { ...shown, minute: shown["hour"], hour: shown["minute"] } };
      }),
  ],
  [
    "next-trigger-is-an-hour-off",
    "CORE-REBOOT-15",
    "subtle",
    "nextTriggerAt is an hour later than the crontab expression says.",
    (at) =>
      at.data(["getReboot", "setReboot"], (data) =>
        data["enableScheduler"] === true
          ? {
              ...data,
              nextTriggerAt: new Date(Date.parse(String(data["nextTriggerAt"])) + 3_600_000).toISOString(),
            }
          : data,
      ),
  ],
  [
    "day-of-week-is-ignored",
    "CORE-REBOOT-15",
    "subtle",
    "nextTriggerAt does not heed the day of the week.",
    (at) => {
      let shown: string | undefined;
      at.around("setReboot", (call, next) => {
        const parts = typeof call.body["at"] === "string" ? call.body["at"].trim().split(/\s+/) : [];
        shown = parts.length === 5 ? parts[4] : undefined;
        return next(
          shown === undefined
            ? call
            : changed(call, { body: { ...call.body, at: [...parts.slice(0, 4), "*"].join(" ") } }),
        );
      });
      at.data(["getReboot", "setReboot"], (data) =>
        shown === undefined ? data : put(data, "at.dayOfWeek", shown),
      );
    },
  ],
  [
    "date-time-is-refused",
    "CORE-REBOOT-16",
    "plain",
    "A date-time as at is refused.",
    (at) =>
      at.around("setReboot", (call, next) => {
        if (/^\d{4}-/.test(text(call.body["at"]))) throw badInput("at: expected a crontab expression");
        return next(call);
      }),
  ],
  [
    "date-time-with-an-offset-is-refused",
    "CORE-REBOOT-16",
    "subtle",
    "A date-time as at is refused unless it is in UTC.",
    (at) =>
      at.around("setReboot", (call, next) => {
        if (/^\d{4}-.*[+-]\d\d:\d\d$/.test(text(call.body["at"]))) throw badInput("at: expected UTC");
        return next(call);
      }),
  ],
  [
    "schedule-reboots-late",
    "CORE-REBOOT-17",
    "subtle",
    "A scheduled reboot comes 6 s late.",
    (at) => at.reboot((reason, next) => (reason === due ? void setTimeout(next, 6000) : next())),
  ],
  [
    "schedule-never-reboots",
    "CORE-REBOOT-17",
    "plain",
    "A scheduled reboot does not come.",
    (at) => at.reboot((reason, next) => (reason === due ? undefined : next())),
  ],
  [
    "scheduler-switch-is-always-on",
    "CORE-REBOOT-18",
    "plain",
    "enableScheduler false is taken and shown as true.",
    (at) => at.data(["getReboot", "setReboot"], (data) => ({ ...data, enableScheduler: true })),
  ],
  [
    "schedule-is-lost-at-boot",
    "CORE-REBOOT-19",
    "subtle",
    "A schedule is gone after a reboot.",
    losesAtBoot("reboot"),
  ],
  [
    "nonsense-as-time-is-taken",
    "CORE-REBOOT-20",
    "plain",
    "An at that means nothing is taken and passed over.",
    (at) => at.around("setReboot", (call, next) => next(call).catch(() => next(changed(call, { body: {} })))),
  ],
  [
    "disabled-schedule-reboots",
    "CORE-REBOOT-35",
    "subtle",
    "A schedule reboots also while enableScheduler is false.",
    (at) => {
      let isOff = false;
      at.around("setReboot", async (call, next) => {
        isOff = call.body["enableScheduler"] === false && call.body["at"] !== undefined;
        return next(isOff ? changed(call, { body: { ...call.body, enableScheduler: true } }) : call);
      });
      at.data(["getReboot", "setReboot"], (data) => (isOff ? { ...data, enableScheduler: false } : data));
    },
  ],
  [
    "now-false-reboots",
    "CORE-REBOOT-42",
    "subtle",
    "now reboots whatever its value.",
    (at) => at.body("setReboot", (body) => (body["now"] === false ? { ...body, now: true } : body)),
  ],
  [
    "reboot-is-not-recorded",
    "CORE-REBOOT-38",
    "plain",
    "A reboot leaves no event.",
    (at) => at.raise((kind, detail, next) => (kind === 48 ? undefined : next(kind, detail))),
  ],
  [
    "crontab-object-is-refused",
    "CORE-REBOOT-43",
    "plain",
    "The crontab fields in an object are refused.",
    (at) =>
      at.around("setReboot", (call, next) => {
        if (typeof call.body["at"] === "object") throw badInput("at: expected a text");
        return next(call);
      }),
  ],
]);

/** Answers at once and resets later, with `sync`, so that the delay is this fault's and no other's. */
function resetsAfter(delayMs: number, isMeant: (sync: unknown) => boolean): Step {
  return (call, next) => {
    if (!isMeant(call.query["sync"])) return next(call);
    setTimeout(() => void next(changed(call, { query: { ...call.query, sync: true } })), delayMs);
    return { kind: "json", status: 200, body: { data: { enable: true } } };
  };
}

function spares(at: Switchboard, scope: ResetScope): void {
  at.resetPart((part) => (part.scopes.includes(scope) ? { ...part, reset: () => undefined } : part));
}

const resetFaults = faults([
  [
    "factory-offers-system-scopes",
    "CORE-REBOOT-23",
    "plain",
    "The factory reset offers the scopes of the system reset.",
    (at) =>
      at.data("getResetCapabilities", (data) => put(data, "factory.scopes", valueAt(data, "system.scopes"))),
  ],
  [
    "unknown-scope-is-taken",
    "CORE-REBOOT-26",
    "plain",
    "A scope that is none is taken and passed over.",
    (at) => at.lenient("resetToDefault", "query", "scopes"),
  ],
  [
    "unknown-mode-is-taken",
    "CORE-REBOOT-27",
    "plain",
    "A mode that is none is taken as system.",
    (at) => at.lenient("resetToDefault", "query", "mode"),
  ],
  [
    "sync-reset-waits",
    "CORE-REBOOT-28",
    "plain",
    "With sync true the reset comes 3 s later.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(3000, (sync) => sync === true),
      ),
  ],
  [
    "reset-does-not-wait",
    "CORE-REBOOT-29",
    "plain",
    "With sync false the reset comes at once.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(30, (sync) => sync === false),
      ),
  ],
  [
    "reset-waits-2s",
    "CORE-REBOOT-29",
    "subtle",
    "With sync false the reset comes after 2 s.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(2000, (sync) => sync === false),
      ),
  ],
  [
    "reset-waits-4.5s",
    "CORE-REBOOT-29",
    "subtle",
    "With sync false the reset comes after 4.5 s.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(4500, (sync) => sync === false),
      ),
  ],
  [
    "reset-without-sync-does-not-wait",
    "CORE-REBOOT-30",
    "subtle",
    "Without sync the reset comes at once.",
    (at) =>
      at.around(
        "resetToDefault",
        resetsAfter(30, (sync) => sync === undefined),
      ),
  ],
  [
    "reset-spares-provisioning",
    "CORE-REBOOT-31",
    "plain",
    "A reset with the scope provision leaves provisioning as it was.",
    (at) => spares(at, "provision"),
  ],
  [
    "reset-spares-the-reboot-schedule",
    "CORE-REBOOT-31",
    "plain",
    "A reset with the scope reboot leaves the schedule as it was.",
    (at) => spares(at, "reboot"),
  ],
  [
    "reset-spares-ssh",
    "CORE-REBOOT-31",
    "plain",
    "A reset with the scope sshserver leaves the SSH configuration as it was.",
    (at) => spares(at, "sshserver"),
  ],
  [
    "reset-of-ssh-takes-provisioning-along",
    "CORE-REBOOT-32",
    "subtle",
    "A reset with the scope sshserver resets provisioning, too.",
    (at) =>
      at.resetPart((part) =>
        part.scopes.includes("provision") ? { ...part, scopes: [...part.scopes, "sshserver"] } : part,
      ),
  ],
  [
    "reset-of-the-schedule-takes-events-along",
    "CORE-REBOOT-32",
    "subtle",
    "A reset with the scope reboot resets the event log's configuration, too.",
    (at) =>
      at.resetPart((part) =>
        part.scopes.includes("eventlog") ? { ...part, scopes: [...part.scopes, "reboot"] } : part,
      ),
  ],
  [
    "reset-of-all-leaves-ssh-out",
    "CORE-REBOOT-33",
    "subtle",
    "A reset with the scope all leaves the SSH configuration as it was.",
    leavesOutOfAll("sshserver"),
  ],
  [
    "reset-of-all-leaves-the-log-out",
    "CORE-REBOOT-33",
    "subtle",
    "A reset with the scope all leaves the log configuration as it was.",
    leavesOutOfAll("journald"),
  ],
  [
    "reset-of-all-leaves-users-out",
    "CORE-REBOOT-33",
    "subtle",
    "A reset with the scope all leaves users and roles as they were.",
    leavesOutOfAll("account"),
  ],
  [
    "reset-is-a-factory-reset",
    "CORE-REBOOT-34",
    "plain",
    "Without mode a reset takes only what a factory reset takes.",
    (at) => at.query("resetToDefault", (query) => ({ mode: "factory", ...query })),
  ],
  [
    "factory-takes-system-scopes",
    "CORE-REBOOT-37",
    "plain",
    "A factory reset takes the scopes of the system reset.",
    (at) => at.query("resetToDefault", ({ mode: _mode, ...query }) => query),
  ],
  [
    "factory-reset-spares-upgrades",
    "CORE-REBOOT-39",
    "subtle",
    "A factory reset leaves the upgrade configuration as it was.",
    leavesOutOfAll("upgrade", "factory"),
  ],
  [
    "offered-scope-is-refused",
    "CORE-REBOOT-40",
    "subtle",
    "The scope serialconsole is offered and refused.",
    (at) =>
      at.around("resetToDefault", (call, next) => {
        if (String(call.query["scopes"]).includes("serialconsole"))
          throw badInput("scopes: serialconsole is no scope");
        return next(call);
      }),
  ],
  [
    "two-scopes-together-are-refused",
    "CORE-REBOOT-40",
    "subtle",
    "Two scopes in one reset are refused.",
    (at) =>
      at.around("resetToDefault", (call, next) => {
        const { scopes } = call.query;
        if (Array.isArray(scopes) && scopes.length > 1) throw badInput("scopes: expected one");
        return next(call);
      }),
  ],
  [
    "reset-before-answering",
    "CORE-REBOOT-25",
    "subtle",
    "With sync true the gateway is gone before it answered.",
    (at) => {
      at.around("resetToDefault", async (call, next) => {
        const answer = await next(call);
        if (call.query["sync"] === true) await new Promise((resolve) => setTimeout(resolve, 3000));
        return answer;
      });
    },
  ],
]);

/** A part is left out when the reset is of everything; named alone it is reset. */
function leavesOutOfAll(scope: ResetScope, mode?: "factory"): Fault["install"] {
  return (at) => {
    let isOfAll = false;
    at.around("resetToDefault", (call, next) => {
      const { scopes, mode: asked } = call.query;
      const isEverything = !Array.isArray(scopes) || scopes.length === 0 || scopes.includes("all");
      isOfAll = isEverything && (mode === undefined || asked === mode);
      return next(call);
    });
    at.resetPart((part) =>
      part.scopes.includes(scope) ? { ...part, reset: () => void (isOfAll || part.reset()) } : part,
    );
  };
}

export const rebootingFaults: readonly Fault[] = [...rebootFaults, ...resetFaults];

// Faults of reboots and their schedule.
import type { Store } from "../../reference-impl/store/store.ts";
import { badInput } from "../../reference-impl/base/refusal.ts";
import { type Fields, fields, put, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { losesAtBoot, withoutEvents } from "./habits.ts";
import { changed } from "../mechanism/operationAlterations.ts";

const due = "the reboot schedule is due";

const crontabFields = ["minute", "hour", "day", "month", "dayOfWeek"];

/** Reads a field of a crontab expression as another text, and shows it as sent. */
function misreads(field: number, read: (text: string) => string): Fault["install"] {
  return (at) => {
    let shown: string | undefined;
    at.around("setReboot", (call, proceed) => {
      const parts = typeof call.body["at"] === "string" ? call.body["at"].trim().split(/\s+/) : [];
      shown = parts.length === crontabFields.length ? parts[field] : undefined;
      return proceed(
        shown === undefined
          ? call
          : changed(call, { body: { ...call.body, at: parts.with(field, read(shown)).join(" ") } }),
      );
    });
    at.data(["getReboot", "setReboot"], (data) =>
      shown === undefined ? data : put(data, `at.${crontabFields[field]}`, shown),
    );
  };
}

/** Set off with such a body, the schedule is shown as off and stays on. */
const isOffOnPaper =
  (isMeant: (body: Fields) => boolean): Fault["install"] =>
  (at) => {
    let isOff = false;
    at.around("setReboot", async (call, proceed) => {
      isOff = call.body["enableScheduler"] === false && isMeant(call.body);
      return proceed(isOff ? changed(call, { body: { ...call.body, enableScheduler: true } }) : call);
    });
    at.data(["getReboot", "setReboot"], (data) => (isOff ? { ...data, enableScheduler: false } : data));
  };

export const rebootFaults: readonly Fault[] = faults([
  [
    "now-flag-does-not-reboot",
    "CORE-REBOOT-11",
    "plain",
    "`now` true is answered with success, but no reboot follows.",
    (at) => at.body("setReboot", ({ now: _now, ...body }) => body),
  ],
  [
    "now-flag-waits-for-the-scheduler",
    "CORE-REBOOT-11",
    "subtle",
    "`now` true does not reboot the system when `enableScheduler` is false.",
    (at) =>
      at.body("setReboot", ({ now, ...body }) =>
        body["enableScheduler"] === false ? body : { ...body, now },
      ),
  ],
  [
    "now-flag-reboots-late",
    "CORE-REBOOT-11",
    "subtle",
    "With `now` true, the reboot comes 8 s later.",
    (at) =>
      at.reboot((reason, proceed) =>
        reason.includes("user asked") ? void setTimeout(proceed, 8000) : proceed(),
      ),
  ],
  [
    "at-now-does-not-reboot",
    "CORE-REBOOT-12",
    "plain",
    "`at` now is answered with success, but no reboot follows.",
    (at) => at.body("setReboot", (body) => (body["at"] === "now" ? { ...body, at: undefined } : body)),
  ],
  [
    "last-boot-is-the-present",
    "CORE-REBOOT-13",
    "subtle",
    "`lastBootAt` is the time of the reading.",
    (at) =>
      at.data(["getReboot", "setReboot"], (data) => ({ ...data, lastBootAt: new Date().toISOString() })),
  ],
  [
    "last-boot-is-the-first",
    "CORE-REBOOT-13",
    "plain",
    "`lastBootAt` stays at the time of the first boot.",
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
    "last-boot-leaves-out-that-of-an-apply",
    "CORE-REBOOT-13",
    "subtle",
    "After the reboot of an apply, `lastBootAt` is the time of the boot before.",
    (at) => {
      let open: Store | undefined;
      let shown: string | undefined;
      at.boot((store) => {
        open = store;
        shown =
          text(store.get("SELECT value FROM setting WHERE name = 'boot-before'")?.["value"]) || undefined;
        store.run("DELETE FROM setting WHERE name = 'boot-before'");
      });
      let last = "";
      at.data(["getReboot", "setReboot"], (data) => {
        last = shown ?? text(data["lastBootAt"]);
        return { ...data, lastBootAt: last };
      });
      at.reboot((reason, proceed) => {
        if (reason.includes("configuration") && last !== "")
          open?.run("INSERT INTO setting (name, value) VALUES ('boot-before', ?)", last);
        proceed();
      });
    },
  ],
  [
    "crontab-fields-are-swapped",
    "CORE-REBOOT-14",
    "plain",
    "minute and hour of the schedule are exchanged.",
    (at) =>
      at.data(["getReboot", "setReboot"], (data) => {
        const shown = fields(data["at"]);
        return { ...data, at: { ...shown, minute: shown["hour"], hour: shown["minute"] } };
      }),
  ],
  [
    "next-trigger-is-minutes-off",
    "CORE-REBOOT-15",
    "subtle",
    "`nextTriggerAt` is seven minutes later than the crontab expression says.",
    (at) =>
      at.data(["getReboot", "setReboot"], (data) =>
        data["enableScheduler"] === true
          ? {
              ...data,
              nextTriggerAt: new Date(Date.parse(String(data["nextTriggerAt"])) + 7 * 60_000).toISOString(),
            }
          : data,
      ),
  ],
  [
    "day-of-week-is-ignored",
    "CORE-REBOOT-15",
    "subtle",
    "`nextTriggerAt` ignores the day of the week.",
    misreads(4, () => "*"),
  ],
  [
    "later-ranges-of-a-crontab-list-are-single",
    "CORE-REBOOT-15",
    "subtle",
    "Of the second and later ranges of a crontab list, only the first value counts.",
    (at) => {
      for (const field of [0, 1, 2, 3, 4])
        misreads(field, (text) => text.replaceAll(/,(\d+)-\d+(\/\d+)?/g, ",$1"))(at);
    },
  ],
  [
    "crontab-steps-of-days-count-from-zero",
    "CORE-REBOOT-15",
    "subtle",
    "A step of days counts from 0: `*/10` is the 10th, the 20th and the 30th.",
    misreads(2, (text) => text.replace(/^\*\/(\d+)$/, "$1-31/$1")),
  ],
  [
    "crontab-fields-are-cut",
    "CORE-REBOOT-14",
    "subtle",
    "A crontab field of more than 12 characters is shown without its end.",
    (at) =>
      at.data(["getReboot", "setReboot"], (data) => ({
        ...data,
        at: Object.fromEntries(
          Object.entries(fields(data["at"])).map(([name, value]) => [name, text(value).slice(0, 12)]),
        ),
      })),
  ],
  [
    "date-time-is-refused",
    "CORE-REBOOT-16",
    "plain",
    "A date-time as `at` is rejected.",
    (at) =>
      at.around("setReboot", (call, proceed) => {
        if (/^\d{4}-/.test(text(call.body["at"]))) throw badInput("at: expected a crontab expression");
        return proceed(call);
      }),
  ],
  [
    "date-time-with-an-offset-is-refused",
    "CORE-REBOOT-16",
    "subtle",
    "A date-time as `at` is rejected unless it is in UTC.",
    (at) =>
      at.around("setReboot", (call, proceed) => {
        if (/^\d{4}-.*[+-]\d\d:\d\d$/.test(text(call.body["at"]))) throw badInput("at: expected UTC");
        return proceed(call);
      }),
  ],
  [
    "schedule-reboots-late",
    "CORE-REBOOT-17",
    "subtle",
    "A scheduled reboot comes 30 s late.",
    (at) => at.reboot((reason, proceed) => (reason === due ? void setTimeout(proceed, 30_000) : proceed())),
  ],
  [
    "schedule-never-reboots",
    "CORE-REBOOT-17",
    "plain",
    "A scheduled reboot does not happen.",
    (at) => at.reboot((reason, proceed) => (reason === due ? undefined : proceed())),
  ],
  [
    "far-date-time-reboots-at-once",
    "CORE-REBOOT-17",
    "subtle",
    "A date-time more than 2^31 ms ahead reboots at once.",
    (at) =>
      at.body("setReboot", (body) =>
        Date.parse(text(body["at"])) - Date.now() > 2 ** 31 && /^\d{4}-/.test(text(body["at"]))
          ? { ...body, now: true }
          : body,
      ),
  ],
  [
    "replaced-date-time-reboots",
    "CORE-REBOOT-17",
    "subtle",
    "A date-time that a later one replaced still triggers a reboot.",
    (at) => {
      let isOn = false;
      at.around("setReboot", (call, proceed) => {
        isOn = call.body["enableScheduler"] === true;
        const untilMs = Date.parse(text(call.body["at"])) - Date.now();
        const reboot = (): unknown => isOn && proceed(changed(call, { body: { now: true } })).catch(() => {});
        if (isOn && untilMs < 60_000) setTimeout(reboot, untilMs).unref();
        return proceed(call);
      });
    },
  ],
  [
    "scheduler-switch-is-always-on",
    "CORE-REBOOT-18",
    "plain",
    "`enableScheduler` false is accepted but shown as true.",
    (at) => at.data(["getReboot", "setReboot"], (data) => ({ ...data, enableScheduler: true })),
  ],
  [
    "schedule-is-lost-at-boot",
    "CORE-REBOOT-19",
    "subtle",
    "A reboot schedule is lost by a reboot.",
    losesAtBoot("reboot"),
  ],
  [
    "nonsense-as-time-stops-the-schedule",
    "CORE-REBOOT-20",
    "subtle",
    "A meaningless `at` is rejected, and `enableScheduler` becomes false.",
    (at) =>
      at.around("setReboot", (call, proceed) =>
        proceed(call).catch(async (thrown: unknown) => {
          await proceed(changed(call, { body: { enableScheduler: false } }));
          throw thrown;
        }),
      ),
  ],
  [
    "nonsense-as-time-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "A meaningless `at` is accepted and ignored.",
    (at) =>
      at.around("setReboot", (call, proceed) =>
        proceed(call).catch(() => proceed(changed(call, { body: {} }))),
      ),
  ],
  [
    "disabled-schedule-reboots",
    "CORE-REBOOT-35",
    "subtle",
    "A scheduled reboot happens even while `enableScheduler` is false.",
    isOffOnPaper((body) => body["at"] !== undefined),
  ],
  [
    "schedule-is-switched-off-with-its-time-only",
    "CORE-REBOOT-35",
    "subtle",
    "`enableScheduler` false without `at` is shown, and the scheduled reboot happens all the same.",
    isOffOnPaper((body) => body["at"] === undefined && body["now"] !== true),
  ],
  [
    "schedule-shows-now",
    "CORE-REBOOT-44",
    "plain",
    "The reboot schedule in an answer has a member `now`.",
    (at) => at.data(["getReboot", "setReboot"], (data) => ({ ...data, now: false })),
  ],
  [
    "now-false-reboots",
    "CORE-REBOOT-42",
    "subtle",
    "`now` causes a reboot, whatever its value.",
    (at) => at.body("setReboot", (body) => (body["now"] === false ? { ...body, now: true } : body)),
  ],
  [
    "reboot-is-not-recorded",
    "CORE-REBOOT-38",
    "plain",
    "A reboot is not recorded as an event.",
    withoutEvents(48),
  ],
  [
    "crontab-object-is-refused",
    "CORE-REBOOT-43",
    "plain",
    "Crontab fields in an object are rejected.",
    (at) =>
      at.around("setReboot", (call, proceed) => {
        if (typeof call.body["at"] === "object") throw badInput("at: expected a text");
        return proceed(call);
      }),
  ],
  [
    "uploaded-file-is-applied-at-the-next-reboot",
    "CORE-CONFIG-26",
    "subtle",
    "An uploaded file is in force after the next reboot, also without `apply`.",
    (at) => {
      let open: Store | undefined;
      let exported: ReturnType<Store["all"]> = [];
      let staged: typeof exported = [];
      at.boot((store) => {
        open = store;
      });
      at.file("exportConfiguration", (content) => {
        exported = open?.all("SELECT name, value FROM setting") ?? [];
        return content;
      });
      at.data("uploadConfiguration", (data) => {
        staged = exported;
        return data;
      });
      at.reboot((_reason, proceed) => {
        for (const { name, value } of staged)
          open?.run("UPDATE setting SET value = ? WHERE name = ?", String(value), String(name));
        staged = [];
        proceed();
      });
    },
  ],
]);

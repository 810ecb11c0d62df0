// What `at` of a reboot schedule may hold, and when it is due.
import { Cron } from "croner";
import type { CrontabFields } from "../../../interface/resources/reboot.ts";
import { epochMsOf } from "../../../interface/schema/instant.ts";
import { isRfc3339 } from "../../../interface/schema/validate.ts";
import { badInput } from "../../base/refusal.ts";

/** `once`: an instant; `cron`: five fields in the time zone of the device. */
export type Schedule =
  | { readonly kind: "once"; readonly dueMs: number }
  | { readonly kind: "cron"; readonly fields: CrontabFields };

const fieldNames = ["minute", "hour", "day", "month", "dayOfWeek"] as const;

/** Whether `at` is what answers show when nothing is scheduled: an answer can be sent back unchanged. */
export function isNoTime(at: string | CrontabFields): boolean {
  return typeof at === "string" ? at === "" : fieldNames.every((name) => at[name] === "");
}

/** Parses the text or object; throws a Refusal for what is neither an instant to come nor a crontab expression. */
export function parseAt(at: string | CrontabFields, nowMs: number, timezone: string): Schedule {
  if (typeof at !== "string") return cron(at, nowMs, timezone);
  if (isRfc3339(at)) {
    const dueMs = epochMsOf(at);
    if (dueMs <= nowMs) throw badInput(`at: ${at} is in the past`);
    return { kind: "once", dueMs };
  }
  const parts = at.trim().split(/\s+/);
  if (parts.length !== 5)
    throw badInput("at: expected now, an RFC 3339 date-time or a crontab expression of five fields");
  return cron(
    Object.fromEntries(fieldNames.map((name, index) => [name, parts[index]])) as CrontabFields,
    nowMs,
    timezone,
  );
}

function cron(fields: CrontabFields, nowMs: number, timezone: string): Schedule {
  const schedule: Schedule = { kind: "cron", fields: pick(fields) };
  if (nextTrigger(schedule, nowMs, timezone) === undefined)
    throw badInput(`at: ${JSON.stringify(expressionOf(fields))} names no day that comes`);
  return schedule;
}

function expressionOf(fields: CrontabFields): string {
  return fieldNames.map((name) => fields[name]).join(" ");
}

function pick(fields: CrontabFields): CrontabFields {
  const { minute, hour, day, month, dayOfWeek } = fields;
  return { minute, hour, day, month, dayOfWeek };
}

/** The next instant after `afterMs` at which the schedule is due; undefined when there is none. */
export function nextTrigger(schedule: Schedule, afterMs: number, timezone: string): number | undefined {
  if (schedule.kind === "once") return schedule.dueMs > afterMs ? schedule.dueMs : undefined;
  const expression = expressionOf(schedule.fields);
  try {
    return new Cron(expression, { timezone, mode: "5-part" }).nextRun(new Date(afterMs))?.getTime();
  } catch {
    throw badInput(`at: ${JSON.stringify(expression)} is no crontab expression`);
  }
}

/** The schedule as answers show it: crontab fields, those of the instant for one that is due once. */
export function showAt(schedule: Schedule | undefined, timeZone: string): CrontabFields {
  if (schedule === undefined) return { minute: "", hour: "", day: "", month: "", dayOfWeek: "" };
  if (schedule.kind === "cron") return pick(schedule.fields);
  const part = (name: "minute" | "hour" | "day" | "month"): string => {
    const format = new Intl.DateTimeFormat("en", { timeZone, [name]: "numeric", hourCycle: "h23" });
    return format.format(schedule.dueMs);
  };
  return {
    minute: part("minute"),
    hour: String(Number(part("hour"))),
    day: part("day"),
    month: part("month"),
    dayOfWeek: "*",
  };
}

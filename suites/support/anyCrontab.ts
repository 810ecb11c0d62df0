// Crontab expressions of every form in every field, each with the local time that all common crons name next.
import type { CaseContext } from "../../harness/index.ts";
import { instantsNear, nextInstantIn } from "./crontab.ts";

type Random = CaseContext["random"];

const minuteMs = 60_000;

/** Lowest and highest value of each field. Sunday is 0: not every cron takes 7. */
const fields = [
  { name: "minute", low: 0, high: 59 },
  { name: "hour", low: 0, high: 23 },
  { name: "day", low: 1, high: 31 },
  { name: "month", low: 1, high: 12 },
  { name: "dayOfWeek", low: 0, high: 6 },
] as const;
type Field = (typeof fields)[number];

interface AnyExpression {
  readonly at: string;
  /** The next time, in the time of the gateway. */
  readonly localMs: number;
  /** A range with a step is no form of every cron. */
  readonly mayBeRejected: boolean;
}

/** The forms of one field. */
const forms: readonly ((random: Random, field: Field) => string)[] = [
  (random, { low, high }) => String(random.integer(low, high)),
  (random, { low, high }) => numbers(random, low, high, 3),
  (random, { low, high }) => numbers(random, low, high, high === 6 ? 5 : 9),
  (random, { low, high }) => range(random, low, high),
  (random, { low, high }) => `*/${random.integer(2, Math.max(3, Math.floor((high - low) / 3)))}`,
  (random, { low, high }) => stepped(random, low, high),
  (random, { low, high }) => parts(random, low, high, [range, range]),
  (random, { low, high }) => parts(random, low, high, [range, stepped, one]),
];

function one(random: Random, low: number, high: number): string {
  return String(random.integer(low, high));
}

function numbers(random: Random, low: number, high: number, count: number): string {
  const all = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  return random.shuffle(all).slice(0, count).join(",");
}

function range(random: Random, low: number, high: number): string {
  const first = random.integer(low, high - 1);
  return `${first}-${random.integer(first + 1, high)}`;
}

function stepped(random: Random, low: number, high: number): string {
  return `${range(random, low, high)}/${random.integer(2, Math.max(3, Math.floor((high - low) / 6)))}`;
}

/** A list with a part of each kind, each in a share of the values of its own, in any order. */
function parts(
  random: Random,
  low: number,
  high: number,
  kinds: readonly ((random: Random, low: number, high: number) => string)[],
): string {
  const share = (high - low + 1) / kinds.length;
  const start = (index: number): number => low + Math.floor(index * share);
  return random
    .shuffle(kinds.map((part, index) => part(random, start(index), start(index + 1) - 1)))
    .join(",");
}

/** What is known of the gateway's time zone: its offset from UTC now, and how long that stays. */
export interface Zone {
  readonly nowMs: number;
  readonly steadyForMs: number;
}

/** The first hour after those in which clocks change. */
const steadyHour = 4;
/** Time around now in which no expression is due, also on a gateway whose clock differs a little. */
const clearMs = 10 * minuteMs;
const leastAheadMs = 2 * clearMs;
const triesEach = 25;

/**
 * Expressions of every form in every field, twice where possible: once an element has passed and a later one is next,
 * and once all elements have passed, which shows where they end.
 */
export function anyExpressions(random: Random, nowMs: number, zone: Zone): readonly AnyExpression[] {
  const localMs = nowMs + zone.nowMs;
  const ofForms = fields.flatMap((field) =>
    forms.flatMap((form) => {
      const found = new Map<Place, AnyExpression>();
      for (let tries = 0; tries < triesEach && !(found.has("within") && found.has("after")); tries++) {
        const one = clearExpression(expressionOf(random, field, form(random, field), localMs), localMs);
        if (one !== undefined) found.set(placeOf(one, field, localMs), one);
      }
      if (found.has("within") || found.has("later")) found.delete("first");
      if (found.has("within")) found.delete("later");
      return [...found.values()];
    }),
  );
  const time = (): string => `${random.integer(0, 59)} ${random.integer(steadyHour, 23)}`;
  const [short, long] = [random.pick([4, 6, 9, 11]), random.pick([1, 3, 5, 7, 8, 10, 12])];
  const monthEnds = ["29 2", `31 ${short},${long}`, `30,31 2,${long}`, "31 */2"];
  const further = [
    ...monthEnds.map((days) => `${time()} ${days} *`),
    // The lowest value of each field that counts from 0.
    `0 ${random.integer(steadyHour, 23)} * * *`,
    `${random.integer(0, 59)} 0 * * *`,
    `${time()} * * 0`,
    // Long lists of minutes rarely leave the time around now clear.
    `${numbers(random, 0, 59, 9)} ${(new Date(localMs).getUTCHours() + 8) % 24} * * *`,
  ];
  return [...ofForms, ...further.flatMap((at) => clearExpression(at, localMs) ?? [])].filter(
    (one) => isNear(one, nowMs, zone) || new Date(one.localMs).getUTCHours() >= steadyHour,
  );
}

/** The instants that the next time of an expression may be. */
export function expectedInstants(one: AnyExpression, nowMs: number, zone: Zone): ReadonlySet<number> {
  return isNear(one, nowMs, zone)
    ? new Set([one.localMs - zone.nowMs])
    : instantsNear(zone.nowMs, one.localMs);
}

/** Whether the offset of the zone is known until the next time of the expression. */
function isNear({ localMs }: AnyExpression, nowMs: number, zone: Zone): boolean {
  return localMs - zone.nowMs < nowMs + zone.steadyForMs;
}

/** The text in its field, with times of the smaller fields and every value of the larger ones. */
function expressionOf(random: Random, { name }: Field, text: string, localMs: number): string {
  const hour = new Date(localMs).getUTCHours();
  const [minute, steady] = [random.integer(0, 59), random.integer(steadyHour, 23)];
  switch (name) {
    case "minute":
      return `${text} ${hour},${(hour + 8) % 24} * * *`;
    case "hour":
      return `${minute} ${text} * * *`;
    case "day":
      return `${minute} ${steady} ${text} * *`;
    case "month":
      return `${minute} ${steady} ${random.integer(1, 28)} ${text} *`;
    case "dayOfWeek":
      return `${minute} ${steady} * * ${text}`;
  }
}

/** The expression with its next local time, unless that is close or another one for a clock close to the given one. */
function clearExpression(at: string, localMs: number): AnyExpression | undefined {
  const next = nextInstantIn(0, at, localMs - clearMs);
  const isClear =
    next !== undefined && next - localMs > leastAheadMs && next === nextInstantIn(0, at, localMs + clearMs);
  return isClear ? { at, localMs: next, mayBeRejected: /-\d+\//.test(at) } : undefined;
}

/**
 * Place of the next time in the present hour, day, week, month or year of the field: its first element, a later one that
 * is written or is within a range, or after all elements.
 */
type Place = "first" | "later" | "within" | "after";

function placeOf({ at, localMs }: AnyExpression, field: Field, presentMs: number): Place {
  const startMs = periodStart(field, presentMs);
  if (periodStart(field, localMs) !== startMs) return "after";
  if (nextInstantIn(0, at, startMs - 1) === localMs) return "first";
  const written = new Set(at.split(" ")[fields.indexOf(field)]?.match(/\d+/g));
  return written.has(String(valueIn(field, localMs))) ? "later" : "within";
}

function valueIn({ name }: Field, localMs: number): number {
  const date = new Date(localMs);
  return {
    minute: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    dayOfWeek: date.getUTCDay(),
  }[name];
}

/** The beginning of the hour, day, month, year or week whose parts the field counts. */
function periodStart({ name }: Field, localMs: number): number {
  const date = new Date(localMs);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (name) {
    case "minute":
      return Date.UTC(year, month, day, date.getUTCHours());
    case "hour":
      return Date.UTC(year, month, day);
    case "day":
      return Date.UTC(year, month, 1);
    case "month":
      return Date.UTC(year, 0, 1);
    case "dayOfWeek":
      return Date.UTC(year, month, day - date.getUTCDay());
  }
}

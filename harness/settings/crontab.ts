import type { CrontabFields } from "../../interface/resources/reboot.ts";

const fields = ["minute", "hour", "day", "month", "dayOfWeek"] as const;

/** The five fields in the order of a crontab expression. */
export function crontabOf(at: CrontabFields): string {
  return fields.map((field) => at[field]).join(" ");
}

/** A body of Reboot system that restores a schedule that was read; where none was set it disables the scheduler. */
export function scheduleBody({
  at,
  enableScheduler,
}: {
  readonly at?: unknown;
  readonly enableScheduler?: unknown;
}): { at?: string; enableScheduler: boolean } {
  const isEnabled = enableScheduler === true;
  return isComplete(at) ? { at: crontabOf(at), enableScheduler: isEnabled } : { enableScheduler: false };
}

function isComplete(at: unknown): at is CrontabFields {
  const given = new Map<string, unknown>(typeof at === "object" && at !== null ? Object.entries(at) : []);
  return fields.every((field) => {
    const text = given.get(field);
    return typeof text === "string" && /^\S+$/.test(text);
  });
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/** Least and greatest number of each field; a week ends with the day that it begins with. */
const rangeOf = { minute: [0, 59], hour: [0, 23], day: [1, 31], month: [1, 12], dayOfWeek: [0, 7] } as const;
/** Of these two fields one suffices where both name days, so `*` differs from the list of all days. */
const siblingOf: Readonly<Record<string, string>> = { day: "dayOfWeek", dayOfWeek: "day" };

/**
 * The expression, where the shown fields mean the same: a gateway may show a step as a list, a name as a number or a
 * number with a zero before it. Else the fields in their order.
 */
export function crontabShownFor(expression: string, shown: CrontabFields): string {
  const expected = expression.split(" ");
  const pairs = fields.map((field, index) => ({ field, one: expected[index] ?? "", other: shown[field] }));
  const isSame = pairs.every(({ field, one, other }) => {
    const decides = pairs.some((pair) => pair.field === siblingOf[field] && !isEvery(pair));
    return one === other || numbersOf(one, field, decides) === numbersOf(other, field, decides);
  });
  return isSame ? expression : crontabOf(shown);
}

/** The numbers of a field in order; a text that is none stays, and so does `*` where it decides beside another field. */
function numbersOf(text: unknown, field: keyof typeof rangeOf, decides: boolean): unknown {
  if (typeof text !== "string") return text;
  const isStar = text === "*" && decides;
  const [least, most] = rangeOf[field];
  const numbers = text.split(",").flatMap((part) => {
    const [range = "", step = "1"] = part.split("/");
    const [from = Number.NaN, to = from] =
      range === "*" ? [least, most] : range.split("-").map((end) => numberOf(end, field));
    const last = part.includes("/") && !/[-*]/.test(range) ? most : to;
    const count = Math.floor((last - from) / Number(step)) + 1;
    return count > 0 && count <= 60
      ? Array.from({ length: count }, (_, index) => from + index * Number(step))
      : [Number.NaN];
  });
  if (isStar || numbers.some((number) => !Number.isInteger(number))) return text;
  const named = numbers.map((number) => (field === "dayOfWeek" ? number % 7 : number));
  return [...new Set(named)].toSorted((one, other) => one - other).join(",");
}

function isEvery({ field, one, other }: Record<"one" | "other", unknown> & { field: keyof typeof rangeOf }) {
  const every = numbersOf("*", field, false);
  return numbersOf(one, field, false) === every && numbersOf(other, field, false) === every;
}

function numberOf(text: string, field: keyof typeof rangeOf): number {
  const names = field === "month" ? months : field === "dayOfWeek" ? days : [];
  const place = names.indexOf(text.slice(0, 3).toLowerCase());
  if (place !== -1) return field === "month" ? place + 1 : place;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

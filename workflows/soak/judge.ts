// The verdicts of a soak, from its course.
import type { SoakFinding, SoakRecord } from "../../record/index.ts";
import { type Course, operationSeries, tagCalls } from "./course.ts";
import { judgeQuantities, type Quantity, type TrendRules } from "./quantity.ts";

/** Chance that any trend of a family of an unchanged gateway is reported, thresholds apart. */
const alpha = 0.005;
/** Calls of an operation from which its own answer time is judged. */
const leastIntervals = 10;
/** Connections that a gateway ends between two requests can end one: that many are no failure. */
const tolerableNoAnswers = 3;
const tolerableShare = 0.001;

/** Rises that count: at least so much, and at least this share of the usual value. */
const rules: Readonly<Record<string, Pick<Quantity, "leastChange" | "leastShare" | "isTime">>> = {
  memory: { leastChange: 4, leastShare: 0.01, isTime: false },
  disk: { leastChange: 16, leastShare: 0.1, isTime: false },
  "answer-time": { leastChange: 5, leastShare: 0.05, isTime: true },
  "answer-time-median": { leastChange: 20, leastShare: 0.2, isTime: true },
  "stream-latency-low": { leastChange: 3, leastShare: 0.1, isTime: true },
  "stream-latency": { leastChange: 10, leastShare: 0.2, isTime: true },
  "event-latency": { leastChange: 10, leastShare: 0.3, isTime: true },
};
const operationRule = { leastChange: 0.5, leastShare: 0.2, isTime: true };

export interface SoakJudgement {
  readonly verdict: SoakRecord["verdict"];
  readonly findings: SoakFinding[];
}

/** Judges what was measured so far; the course is settled by it. */
export function judgeSoak(course: Course, trendRules: Omit<TrendRules, "alpha">): SoakJudgement {
  course.settleErrors();
  course.settleUsual();
  const quantities = [...course.series].flatMap(([id, series]): Quantity[] => {
    const own = rules[id];
    if (own !== undefined) return [{ id, series, family: "whole", ...own }];
    if (!id.startsWith(operationSeries) || series.points.length < leastIntervals) return [];
    return [{ id, series, family: "operation", ...operationRule }];
  });
  const trends = besideMedian(judgeQuantities(quantities, { ...trendRules, alpha }));
  const findings = [
    restarts(course),
    ...(course.countOf("unreachable") > 0 ? [unreachable(course)] : []),
    ...changes(course),
    ...events(course),
    errors(course),
    ...trends.filter(({ id }) => !id.startsWith(operationSeries)),
    ...unmeasured(course),
    ...trends.filter(({ id }) => id.startsWith(operationSeries)),
  ];
  const has = (verdict: SoakFinding["verdict"]): boolean => findings.some((one) => one.verdict === verdict);
  // An operation by itself may be too rare for a verdict; all of them together are judged.
  const isOpen = findings.some(
    ({ id, verdict }) => verdict === "inconclusive" && !id.startsWith(operationSeries),
  );
  return { verdict: has("fail") ? "fail" : isOpen ? "inconclusive" : "pass", findings };
}

/**
 * How fast the fastest changes arrive depends on when they meet the polls of the gateway, which can move slowly: a drift
 * of the gateway shows in the median as well.
 */
function besideMedian(findings: readonly SoakFinding[]): SoakFinding[] {
  const median = findings.find(({ id }) => id === "stream-latency")?.trend;
  return findings.map((one) => {
    const { id, verdict, trend } = one;
    if (id !== "stream-latency-low" || verdict !== "fail" || trend === undefined || median === undefined)
      return one;
    if (median.change >= trend.change / 2) return one;
    const text = `rises by ${trend.change} ms in ${trend.minutes} min, and the median by ${median.change} ms: the polls moved`;
    return { ...one, verdict: "inconclusive", text, needsMinutes: Math.ceil(2 * trend.minutes) };
  });
}

function restarts({ restarts: { ordered, unordered }, soakedSec }: Course): SoakFinding {
  const base = { id: "restarts", title: "Restarts that nobody ordered" };
  if (unordered > 0)
    return {
      ...base,
      verdict: "fail",
      text: `${count(unordered, "restart")} in ${hours(soakedSec)}, besides ${ordered} ordered`,
    };
  return { ...base, verdict: "pass", text: `none in ${hours(soakedSec)}; ${ordered} ordered` };
}

function unreachable(course: Course): SoakFinding {
  const times = course.countOf("unreachable");
  return {
    id: "unreachable",
    title: "Time without an answer",
    verdict: "fail",
    text: `the gateway did not answer for longer than its boot may take: ${count(times, "time")}`,
  };
}

function changes({ changes: { received, lost, repeated, disordered }, series }: Course): SoakFinding[] {
  if (!series.has("change-rate")) return [];
  const base = { id: "changes", title: "Changes on streams" };
  const total = received + lost;
  if (lost + repeated + disordered > 0) {
    const text = `of ${total} changes ${lost} lost, ${repeated} repeated, ${disordered} out of order`;
    return [{ ...base, verdict: "fail", text }];
  }
  if (received === 0) return [{ ...base, verdict: "inconclusive", text: "no change was received" }];
  // Rule of three: without a loss in n, the rate is below 3/n with a confidence of 95 %.
  const bound = Math.floor(received / 3);
  const text = `all ${received} received once and in order: fewer than one in ${bound} is lost, with 95 % confidence`;
  return [{ ...base, verdict: "pass", text }];
}

function events({ events: { created, received, lost, repeated } }: Course): SoakFinding[] {
  if (created === 0) return [];
  const base = { id: "events", title: "Events on the event stream" };
  if (lost + repeated > 0)
    return [{ ...base, verdict: "fail", text: `of ${created} events ${lost} lost, ${repeated} repeated` }];
  return [{ ...base, verdict: "pass", text: `${received} of ${created} events received once, none lost` }];
}

/** A rejection of a valid request, a 5xx, or answers missing more often than connections end by chance. */
function errors({ operations }: Course): SoakFinding {
  const base = { id: "errors", title: "Requests that were not accepted" };
  const calls = [...operations.values()].reduce((sum, one) => sum + one.calls, 0);
  const all = [...operations].flatMap(([operation, one]) =>
    [...one.errors].map(([what, times]) => ({ operation, what, times })),
  );
  // A field device may be out of reach for a moment; then the gateway rejects what needs its answer.
  const tolerable = tolerableShare * calls;
  const silent = all.filter(
    ({ operation, what, times }) =>
      !/^\d+$/.test(what) || (tagCalls.has(operation) && times <= Math.max(tolerableNoAnswers, tolerable)),
  );
  const rejected = all.filter((one) => !silent.includes(one));
  const silentTimes = silent.reduce((sum, { times }) => sum + times, 0);
  const words = (list: typeof all): string =>
    list
      .toSorted((a, b) => b.times - a.times)
      .slice(0, 5)
      .map(({ operation, what, times }) => `${operation} ${what} (${times})`)
      .join(", ");
  if (calls === 0)
    return { ...base, verdict: "inconclusive", text: `no request was accepted: ${words(all)}` };
  if (rejected.length > 0 || silentTimes > Math.max(tolerableNoAnswers, tolerable))
    return { ...base, verdict: "fail", text: `of ${calls} requests: ${words(all)}` };
  const rest = silentTimes === 0 ? "" : `; tolerated: ${words(silent)}`;
  return { ...base, verdict: "pass", text: `none of ${calls}${rest}` };
}

const measurable = [
  ["memory", "Memory of the gateway", "neither the rig nor the mix (`memoryTag`) gives access to it"],
  ["disk", "Disk of the gateway", "neither the rig nor the log configuration gives access to it"],
  ["changes", "Changes on streams", "the rack has no simulated field device with numbers"],
] as const;

function unmeasured(course: Course): SoakFinding[] {
  return measurable.flatMap(([id, title, text]) =>
    course.series.has(id === "changes" ? "change-rate" : id)
      ? []
      : [{ id, title, verdict: "not-measured" as const, text }],
  );
}

function count(times: number, word: string): string {
  return `${times} ${word}${times === 1 ? "" : "s"}`;
}

export function hours(seconds: number): string {
  return seconds < 7200 ? `${Math.round(seconds / 6) / 10} min` : `${Math.round(seconds / 360) / 10} h`;
}

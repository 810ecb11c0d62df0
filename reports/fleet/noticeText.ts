// A notice in words, for chats, e-mails and issues.
import type { Alert, Notice, NoticeGateway } from "../../record/index.ts";
import { clip, counted, oneLine } from "../text/visibleText.ts";
import { causeLine } from "./causeText.ts";
import { listed } from "./fleetText.ts";

const mostAlerts = 20;
const mostNames = 5;
const longestReason = 300;

export function noticeTitle({ alerts, startedAt, source, event, exitCode }: Notice): string {
  if (event === "test") return "rackproof: test of this channel";
  const failing = alerts.filter(({ state, requirements }) => state === "alert" && requirements.length > 0);
  const notRun = alerts.filter(({ state, requirements }) => state === "alert" && requirements.length === 0);
  const ended = alerts.filter(({ state }) => state === "clear");
  const parts = [
    failing.length > 0 && `${listed(requirementsOf(failing), "requirement")} failed on ${namesOf(failing)}`,
    notRun.length > 0 && `${namesOf(notRun)} not run`,
    ended.length > 0 &&
      `${requirementsOf(ended).length > 0 ? listed(requirementsOf(ended), "requirement") : "runs"} good again on ${namesOf(ended)}`,
  ].filter((part) => part !== false);
  const text =
    parts.length === 0
      ? `no alert${exitCode === undefined ? "" : `, exit code ${exitCode}`}`
      : parts.join("; ");
  return `rackproof: ${text} (${oneLine(source)}, night of ${startedAt.slice(0, 10)})`;
}

const requirementsOf = (alerts: readonly Alert[]): string[] => [
  ...new Set(alerts.flatMap((one) => one.requirements)),
];

function namesOf(alerts: readonly Alert[]): string {
  return listed([...new Set(alerts.flatMap(({ gateways }) => gateways.map(({ name }) => name)))], "gateway");
}

/** A line for each alert. */
export function noticeLines({ alerts, open, event }: Notice): string[] {
  if (event === "test") return ["This is a test. No night has ended."];
  const more = alerts.length - mostAlerts;
  return [
    ...alerts.slice(0, mostAlerts).flatMap((one) => [alertLine(one), ...(one.causes ?? []).map(causeLine)]),
    ...(more > 0 ? [`and ${counted(more, "more change")}`] : []),
    `Alerts that last: ${open}`,
  ];
}

function alertLine({ state, requirements, gateways, since, lastGood, reason }: Alert): string {
  const what = requirements.length === 0 ? "gateway" : few(requirements);
  const word = state === "alert" ? (requirements.length === 0 ? "not run" : "failed") : "good again";
  const names = few(gateways.map(({ name }) => name));
  const when = `since ${since.slice(0, 10)}${lastGood === undefined || state === "clear" ? "" : `, last good ${lastGood.slice(0, 10)}`}`;
  const why = reason === undefined ? "" : `: ${clip(oneLine(reason), longestReason)}`;
  return `${word}: ${what} on ${names}${common(gateways)}, ${when}${why}`;
}

function few(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).map(oneLine).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Type and firmware where all gateways have the same. */
function common(gateways: readonly NoticeGateway[]): string {
  const facts: [string, (gateway: NoticeGateway) => string | undefined][] = [
    ["type", ({ labels }) => labels["model"]],
    ["firmware", ({ firmware }) => firmware],
  ];
  const words = facts.flatMap(([what, of]) => {
    const [only, ...others] = new Set(gateways.map(of));
    return only === undefined || others.length > 0 ? [] : [`${what} ${oneLine(only)}`];
  });
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

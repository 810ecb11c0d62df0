// What a case observed of lists and streams.
import { cellId } from "../interface/coverage/cell.ts";
import { eventFilters, farOffset, longStream, pairsOf } from "../interface/coverage/lists.ts";
import type { OperationId } from "../interface/operations/index.ts";
import { requirements } from "../interface/requirements/index.ts";
import { type Call, type CaseView, memberOf, thingsIn } from "./caseView.ts";
import { decides } from "./trace.ts";

/** Created by an operation, and the list that must show it, with the member by which it is found. */
const additions: Readonly<Partial<Record<OperationId, { list: OperationId; key: string }>>> = {
  createRole: { list: "listRoles", key: "name" },
  addUser: { list: "listUsers", key: "name" },
  createEvent: { list: "getEvents", key: "message" },
  createUpgradeJob: { list: "listUpgradeJobs", key: "id" },
  createVirtualTag: { list: "listTags", key: "tagName" },
};

const counting: ReadonlySet<OperationId> = new Set([
  "exportConfiguration",
  "listPermissions",
  "listRoles",
  "listUsers",
  "getEvents",
  "listApps",
  "listJobs",
  "listUpgradeJobs",
]);

export function observeLists({ calls, sight }: CaseView): Set<string> {
  const found = new Set<string>();
  const add = (id: OperationId, aspect: string): void => void found.add(cellId("list", id, aspect));
  const created = new Map<OperationId, Set<string>>();
  for (const call of calls) {
    if (!call.isAccepted) continue;
    const addition = additions[call.operation];
    if (addition !== undefined) {
      const key = call.sent.text(addition.key) ?? memberOf(memberOf(call.body, "data"), addition.key);
      created.set(addition.list, (created.get(addition.list) ?? new Set()).add(String(key)));
    }
    if (!sight.judged.has(call.number)) continue;
    if (counting.has(call.operation) && sight.seesAny(call.number, "count")) add(call.operation, "count");
    const keys = created.get(call.operation);
    const key = Object.values(additions).find(({ list }) => list === call.operation)?.key ?? "";
    if (keys !== undefined && thingsIn(call.body, undefined).some((item) => keys.has(String(item[key]))))
      add(call.operation, "complete");
    if (call.operation === "getEvents")
      eventAspects(call, sight.seesAny(call.number, "total")).forEach((one) => add("getEvents", one));
    if (call.operation === "exportConfiguration")
      sectionAspects(call).forEach((one) => add("exportConfiguration", one));
    if (call.operation === "monitorTags") tagAspects(call).forEach((one) => add("monitorTags", one));
    if (call.operation === "getLog" && call.sent.has("download")) {
      add("getLog", "download");
      if (call.sent.has("appName")) add("getLog", "download:appName");
    }
  }
  return found;
}

function eventAspects({ sent, body }: Call, isTotalSeen: boolean): string[] {
  const used = eventFilters.filter((filter) => sent.words(filter).length > 0);
  if (sent.has("download")) return ["download", ...used.map((filter) => `download:${filter}`)];
  if (sent.has("event")) return [];
  const items = thingsIn(body, undefined);
  const offset = Number(sent.text("offset") ?? 0);
  return [
    ...used.map((filter) => `filter:${filter}`),
    ...used.filter((filter) => sent.words(filter).length > 1).map((filter) => `several:${filter}`),
    ...pairsOf(used).map(([first, second]) => `pairs:${first}+${second}`),
    ...(isTotalSeen ? ["total", ...used.map((filter) => `total:${filter}`)] : []),
    ...(offset >= farOffset && items.length > 0 ? ["far-offset"] : []),
    ...(offset > 0 && items.length === 0 ? ["past-the-end"] : []),
    ...(items.length > 1 ? [`order:${sent.text("order") ?? "time"}/${sent.text("sort") ?? "desc"}`] : []),
  ];
}

function sectionAspects({ sent }: Call): string[] {
  if (sent.text("action") !== "get-profile") return ["download"];
  const select = listIn(sent.text("select"));
  const filter = listIn(sent.text("filter"));
  return [
    ...(select > 0 ? ["filter:select"] : []),
    ...(select > 1 ? ["several:select"] : []),
    ...(filter > 0 ? ["filter:filter"] : []),
    ...(select > 0 && filter > 0 ? ["pairs:select+filter"] : []),
  ];
}

function listIn(text: string | undefined): number {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.length : 0;
  } catch {
    return 0;
  }
}

function tagAspects({ sent }: Call): string[] {
  const tags = sent.words("tags").length;
  return [
    ...(tags > 0 ? ["filter:tags"] : []),
    ...(tags > 1 ? ["several:tags"] : []),
    ...(sent.has("ms") ? ["history"] : []),
  ];
}

const groupOf = new Map<string, string>(requirements.map(({ id, group }) => [id, group]));
const statementOf = new Map<string, string>(requirements.map(({ id, statement }) => [id, statement]));

/** Streams: a check sees one when it was made after the stream was opened, and its requirement is about streams. */
export function observeStreams({ calls, streams, trace }: CaseView): {
  readonly cells: ReadonlySet<string>;
  /** Numbers of the exchanges that opened the streams. */
  readonly opened: readonly number[];
} {
  const found = new Set<string>();
  const numbers: number[] = [];
  const opened = streams.flatMap(({ number, state }) => {
    const call = calls.find((one) => one.number === number);
    return call === undefined || !call.isAccepted ? [] : [{ call, ...state() }];
  });
  for (const { call, count, ended } of opened) {
    const about = trace.checks
      .filter(
        (check) =>
          decides(check) &&
          check.after > call.index &&
          /stream|value|change|compute/i.test(statementOf.get(check.requirement) ?? "") &&
          isOfStreams(groupOf.get(check.requirement), call.operation),
      )
      .map(({ requirement }) => statementOf.get(requirement) ?? "");
    if (about.length === 0) continue;
    numbers.push(call.number);
    const siblings = opened.filter(({ call: other }) => subjectOf(other) === subjectOf(call)).length;
    for (const aspect of streamAspects(call, { count, ended, siblings, about }))
      found.add(cellId("stream", subjectOf(call), aspect));
  }
  return { cells: found, opened: numbers };
}

/** Requirements of the field and of power speak of the tag streams too. */
function isOfStreams(group: string | undefined, operation: OperationId): boolean {
  return operation === "getEvents" ? group === "events" : group !== "events";
}

function subjectOf({ operation, sent }: Call): string {
  return operation === "getEvents"
    ? "getEvents.event"
    : `monitorTags.${sent.has("onChanged") ? "onChanged" : "streamInterval"}`;
}

function streamAspects(
  { sent, operation, exchange }: Call,
  facts: { count: number; ended: boolean; siblings: number; about: readonly string[] },
): string[] {
  const { count, ended, siblings, about } = facts;
  const isAbout = (pattern: RegExp): boolean => about.some((statement) => pattern.test(statement));
  const aspects = [
    ...(count > 0 ? ["values"] : []),
    ...(count >= longStream ? ["long"] : []),
    ...(count > 1 && isAbout(/order|every|once|next|interval/i) ? ["order"] : []),
    ...(ended && isAbout(/\bends?\b|close/i) ? ["end"] : []),
    ...(siblings > 1 ? ["several-clients"] : []),
  ];
  if (operation === "getEvents") {
    const used = eventFilters.filter((filter) => sent.words(filter).length > 0);
    return [
      ...aspects,
      ...used.map((filter) => `filter:${filter}`),
      ...pairsOf(used).map(([first, second]) => `pairs:${first}+${second}`),
    ];
  }
  const tags = sent.words("tags").length;
  const selection = tags === 0 ? "all-tags" : tags === 1 ? "one-tag" : "several-tags";
  return [
    ...aspects,
    ...(count > 0 ? [selection] : []),
    ...(sent.has("compute") && count > 0 ? ["compute"] : []),
    ...(/[?&]onChanged(&|$)/.test(exchange.request.url) && count > 0 ? ["bare-flag"] : []),
  ];
}

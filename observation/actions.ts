// Which actions a case requested in which state, and who called.
import { type Caller, callerNames, callers } from "../interface/coverage/calls.ts";
import { cellId } from "../interface/coverage/cell.ts";
import { operation } from "../interface/operations/index.ts";
import { type Call, type CaseView, memberOf, thingsIn } from "./caseView.ts";
import { statementOf } from "./sight.ts";
import { type CaseTrace, decides } from "./trace.ts";

const serviceGroups = ["cloudConnectivity", "network", "protocol", "provisionService", "service"] as const;

/** A later check of a requirement that names the action sees its effect, such as data that no longer flow. */
function isNamedLater({ checks }: CaseTrace, { index, operation: id }: Call, action: string): boolean {
  const { group } = operation(id);
  return checks.some((check) => {
    const statement = statementOf(check.requirement);
    return (
      decides(check) && check.after > index && statement?.group === group && statement.text.includes(action)
    );
  });
}

export function observeActions({ calls, sight, trace }: CaseView): Set<string> {
  const found = new Set<string>();
  const jobs = new Map<string, string>();
  const apps = new Map<string, string>();
  const services = new Map<string, boolean>();
  /** Cells of actions whose effect a later reading shows. */
  let pending: { cell: string; reads: ReadonlySet<string>; key: string }[] = [];
  const act = (call: Call, cell: string, reads: readonly string[], key: string): void => {
    const action = cell.slice(cell.lastIndexOf("/") + 1);
    if (sight.judged.has(call.number) || isNamedLater(trace, call, action)) found.add(cell);
    else pending.push({ cell, reads: new Set(reads), key });
  };
  for (const call of calls) {
    const { operation: called, sent } = call;
    if (called === "operateUpgradeJob") {
      const state = jobs.get(sent.text("id") ?? "");
      if (state !== undefined)
        act(
          call,
          cellId("action", `upgrade-job/${state}`, sent.text("action") ?? ""),
          ["getUpgradeJob", "listUpgradeJobs"],
          "state",
        );
    } else if (called === "operateApp") {
      const state = apps.get(sent.text("appname") ?? "");
      if (state !== undefined)
        act(
          call,
          cellId("action", `app/${state}`, sent.text("action") ?? ""),
          ["getApp", "listApps"],
          "state",
        );
    } else if (called === "enableService" || called === "disableService") {
      const id = sent.text("id") ?? "";
      const isEnabled = services.get(id);
      if (isEnabled !== undefined)
        act(
          call,
          cellId(
            "action",
            `service:${id}/${isEnabled ? "enabled" : "disabled"}`,
            called === "enableService" ? "enable" : "disable",
          ),
          ["listServices"],
          "enable",
        );
    }
    if (sight.judged.has(call.number)) {
      const isShown = ({ reads, key }: (typeof pending)[number]): boolean =>
        reads.has(called) && serviceAwareSees(call, key);
      for (const one of pending.filter(isShown)) found.add(one.cell);
      pending = pending.filter((one) => !isShown(one));
    }
    if (call.isAccepted) remember(call);
  }
  return found;

  function serviceAwareSees(call: Call, key: string): boolean {
    return (
      sight.seesAny(call.number, key) ||
      serviceGroups.some((group) => sight.seesAny(call.number, `${group}.${key}`))
    );
  }

  function remember({ operation, body, sent }: Call): void {
    if (/UpgradeJob/.test(operation))
      for (const job of thingsIn(body, undefined)) jobs.set(String(job["id"]), String(job["state"]));
    if (operation === "listApps" || operation === "getApp" || operation === "operateApp")
      for (const app of thingsIn(body, undefined))
        for (const name of [app["id"], app["name"]]) apps.set(String(name), String(app["state"]));
    if (operation === "listServices")
      for (const group of serviceGroups)
        for (const one of thingsIn(body, group)) services.set(String(one["id"]), one["enable"] === true);
    if (operation === "enableService" || operation === "disableService") {
      const enable = memberOf(memberOf(body, "data"), "enable");
      if (typeof enable === "boolean") services.set(sent.text("id") ?? "", enable);
    }
  }
}

export function observeCallers({ calls, sight }: CaseView): Set<string> {
  const found = new Set<string>();
  for (const call of calls) {
    if (!sight.judged.has(call.number)) continue;
    if (call.session === "admin" && call.isAccepted)
      found.add(cellId("call", call.operation, "caller:administrator"));
    if (call.session === "anonymous" && (call.operation === "signIn" || !call.isAccepted))
      found.add(cellId("call", call.operation, "caller:anonymous"));
    const judgedBy = sight.requirementsOf.get(call.number) ?? new Set<string>();
    for (const name of callerNames) {
      if (!tells(name).some((requirement) => judgedBy.has(requirement))) continue;
      found.add(cellId("call", call.operation, `caller:${name}`));
      found.add(cellId("call", "any", `caller:${name}`));
    }
  }
  return found;
}

function tells(name: Caller): readonly string[] {
  return callers[name];
}

// One harmless call per operation and the members that may be replaced. Members that could make a gateway reboot, reset,
// install, move its listeners or delete logs are fixed, or replaced by nonsense only.
import type { AttackTarget, Freedom, StatePart } from "./machinery/target.ts";
import { type CaseContext } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { operation, type OperationId, operationIds } from "../../interface/operations/index.ts";
import type { Facts } from "../authorisation/facts.ts";
import { farFuture, roleReferences } from "../users/accounts.ts";
import type { Callers } from "./callers.ts";
import { canTakeBack, takeBackOf } from "./takeBack.ts";

interface HarmlessCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly freedom?: Readonly<Record<string, Freedom>>;
  /** The caller; default: a user of the case with every permission. */
  readonly as?: "nobody" | "themselves";
}

const nobody = "rp-no-such-thing";
// A file name cannot be restored without its content.
const fileNames = ["caFilename", "certFilename", "keyFilename"];
const unknownId = "2000100003";

/** Every operation that the gateway offers, as an attack target. */
export function attackTargets(
  context: CaseContext,
  facts: Facts,
  callers: Callers,
  parts: readonly StatePart[],
): AttackTarget[] {
  const calls = harmlessCalls(context, facts);
  return operationIds
    .filter((id) => isOffered(context.profile, id))
    .map((id) => {
      const call = calls[id] ?? {};
      // Resources that cannot be removed must not be created: such operations are called without a token.
      const target = toTarget(
        context,
        callers,
        id,
        canTakeBack(context, id) ? call : { ...call, as: "nobody" },
      );
      const sets = parts.find(({ setBy }) => setBy.includes(id));
      return sets === undefined ? target : { ...target, sets };
    });
}

function toTarget(context: CaseContext, callers: Callers, id: OperationId, call: HarmlessCall): AttackTarget {
  const { profile } = context;
  const definition = operation(id);
  const { method = "GET", path: template = "/", permission, media } = profile.binding.get(id) ?? {};
  const isAnonymous = permission === "none" || call.as === "nobody";
  const takesForm = definition.form !== undefined && (media === "form" || definition.json === undefined);
  const takesJson = definition.json !== undefined && media !== "form";
  const takeBack = takeBackOf(context, id);
  return {
    operation: id,
    definition,
    method,
    template,
    path: call.path ?? {},
    query: call.query ?? {},
    ...(takesJson ? { json: call.json ?? {} } : {}),
    ...(takesForm ? { form: call.form ?? asFields(call.json ?? {}) } : {}),
    freedom: call.freedom ?? {},
    token: isAnonymous ? undefined : definition.group === "tags" ? profile.tagToken : profile.token,
    callerToken: call.as === "themselves" ? callers.ownToken : callers.token,
    renewCaller: call.as === "themselves" ? callers.renewOwn : callers.renew,
    ...(takeBack === undefined ? {} : { takeBack }),
  };
}

function asFields(json: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

function allNonsense(id: OperationId, ...fixed: readonly string[]): Record<string, Freedom> {
  const { json, form } = operation(id);
  const names = [json, form].flatMap((schema) =>
    Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}),
  );
  return Object.fromEntries(names.map((name) => [name, fixed.includes(name) ? "fixed" : "nonsense"]));
}

function harmlessCalls(context: CaseContext, facts: Facts): Partial<Record<OperationId, HarmlessCall>> {
  const { profile, declares } = context;
  const user = { id: String(facts.target.id) };
  const tag = facts.virtualTag ?? { prvdName: nobody, srcName: nobody, tagName: nobody };
  const tagPath = { provider: tag.prvdName, source: tag.srcName, tag: tag.tagName };
  const unlessDisruptive = (capability: Parameters<typeof declares>[0], call: HarmlessCall): HarmlessCall =>
    declares(capability) ? call : { ...call, as: "nobody" };
  const keepsLogs = {
    enable: "fixed",
    enableTimeToLiveSec: "fixed",
    desiredDiskCacheSizeMB: "nonsense",
    targetDiskName: "nonsense",
    disk: "nonsense",
  } as const;
  return {
    exportConfiguration: { query: { action: "get-profile" } },
    uploadConfiguration: {
      form: { apply: "false", encryption: "false", password: "Rp-nonsense-1!" },
      freedom: { apply: "fixed" },
    },
    applyConfiguration: unlessDisruptive("disruptive-reboot", { path: { filename: nobody } }),
    updateHttpServer: unlessDisruptive("listener-changes", {
      freedom: allNonsense("updateHttpServer", ...fileNames),
    }),
    setHttpServer: unlessDisruptive("listener-changes", {
      form: { httpPort: nobody },
      freedom: allNonsense("setHttpServer", "httpPort"),
    }),
    // A schedule that is set would change the service list later, when no request does.
    setProvision: { json: { ...facts.provision }, freedom: { schedule: "nonsense" } },
    setLog: { json: { ...facts.log }, freedom: keepsLogs },
    setReboot: unlessDisruptive("disruptive-reboot", {
      json: { enableScheduler: false },
      freedom: { enableScheduler: "fixed", now: "fixed", at: "nonsense" },
    }),
    // A gateway that ignored a broken mode would reset itself: called without a token only.
    resetToDefault: {
      query: { mode: nobody, scopes: nobody, sync: "false" },
      freedom: { mode: "fixed", scopes: "fixed", sync: "fixed" },
      as: "nobody",
    },
    enableService: { path: { id: nobody } },
    disableService: { path: { id: nobody } },
    setSsh: { json: { ...facts.ssh } },
    createRole: { json: { name: context.scratch.name("role"), description: "", permissions: [] } },
    getRole: { path: { id: String(facts.role.id) } },
    updateRole: {
      path: { id: String(facts.role.id) },
      json: { name: facts.role.name, description: "", permissions: [] },
    },
    addUser: {
      json: {
        name: context.scratch.name("user"),
        password: "Rp-nonsense-1!",
        isActive: false,
        expiredAfter: farFuture,
        roles: roleReferences(profile, [facts.role.id]),
        email: "rp@example.org",
      },
    },
    getUser: { path: user },
    updateUser: { path: user, json: { email: "rp@example.org" } },
    updateUserPassword: {
      path: user,
      json: { newPassword: facts.target.password, oldPassword: facts.target.password },
    },
    updateCurrentUser: { json: { email: "rp@example.org" }, as: "themselves" },
    updateCurrentUserPassword: { json: { newPassword: "", oldPassword: nobody }, as: "themselves" },
    signIn: { json: { name: facts.target.name, password: facts.target.password } },
    getEvents: { query: { limit: "2" } },
    createEvent: { json: { category: "system", event: "hostile input", origin: "rackproof", message: "" } },
    setEventConfiguration: { json: { ...facts.eventConfiguration }, freedom: keepsLogs },
    updateEventKinds: { json: { events: facts.eventKind === undefined ? [] : [facts.eventKind] } },
    getApp: { path: { appname: facts.appName ?? nobody } },
    operateApp: { path: { appname: nobody, action: "start" } },
    updateUpgradeConfiguration: {
      json: { ...facts.upgrade },
      freedom: { disks: "nonsense", targetDiskName: "nonsense" },
    },
    // Certificates cannot be restored: file names are replaced by nonsense only.
    setUpgradeConfiguration: {
      json: { ...facts.wholeUpgrade },
      freedom: {
        ...allNonsense("setUpgradeConfiguration", ...fileNames),
        retryCount: "free",
        retryInterval: "free",
      },
      ...(facts.wholeUpgrade === undefined ? { as: "nobody" } : {}),
    },
    createUpgradeJob: unlessDisruptive("upgrade-jobs", {
      json: { download: false, install: false },
      freedom: { download: "fixed", install: "fixed", url: "nonsense", at: "nonsense", file: "nonsense" },
    }),
    getUpgradeJob: { path: { id: String(facts.upgradeJobId ?? unknownId) } },
    operateUpgradeJob: {
      path: { id: unknownId, action: "cancel" },
      query: { deleteFileAfterInstallComplete: "false" },
      freedom: { deleteFileAfterInstallComplete: "fixed" },
    },
    monitorTags: { path: { provider: tag.prvdName, source: tag.srcName }, query: { tags: tag.tagName } },
    readTag: { path: tagPath },
    writeTag: { path: tagPath, json: { dataType: "uint8", dataValue: 1 } },
    createVirtualTag: {
      json: { ...tag, tagName: context.scratch.name("tag"), dataType: "uint8", access: "rw" },
    },
    updateVirtualTag: { json: { ...tag, dataType: "uint8", access: "rw" } },
    deleteVirtualTag: {
      json: { prvdName: nobody, srcName: nobody, tagName: nobody },
      freedom: { prvdName: "fixed" },
    },
  };
}

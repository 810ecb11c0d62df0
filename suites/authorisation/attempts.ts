// One call for every operation that needs a sign-in, harmless also when the gateway wrongly accepts it: reads,
// settings written back unchanged, calls on the case's own role, user and tags, and where none of these exists, a name
// or an id that the gateway does not have.
import {
  type CaseContext,
  type InvalidInputs,
  type Profile,
  settingNames,
  type StateDomain,
} from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { farFuture, roleReferences } from "../users/accounts.ts";
import type { Facts } from "./facts.ts";

export interface Attempt {
  readonly operation: OperationId;
  /** Inputs of the call; new names where the call creates something. */
  readonly inputs: () => InvalidInputs;
  /** Inputs for callers who have the permission, where `inputs` would have effects beyond the case. */
  readonly gentle?: () => InvalidInputs;
  /** False where the administrator must not repeat the call for comparison. */
  readonly isComparable: boolean;
  /** True where the inputs are invalid for every caller. */
  readonly isRefusedToAll: boolean;
  /** True for a query that leads to another part of the operation, which may need more than the profile can declare. */
  readonly isOfPart: boolean;
}

/** What the calls write, if only the values read before: no other case may write in between. */
export const attemptedState: readonly StateDomain[] = [
  ...settingNames,
  "accounts",
  "apps",
  "event-catalogue",
  "event-log",
  "services",
  "upgrade-jobs",
  "virtual-tags",
];

const nobody = "rp-no-such-thing";
const unknownId = 2_000_100_003;

/** The calls for all operations that are offered and need a sign-in. `password` is the caller's own. */
export function attempts(context: CaseContext, facts: Facts, password = "No-such-password-1!"): Attempt[] {
  const { profile } = context;
  const inputs = inputsByOperation(context, facts, password);
  const further = furtherQueries(facts);
  return (Object.keys(inputs) as (keyof typeof inputs)[])
    .filter((operation) => needsSignIn(profile, operation))
    .filter((operation) => operation !== "resetToDefault" || context.declares("disruptive-reset"))
    .flatMap((operation) => {
      const gentle = gentleInputs[operation];
      const forms = [inputs[operation], ...(further[operation] ?? []).map(withQuery(inputs[operation]))];
      return forms.map((form, index) => ({
        operation,
        inputs: form,
        isOfPart: index > 0,
        isComparable: !incomparable.has(operation),
        // Without published status codes, a 403 may be about the old password.
        isRefusedToAll:
          operation === "resetToDefault" ||
          (operation === "updateCurrentUserPassword" && !context.declares("published-errors")),
        ...(gentle === undefined ? {} : { gentle }),
      }));
    });
}

/** Whether the gateway offers the operation, to signed-in callers only. */
export function needsSignIn(profile: Profile, operation: OperationId): boolean {
  return isOffered(profile, operation) && profile.binding.get(operation)?.permission !== "none";
}

const withQuery =
  (inputs: () => InvalidInputs) => (query: NonNullable<InvalidInputs["query"]>) => (): InvalidInputs => {
    const { query: plain, ...rest } = inputs();
    return { ...rest, query: { ...plain, ...query } };
  };

/** These would change the administrator's own record, start a process or replace a value that cannot be read back. */
const incomparable: ReadonlySet<OperationId> = new Set([
  "updateCurrentUser",
  "updateCurrentUserPassword",
  "updateHttpServer",
  "setHttpServer",
  "resetToDefault",
  "createUpgradeJob",
  "setUpgradeConfiguration",
]);

/** Queries that lead to other parts of the same operation, which may ask for the caller on their own. */
function furtherQueries({
  appName,
}: Facts): Partial<Record<OperationId, NonNullable<InvalidInputs["query"]>[]>> {
  return {
    exportConfiguration: [{ action: "download", encryption: false }, { action: "download" }],
    getLog: [{ download: true }, ...(appName === undefined ? [] : [{ download: true, appName }])],
    getEvents: [{ download: true }],
    monitorTags: [{ ms: 1000 }],
  };
}

const gentleInputs: Partial<Record<OperationId, () => InvalidInputs>> = {
  updateHttpServer: () => ({ json: { httpPort: nobody } }),
  setHttpServer: () => ({ form: { httpPort: nobody } }),
  createUpgradeJob: () => ({ json: { url: { no: "text" }, download: nobody, install: nobody } }),
  setUpgradeConfiguration: () => ({ json: { retryCount: nobody } }),
  operateApp: () => ({ path: { appname: nobody, action: "start" } }),
  deleteVirtualTag: () => ({ json: { prvdName: nobody, srcName: nobody, tagName: nobody } }),
};

function inputsByOperation(
  { gateway, profile, scratch, declares }: CaseContext,
  facts: Facts,
  password: string,
): Record<Exclude<OperationId, "signIn">, () => InvalidInputs> {
  const { role, target } = facts;
  const none = (): InvalidInputs => ({});
  const json = (body: object | undefined) => (): InvalidInputs => ({ json: body ?? { enable: nobody } });
  const path = (values: Record<string, string | number>) => (): InvalidInputs => ({ path: values });
  const tag = facts.readableTag ?? { prvdName: nobody, srcName: nobody, tagName: nobody };
  const virtual = facts.virtualTag ?? { prvdName: nobody, srcName: nobody, tagName: nobody };
  // A gateway may forbid to give what the caller does not hold.
  const roleBody = { description: "", permissions: [] };
  const samePassword = (same: string): object => ({ newPassword: same, oldPassword: same });
  const isOperable = profile.apps !== undefined && declares("app-operations");
  return {
    exportConfiguration: () => ({ query: { action: "get-profile" } }),
    uploadConfiguration: () => ({
      form: {
        apply: false,
        encryption: false,
        file: { fileName: `${nobody}.tar.gz`, content: facts.configuration ?? Buffer.from(nobody) },
      },
    }),
    applyConfiguration: path({ filename: nobody }),
    getHttpServer: none,
    updateHttpServer: json(declares("listener-changes") ? facts.httpServer : { httpPort: nobody }),
    setHttpServer: () => ({
      form: declares("listener-changes") && facts.httpServer ? { ...facts.httpServer } : { httpPort: nobody },
    }),
    getProvision: none,
    setProvision: json(facts.provision),
    getLog: none,
    setLog: json(facts.log),
    getReboot: none,
    setReboot: json(facts.rebootSchedule),
    getResetCapabilities: none,
    resetToDefault: () => ({ query: { mode: nobody, scopes: [nobody], sync: false } }),
    listServices: none,
    enableService: path({ id: facts.enabledService ?? nobody }),
    disableService: path({ id: facts.disabledService ?? nobody }),
    getSsh: none,
    setSsh: json(facts.ssh),
    listPermissions: none,
    listRoles: none,
    createRole: () => ({ json: { name: scratch.name("role"), ...roleBody } }),
    getRole: path({ id: role.id }),
    updateRole: () => ({ path: { id: role.id }, json: { name: role.name, ...roleBody } }),
    listUsers: none,
    addUser: () => ({
      json: {
        name: scratch.name("user"),
        password: target.password,
        isActive: false,
        expiredAfter: farFuture,
        roles: roleReferences(profile, [role.id]),
      },
    }),
    getUser: path({ id: target.id }),
    updateUser: () => ({ path: { id: target.id }, json: { email: "target@example.org" } }),
    updateUserPassword: () => ({ path: { id: target.id }, json: samePassword(target.password) }),
    getCurrentUser: none,
    getWebsocketToken: none,
    getEvents: () => ({ query: { limit: 1 } }),
    createEvent: json({
      category: "system",
      event: "authorisation check",
      origin: "rackproof",
      message: "sent by each caller",
    }),
    getEventConfiguration: none,
    setEventConfiguration: json(facts.eventConfiguration),
    getEventCatalogue: none,
    updateEventKinds: json({ events: facts.eventKind === undefined ? nobody : [facts.eventKind] }),
    listApps: none,
    getApp: path({ appname: facts.appName ?? nobody }),
    operateApp: path({
      appname: isOperable ? (profile.apps?.operable ?? nobody) : nobody,
      action: "restart",
    }),
    listJobs: none,
    getUpgradeConfiguration: none,
    updateUpgradeConfiguration: json(facts.upgrade ?? { retryCount: nobody }),
    setUpgradeConfiguration: json(facts.wholeUpgrade ?? { retryCount: nobody }),
    listUpgradeJobs: none,
    // Port 9 (discard) sends no data: the download never completes, and install is false.
    createUpgradeJob: json(
      declares("upgrade-jobs")
        ? { url: `http://${gateway.host.address}:9/${nobody}.bin`, download: true, install: false }
        : { url: { no: "text" }, download: nobody, install: nobody },
    ),
    getUpgradeJob: path({ id: facts.upgradeJobId ?? unknownId }),
    operateUpgradeJob: () => ({
      path: { id: facts.ownJobId ?? unknownId, action: "cancel" },
      query: { deleteFileAfterInstallComplete: false },
    }),
    listTags: none,
    monitorTags: () => ({
      path: { provider: tag.prvdName, source: tag.srcName },
      query: { tags: tag.tagName },
    }),
    readTag: path({ provider: tag.prvdName, source: tag.srcName, tag: tag.tagName }),
    writeTag: () => ({
      path: { provider: virtual.prvdName, source: virtual.srcName, tag: virtual.tagName },
      json: { dataType: "uint8", dataValue: 1 },
    }),
    createVirtualTag: () => ({
      json: { ...virtual, tagName: scratch.name("tag"), dataType: "uint8", access: "rw" },
    }),
    updateVirtualTag: () => ({ json: { ...virtual, dataType: "uint8", access: "rw" } }),
    deleteVirtualTag: json(facts.doomedTag ?? virtual),
    // Harmless also on a gateway that confuses the caller with the administrator.
    updateCurrentUser: json({ isActive: true }),
    updateCurrentUserPassword: json({ newPassword: "", oldPassword: password }),
  };
}

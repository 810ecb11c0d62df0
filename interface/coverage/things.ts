// What a gateway stores: where each thing is shown, what writes it, and what must and must not reset it.
import type { OperationId } from "../operations/index.ts";
import type { ResetScope } from "../resources/reboot.ts";
import type { GroupId } from "../vocabulary/groups.ts";

export interface ThingView {
  readonly operation: OperationId;
  /** Path of the thing in the body, without `data`; default: the body itself. */
  readonly at?: string;
}

export interface CoveredThing {
  readonly name: string;
  readonly group: GroupId;
  /** Readings that show it; the first one is taken for what must stay unchanged. */
  readonly views: readonly ThingView[];
  /** Operations that store members of it; each shows it in its own answer too, unless `echoes` is false. */
  readonly writers: readonly OperationId[];
  readonly echoes?: boolean;
  /** Member that tells several of them apart; absent where a gateway has one. */
  readonly key?: string;
  /** Name of a parameter -> path of the member in which it is shown, where the two differ. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Members that name the thing in a write, which cannot change them, by operation. */
  readonly names?: Readonly<Partial<Record<OperationId, readonly string[]>>>;
  /** Prefix of the members in which the parameters are stored. */
  readonly storedIn?: string;
  /** Members that a write names and that the interface does not say are stored, with the reason. */
  readonly notStored?: Readonly<Record<string, string>>;
  /** Reset scope that the interface names after it. */
  readonly resetScope?: ResetScope;
  /** True for settings: a reset with `all` and an applied configuration concern them. */
  readonly isSetting?: boolean;
  /** Requirement or place that lets its values outlive a reboot. */
  readonly persists?: string;
}

const facts = "a fact about the device; the interface does not say what sending it changes";

export const coveredThings: readonly CoveredThing[] = [
  {
    name: "http-server",
    group: "httpserver",
    views: [{ operation: "getHttpServer" }],
    writers: ["updateHttpServer", "setHttpServer"],
    renamed: { certFilename: "certFileName", keyFilename: "keyFileName" },
    resetScope: "httpserver",
    isSetting: true,
    persists: "Endpoints 2",
  },
  {
    name: "provision",
    group: "provision",
    views: [{ operation: "getProvision" }],
    writers: ["setProvision"],
    resetScope: "provision",
    isSetting: true,
    persists: "CORE-PROVISION: persists across a reboot",
  },
  {
    name: "log",
    group: "log",
    views: [{ operation: "getLog" }],
    writers: ["setLog"],
    isSetting: true,
    persists: "CORE-LOG-28",
  },
  {
    name: "reboot-schedule",
    group: "reboot",
    views: [{ operation: "getReboot" }],
    writers: ["setReboot"],
    resetScope: "reboot",
    isSetting: true,
    persists: "CORE-REBOOT-19",
  },
  {
    name: "ssh",
    group: "services",
    views: [{ operation: "getSsh" }],
    writers: ["setSsh"],
    resetScope: "sshserver",
    isSetting: true,
    persists: "CORE-SERVICE: persists across a reboot",
  },
  {
    name: "role",
    group: "roles",
    views: [{ operation: "getRole" }, { operation: "listRoles" }],
    writers: ["createRole", "updateRole"],
    key: "id",
    persists: "Endpoints 7",
  },
  {
    name: "user",
    group: "users",
    views: [
      { operation: "getUser" },
      { operation: "listUsers" },
      { operation: "getCurrentUser" },
      { operation: "signIn", at: "user" },
    ],
    writers: ["addUser", "updateUser", "updateCurrentUser"],
    key: "id",
    renamed: { roles: "roles.id" },
    persists: "Endpoints 8",
  },
  {
    name: "event",
    group: "events",
    views: [{ operation: "getEvents" }],
    writers: ["createEvent"],
    echoes: false,
    key: "message",
    persists: "Endpoints 10",
  },
  {
    name: "event-configuration",
    group: "events",
    views: [{ operation: "getEventConfiguration" }],
    writers: ["setEventConfiguration"],
    resetScope: "eventlog",
    isSetting: true,
    persists: "Endpoints 10",
  },
  {
    name: "event-kind",
    group: "events",
    views: [{ operation: "getEventCatalogue", at: "events" }],
    writers: ["updateEventKinds"],
    key: "id",
    renamed: { "events.enable": "enable" },
    persists: "Endpoints 10",
  },
  {
    name: "upgrade-configuration",
    group: "upgrade",
    views: [{ operation: "getUpgradeConfiguration" }],
    writers: ["updateUpgradeConfiguration", "setUpgradeConfiguration"],
    renamed: { caFilename: "caName", certFilename: "certFileName", keyFilename: "keyFileName" },
    notStored: { isSnapshotSupported: facts },
    resetScope: "upgrade",
    isSetting: true,
    persists: "Endpoints 12",
  },
  {
    name: "upgrade-job",
    group: "upgrade",
    views: [{ operation: "getUpgradeJob" }, { operation: "listUpgradeJobs" }],
    writers: ["createUpgradeJob"],
    key: "id",
    storedIn: "parameter",
    notStored: {
      "parameter.id": "the interface does not say which upgrades have an id",
      "parameter.at": "the fields of a periodic run are not shown",
    },
    persists: "Endpoints 12",
  },
  {
    name: "tag",
    group: "tags",
    views: [{ operation: "listTags" }],
    writers: ["createVirtualTag", "updateVirtualTag"],
    key: "tagName",
    names: { updateVirtualTag: ["prvdName", "srcName", "tagName"] },
    persists: "Endpoints 13",
  },
  {
    name: "tag-value",
    group: "tags",
    views: [{ operation: "readTag" }, { operation: "monitorTags" }],
    writers: ["writeTag"],
    echoes: false,
    key: "tagName",
  },
];

/** Path of the member in which a parameter of a write is stored. */
export function storedPath(thing: CoveredThing, parameter: string): string {
  const renamed = thing.renamed?.[parameter];
  if (renamed !== undefined) return renamed;
  return thing.storedIn === undefined ? parameter : `${thing.storedIn}.${parameter}`;
}

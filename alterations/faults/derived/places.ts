// Where faults are derived: what a gateway stores, the answers that show it, and the operations that write it.
import { behaviour } from "../../../interface/behaviour/index.ts";
import type { OperationId } from "../../../interface/operations/index.ts";

/** An answer that shows things of a place. */
export interface View {
  readonly operation: OperationId;
  /** Path of the thing, or of the list of things, in the body; empty where the body is the thing. */
  readonly at: string;
  /** Requirement that it shows what is stored. */
  readonly shows: string;
}

/** An operation that stores members of things. */
export interface Writer {
  readonly operation: OperationId;
  /** `part`: the interface states that members that are not sent stay unchanged. */
  readonly does: "create" | "part" | "whole";
  /** Where its own answer shows the thing; absent where it does not. */
  readonly at?: string;
  /** Requirement on its own answer. */
  readonly shows: string;
  /** Path of a stored member -> requirement that it is stored as sent. */
  readonly stores: Readonly<Record<string, string>>;
  /** Requirement that nothing else changes. */
  readonly keeps?: string;
  /** Path of a member -> name of the parameter that sets it, where the two differ. */
  readonly inputs?: Readonly<Record<string, string>>;
}

export interface Place {
  /** Part of ids. */
  readonly name: string;
  /** Part of sentences. */
  readonly noun: string;
  readonly views: readonly View[];
  readonly writers: readonly Writer[];
  /** Members that tell several things apart; empty where a gateway has one. */
  readonly key: readonly string[];
}

/** Stored members with their requirements, from the data about the operation's effect. */
function storesOf(id: OperationId): Readonly<Record<string, string>> {
  return behaviour(id)?.stores ?? {};
}

const sameFor = (requirement: string, ...members: readonly string[]): Record<string, string> =>
  Object.fromEntries(members.map((member) => [member, requirement]));

const upgradeScalars = ["allowOverCellular", "retryCount", "retryInterval", "targetDiskName"] as const;

export const places: readonly Place[] = [
  {
    name: "http-server",
    noun: "the HTTP server configuration",
    key: [],
    views: [{ operation: "getHttpServer", at: "data", shows: "CORE-HTTP-07" }],
    writers: [
      {
        operation: "updateHttpServer",
        does: "part",
        at: "data",
        shows: "CORE-HTTP-08",
        stores: sameFor("CORE-HTTP-13", "certFileName", "keyFileName"),
        keeps: "CORE-HTTP-09",
        inputs: { certFileName: "certFilename", keyFileName: "keyFilename" },
      },
    ],
  },
  {
    name: "provision",
    noun: "the provisioning configuration",
    key: [],
    views: [{ operation: "getProvision", at: "data", shows: "CORE-PROVISION-04" }],
    writers: [
      {
        operation: "setProvision",
        does: "whole",
        at: "data",
        shows: "CORE-PROVISION-05",
        stores: storesOf("setProvision"),
      },
    ],
  },
  {
    name: "log",
    noun: "the log configuration",
    key: [],
    views: [{ operation: "getLog", at: "data", shows: "CORE-LOG-17" }],
    writers: [
      {
        operation: "setLog",
        does: "whole",
        at: "data",
        shows: "CORE-LOG-20",
        stores: { ...storesOf("setLog"), targetDiskName: "CORE-LOG-10" },
      },
    ],
  },
  {
    name: "ssh",
    noun: "the SSH configuration",
    key: [],
    views: [{ operation: "getSsh", at: "data", shows: "CORE-SERVICE-25" }],
    writers: [
      {
        operation: "setSsh",
        does: "whole",
        at: "data",
        shows: "CORE-SERVICE-26",
        stores: storesOf("setSsh"),
      },
    ],
  },
  {
    name: "role",
    noun: "a role",
    key: ["id"],
    views: [
      { operation: "getRole", at: "data", shows: "CORE-ROLE-25" },
      { operation: "listRoles", at: "data", shows: "CORE-ROLE-16" },
    ],
    writers: [
      {
        operation: "createRole",
        does: "create",
        at: "data",
        shows: "CORE-ROLE-17",
        stores: storesOf("createRole"),
        keeps: "CORE-ROLE-20",
      },
      {
        operation: "updateRole",
        does: "whole",
        at: "data",
        shows: "CORE-ROLE-26",
        stores: storesOf("updateRole"),
        keeps: "CORE-ROLE-29",
      },
    ],
  },
  {
    name: "user",
    noun: "a user",
    key: ["id"],
    views: [
      { operation: "getUser", at: "data", shows: "CORE-USER-33" },
      { operation: "listUsers", at: "data", shows: "CORE-USER-16" },
      { operation: "getCurrentUser", at: "data", shows: "CORE-USER-48" },
      { operation: "signIn", at: "data.user", shows: "CORE-AUTH-03" },
    ],
    writers: [
      {
        operation: "addUser",
        does: "create",
        at: "data",
        shows: "CORE-USER-17",
        stores: withoutPassword(storesOf("addUser")),
        keeps: "CORE-USER-23",
      },
      {
        operation: "updateUser",
        does: "whole",
        at: "data",
        shows: "CORE-USER-34",
        stores: storesOf("updateUser"),
        keeps: "CORE-USER-39",
      },
      {
        operation: "updateCurrentUser",
        does: "whole",
        at: "data",
        shows: "CORE-USER-49",
        stores: storesOf("updateCurrentUser"),
        keeps: "CORE-USER-51",
      },
    ],
  },
  {
    name: "event",
    noun: "an event",
    key: ["id"],
    views: [{ operation: "getEvents", at: "data", shows: "CORE-EVENT-32" }],
    writers: [
      {
        operation: "createEvent",
        does: "create",
        shows: "CORE-EVENT-31",
        stores: storesOf("createEvent"),
      },
    ],
  },
  {
    name: "event-configuration",
    noun: "the event configuration",
    key: [],
    views: [{ operation: "getEventConfiguration", at: "data", shows: "CORE-EVENT-47" }],
    writers: [
      {
        operation: "setEventConfiguration",
        does: "whole",
        at: "data",
        shows: "CORE-EVENT-48",
        stores: { ...storesOf("setEventConfiguration"), enable: "CORE-EVENT-48" },
      },
    ],
  },
  {
    name: "event-kind",
    noun: "an event kind",
    key: ["id"],
    views: [{ operation: "getEventCatalogue", at: "data.events", shows: "CORE-EVENT-66" }],
    writers: [
      {
        operation: "updateEventKinds",
        does: "whole",
        at: "data.events",
        shows: "CORE-EVENT-71",
        stores: {},
        keeps: "CORE-EVENT-70",
      },
    ],
  },
  {
    name: "upgrade-configuration",
    noun: "the upgrade configuration",
    key: [],
    views: [{ operation: "getUpgradeConfiguration", at: "data", shows: "CORE-UPGRADE-12" }],
    writers: [
      {
        operation: "updateUpgradeConfiguration",
        does: "part",
        at: "data",
        shows: "CORE-UPGRADE-13",
        stores: { ...storesOf("updateUpgradeConfiguration"), enableClientAuth: "CORE-UPGRADE-72" },
        keeps: "CORE-UPGRADE-20",
      },
      {
        operation: "setUpgradeConfiguration",
        does: "whole",
        at: "data",
        shows: "CORE-UPGRADE-22",
        stores: {
          ...sameFor("CORE-UPGRADE-22", ...upgradeScalars, "enableSnapshot"),
          ...sameFor("CORE-UPGRADE-23", "caName", "certFileName", "keyFileName"),
        },
        inputs: { caName: "caFilename", certFileName: "certFilename", keyFileName: "keyFilename" },
      },
    ],
  },
  {
    name: "upgrade-job",
    noun: "an upgrade job",
    key: ["id"],
    views: [
      { operation: "getUpgradeJob", at: "data", shows: "CORE-UPGRADE-49" },
      { operation: "listUpgradeJobs", at: "data", shows: "CORE-UPGRADE-47" },
    ],
    writers: [
      {
        operation: "createUpgradeJob",
        does: "create",
        at: "data",
        shows: "CORE-UPGRADE-48",
        stores: { ...storesOf("createUpgradeJob"), "parameter.snapshot": "CORE-UPGRADE-53" },
        inputs: Object.fromEntries(
          ["download", "install", "deleteFileAfterInstallComplete", "snapshot"].map((name) => [
            `parameter.${name}`,
            name,
          ]),
        ),
      },
    ],
  },
  {
    name: "tag",
    noun: "a virtual tag",
    key: ["prvdName", "srcName", "tagName"],
    views: [{ operation: "listTags", at: "data", shows: "CORE-TAG-27" }],
    writers: [
      {
        operation: "createVirtualTag",
        does: "create",
        at: "data",
        shows: "CORE-TAG-24",
        stores: { ...storesOf("createVirtualTag"), tagName: "CORE-TAG-27" },
        keeps: "CORE-TAG-27",
      },
      {
        operation: "updateVirtualTag",
        does: "whole",
        at: "data",
        shows: "CORE-TAG-25",
        stores: storesOf("updateVirtualTag"),
      },
    ],
  },
];

function withoutPassword({
  password: _password,
  ...stores
}: Readonly<Record<string, string>>): Record<string, string> {
  return stores;
}

/** The answers of writers, as views. */
export function ownViews(place: Place): View[] {
  return place.writers.flatMap(({ operation, at, shows }) =>
    at === undefined ? [] : [{ operation, at, shows }],
  );
}

/** Requirements that a member is stored as sent, by any writer. */
export function storing(place: Place, member: string): string[] {
  return [
    ...new Set(place.writers.flatMap(({ stores }) => (stores[member] === undefined ? [] : [stores[member]]))),
  ];
}

/** Members that any writer stores. */
export function storedMembers(place: Place): string[] {
  return [...new Set(place.writers.flatMap(({ stores }) => Object.keys(stores)))];
}

export function inputOf(writer: Writer, member: string): string {
  return writer.inputs?.[member] ?? member;
}

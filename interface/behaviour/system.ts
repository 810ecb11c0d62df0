// Effects of the operations of groups 1, 3, 4, 6 and 12 on settings, service switches and upgrade jobs.
import { ConfigurationSectionEntry } from "../resources/configuration.ts";
import { LogConfiguration } from "../resources/log.ts";
import { ProvisionConfiguration } from "../resources/provision.ts";
import { ServiceList, ServiceState, SshConfiguration } from "../resources/services.ts";
import { UpgradeConfiguration, UpgradeJob } from "../resources/upgrade.ts";
import type { Behaviour, Thing } from "./behaviour.ts";

export const systemThings = {
  service: {
    schema: ServiceList.properties.service.items,
    key: "id",
    keyFrom: "interface",
    open: ["available"],
  },
  ssh: { schema: SshConfiguration },
  provision: { schema: ProvisionConfiguration },
  log: { schema: LogConfiguration, open: ["disks"] },
  upgradeConfiguration: { schema: UpgradeConfiguration, open: ["disks"] },
  upgradeJob: {
    schema: UpgradeJob,
    key: "id",
    keyFrom: "gateway",
    open: ["owner", "tasks", "totalTask", "completedTask"],
  },
  section: { schema: ConfigurationSectionEntry, open: [] },
} as const satisfies Partial<Record<string, Thing>>;

/** Whether a service and the setting of the same name switch each other is not stated. */
const settingsOfServices = {
  eventlog: ["eventConfiguration:.enable"],
  provision: ["provision:.enable"],
  provisionschedule: ["provision:.schedule.enable"],
  sshserver: ["ssh:.enable"],
  syslog: ["log:.enable"],
} as const;

const job = [{ at: "/data", kind: "upgradeJob" }] as const;
const provision = [{ at: "/data", kind: "provision" }] as const;
const log = [{ at: "/data", kind: "log" }] as const;
const ssh = [{ at: "/data", kind: "ssh" }] as const;
const upgrade = [{ at: "/data", kind: "upgradeConfiguration" }] as const;
const upgradeSettings = {
  allowOverCellular: "CORE-UPGRADE-14",
  retryCount: "CORE-UPGRADE-15",
  retryInterval: "CORE-UPGRADE-16",
  targetDiskName: "CORE-UPGRADE-17",
  enableSnapshot: "CORE-UPGRADE-18",
} as const;

export const systemBehaviours = {
  exportConfiguration: { kind: "section", does: "show" },
  uploadConfiguration: {
    kind: "section",
    does: "change",
    keeps: "CORE-CONFIG-26",
    keepsEverything: true,
    taken: "CORE-CONFIG-22",
  },
  getProvision: { kind: "provision", does: "show", answers: provision, shows: "CORE-PROVISION-04" },
  setProvision: {
    kind: "provision",
    does: "change",
    answers: provision,
    stores: {
      enable: "CORE-PROVISION-06",
      "schedule.enable": "CORE-PROVISION-07",
      "schedule.disableAfterSec": "CORE-PROVISION-08",
    },
    unsettles: ["service:provision.enable", "service:provisionschedule.enable"],
  },
  getLog: { kind: "log", does: "show", answers: log, shows: "CORE-LOG-17" },
  setLog: {
    kind: "log",
    does: "change",
    answers: log,
    stores: {
      desiredDiskCacheSizeMB: "CORE-LOG-21",
      enable: "CORE-LOG-22",
      enableTimeToLiveSec: "CORE-LOG-23",
      timeToLiveSec: "CORE-LOG-24",
    },
    unsettles: ["service:syslog.enable"],
  },
  listServices: {
    kind: "service",
    does: "list",
    answers: ["cloudConnectivity", "network", "protocol", "provisionService", "service"].map((group) => ({
      at: `/data/${group}`,
      kind: "service",
    })),
    shows: "CORE-SERVICE-17",
    complete: "CORE-SERVICE-11",
  },
  enableService: {
    kind: "service",
    does: "change",
    names: "path/id",
    answers: [{ at: "/data", kind: "service", schema: ServiceState }],
    sets: { enable: [true, "CORE-SERVICE-14"] },
    shows: "CORE-SERVICE-13",
    keeps: "CORE-SERVICE-17",
    unsettlesBySubject: settingsOfServices,
  },
  disableService: {
    kind: "service",
    does: "change",
    names: "path/id",
    answers: [{ at: "/data", kind: "service", schema: ServiceState }],
    sets: { enable: [false, "CORE-SERVICE-16"] },
    shows: "CORE-SERVICE-15",
    keeps: "CORE-SERVICE-17",
    unsettlesBySubject: settingsOfServices,
  },
  getSsh: { kind: "ssh", does: "show", answers: ssh, shows: "CORE-SERVICE-25" },
  setSsh: {
    kind: "ssh",
    does: "change",
    answers: ssh,
    stores: { port: "CORE-SERVICE-27", enable: "CORE-SERVICE-28" },
    unsettles: ["service:sshserver.enable"],
  },
  getUpgradeConfiguration: {
    kind: "upgradeConfiguration",
    does: "show",
    answers: upgrade,
    shows: "CORE-UPGRADE-12",
  },
  updateUpgradeConfiguration: {
    kind: "upgradeConfiguration",
    does: "change",
    answers: upgrade,
    stores: upgradeSettings,
    keeps: "CORE-UPGRADE-20",
    keepsOmitted: true,
    needsSupport: {
      input: "enableSnapshot",
      field: "isSnapshotSupported",
      requirement: "CORE-UPGRADE-19",
    },
  },
  listUpgradeJobs: {
    kind: "upgradeJob",
    does: "list",
    answers: job,
    shows: "CORE-UPGRADE-49",
    complete: "CORE-UPGRADE-66",
    counted: "CORE-UPGRADE-47",
  },
  createUpgradeJob: {
    kind: "upgradeJob",
    does: "create",
    answers: job,
    storesIn: "parameter",
    stores: {
      "parameter.download": "CORE-UPGRADE-51",
      "parameter.install": "CORE-UPGRADE-51",
      "parameter.deleteFileAfterInstallComplete": "CORE-UPGRADE-52",
    },
    defaults: { "parameter.deleteFileAfterInstallComplete": [true, "CORE-UPGRADE-52"] },
    defaultsFrom: {
      "parameter.snapshot": {
        kind: "upgradeConfiguration",
        field: "enableSnapshot",
        requirement: "CORE-UPGRADE-53",
      },
    },
    sets: { state: ["created", "CORE-UPGRADE-54"], lastState: ["", "CORE-UPGRADE-54"] },
    // A gateway may reject a job that requests neither a possible download nor a possible installation.
    taken: false,
  },
  getUpgradeJob: {
    kind: "upgradeJob",
    does: "show",
    names: "path/id",
    answers: job,
    shows: "CORE-UPGRADE-49",
    missing: "CORE-UPGRADE-62",
  },
  operateUpgradeJob: {
    kind: "upgradeJob",
    does: "change",
    names: "path/id",
    answers: job,
    unsettles: ["state", "lastState", "parameter.deleteFileAfterInstallComplete", "completedAt", "isDeleted"],
    keeps: "CORE-UPGRADE-73",
    missing: "CORE-UPGRADE-62",
    // The interface does not show the transitions.
    taken: false,
  },
  deleteUpgradeJob: {
    kind: "upgradeJob",
    does: "change",
    names: "path/id",
    unsettles: ["state", "lastState", "isDeleted", "completedAt"],
    taken: false,
  },
} as const satisfies Record<string, Behaviour>;

/** Rules for export profiles by query, and for the response to an upload. */
export const configurationRules = {
  everything: "CORE-CONFIG-11",
  select: "CORE-CONFIG-12",
  selectSeveral: "CORE-CONFIG-15",
  filter: "CORE-CONFIG-13",
  both: "CORE-CONFIG-14",
  fileSize: "CORE-CONFIG-24",
  noDifference: "CORE-CONFIG-25",
} as const;

// Groups 1 to 6 of "Endpoints": configuration, HTTP server, provisioning, log, reboot and reset, services.
import Type from "typebox";
import { ConfigurationSectionEntry, ConfigurationUploadResult } from "../resources/configuration.ts";
import { HttpServerConfiguration } from "../resources/httpserver.ts";
import { LogConfiguration } from "../resources/log.ts";
import { ProvisionConfiguration } from "../resources/provision.ts";
import {
  CrontabFields,
  RebootSchedule,
  ResetAccepted,
  ResetCapabilities,
  resetModes,
  resetScopes,
} from "../resources/reboot.ts";
import { ServiceList, ServiceState, SshConfiguration, serviceIds } from "../resources/services.ts";
import { Binary, DataOf, field, ListOf } from "../schema/schema.ts";
import type { OperationDefinition } from "./operation.ts";

const serviceSwitchPath = Type.Object({ id: Type.Enum([...serviceIds]) });

export const systemOperations = {
  exportConfiguration: {
    group: "configuration",
    purpose: "Export configurations, or list the sections of an export",
    query: Type.Object({
      action: Type.Enum(["download", "get-profile"]),
      encryption: Type.Optional(Type.Boolean()),
      select: Type.Optional(Type.String({ description: "JSON array of objects such as {app}" })),
      filter: Type.Optional(Type.String({ description: "JSON array of objects such as {labels: [..]}" })),
    }),
    headers: Type.Object({ password: Type.Optional(Type.String()) }),
    answer: field("CORE-CONFIG-09", ListOf(ConfigurationSectionEntry)),
    effect: "read-only",
  },
  uploadConfiguration: {
    group: "configuration",
    purpose: "Upload configurations",
    form: Type.Object({
      file: Binary,
      apply: Type.Optional(Type.Boolean()),
      encryption: Type.Optional(Type.Boolean()),
      password: Type.Optional(Type.String()),
    }),
    answer: field("CORE-CONFIG-36", DataOf(ConfigurationUploadResult)),
    effect: "reversible",
  },
  applyConfiguration: {
    group: "configuration",
    purpose: "Apply an uploaded configuration and reboot",
    path: Type.Object({ filename: Type.String() }),
    answer: field("CORE-CONFIG-37", DataOf(ConfigurationUploadResult)),
    effect: "reboots",
  },
  getHttpServer: {
    group: "httpserver",
    purpose: "Get the HTTP server configuration",
    answer: field("CORE-HTTP-07", DataOf(HttpServerConfiguration)),
    effect: "read-only",
  },
  updateHttpServer: {
    group: "httpserver",
    purpose: "Set the HTTP server configuration partially",
    json: Type.Object({
      cert: Type.Optional(Type.String()),
      certFilename: Type.Optional(Type.String()),
      httpEnable: Type.Optional(Type.Boolean()),
      httpPort: Type.Optional(Type.Integer()),
      httpsEnable: Type.Optional(Type.Boolean()),
      httpsPort: Type.Optional(Type.Integer()),
      key: Type.Optional(Type.String()),
      keyFilename: Type.Optional(Type.String()),
    }),
    answer: field("CORE-HTTP-08", DataOf(HttpServerConfiguration)),
    effect: "reversible",
  },
  setHttpServer: {
    group: "httpserver",
    purpose: "Set the HTTP server configuration",
    form: Type.Object({
      certFile: Type.Optional(Binary),
      keyFile: Type.Optional(Binary),
      httpEnable: Type.Optional(Type.Boolean()),
      httpPort: Type.Optional(Type.Integer()),
      httpsEnable: Type.Optional(Type.Boolean()),
      httpsPort: Type.Optional(Type.Integer()),
    }),
    answer: field("CORE-HTTP-14", DataOf(HttpServerConfiguration)),
    effect: "reversible",
  },
  getProvision: {
    group: "provision",
    purpose: "Get the provisioning configuration",
    answer: field("CORE-PROVISION-04", DataOf(ProvisionConfiguration)),
    effect: "read-only",
  },
  setProvision: {
    group: "provision",
    purpose: "Set the provisioning configuration",
    json: Type.Object({
      enable: Type.Optional(Type.Boolean()),
      schedule: Type.Optional(
        Type.Object({
          enable: Type.Optional(Type.Boolean()),
          disableAfterSec: Type.Optional(Type.Integer()),
        }),
      ),
    }),
    answer: field("CORE-PROVISION-05", DataOf(ProvisionConfiguration)),
    effect: "reversible",
  },
  getLog: {
    group: "log",
    purpose: "Get the log configuration, or download the log",
    query: Type.Object({ download: Type.Optional(Type.Boolean()), appName: Type.Optional(Type.String()) }),
    answer: field("CORE-LOG-17", DataOf(LogConfiguration)),
    effect: "read-only",
  },
  setLog: {
    group: "log",
    purpose: "Set the log configuration",
    json: Type.Object({
      desiredDiskCacheSizeMB: Type.Optional(Type.String()),
      disk: Type.Optional(Type.Any()),
      enable: Type.Optional(Type.Boolean()),
      enableTimeToLiveSec: Type.Optional(Type.Boolean()),
      targetDiskName: Type.Optional(Type.String()),
      timeToLiveSec: Type.Optional(Type.Integer()),
    }),
    answer: field("CORE-LOG-20", DataOf(LogConfiguration)),
    effect: "reversible",
  },
  getReboot: {
    group: "reboot",
    purpose: "Get the reboot schedule",
    answer: field("CORE-REBOOT-09", DataOf(RebootSchedule)),
    effect: "read-only",
  },
  setReboot: {
    group: "reboot",
    purpose: "Reboot the system immediately or on a schedule",
    json: Type.Object({
      at: Type.Optional(Type.Union([Type.String(), CrontabFields])),
      enableScheduler: Type.Optional(Type.Boolean()),
      now: Type.Optional(Type.Boolean()),
    }),
    answer: field("CORE-REBOOT-10", DataOf(RebootSchedule)),
    effect: "reboots",
  },
  getResetCapabilities: {
    group: "reboot",
    purpose: "Get the reset capabilities",
    answer: field("CORE-REBOOT-24", DataOf(ResetCapabilities)),
    effect: "read-only",
  },
  resetToDefault: {
    group: "reboot",
    purpose: "Reset the system to its default configuration",
    query: Type.Object({
      mode: Type.Optional(Type.Enum([...resetModes])),
      sync: Type.Optional(Type.Boolean()),
      scopes: Type.Optional(Type.Array(Type.Enum([...resetScopes]))),
    }),
    answer: field("CORE-REBOOT-25", DataOf(ResetAccepted)),
    effect: "resets",
  },
  listServices: {
    group: "services",
    purpose: "List the system services",
    answer: field("CORE-SERVICE-10", DataOf(ServiceList)),
    effect: "read-only",
  },
  enableService: {
    group: "services",
    purpose: "Enable a system service",
    path: serviceSwitchPath,
    answer: field("CORE-SERVICE-12", DataOf(ServiceState)),
    effect: "reversible",
  },
  disableService: {
    group: "services",
    purpose: "Disable a system service",
    path: serviceSwitchPath,
    answer: field("CORE-SERVICE-29", DataOf(ServiceState)),
    effect: "reversible",
  },
  getSsh: {
    group: "services",
    purpose: "Get the SSH configuration",
    answer: field("CORE-SERVICE-25", DataOf(SshConfiguration)),
    effect: "read-only",
  },
  setSsh: {
    group: "services",
    purpose: "Set the SSH configuration",
    json: Type.Object({ enable: Type.Boolean(), port: Type.Integer() }),
    answer: field("CORE-SERVICE-26", DataOf(SshConfiguration)),
    effect: "reversible",
  },
} as const satisfies Record<string, OperationDefinition>;

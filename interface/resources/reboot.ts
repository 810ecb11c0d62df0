import Type, { type Static } from "typebox";
import { field, Timestamp } from "../schema/schema.ts";

export const CrontabFields = Type.Object({
  minute: field("CORE-REBOOT-01", Type.String()),
  hour: field("CORE-REBOOT-02", Type.String()),
  day: field("CORE-REBOOT-03", Type.String()),
  month: field("CORE-REBOOT-04", Type.String()),
  dayOfWeek: field("CORE-REBOOT-05", Type.String()),
});
export type CrontabFields = Static<typeof CrontabFields>;

export const RebootSchedule = Type.Object({
  at: CrontabFields,
  enableScheduler: field("CORE-REBOOT-06", Type.Boolean()),
  lastBootAt: field("CORE-REBOOT-07", Timestamp),
  /** The interface does not state what stands here while no reboot is scheduled. */
  nextTriggerAt: Type.Optional(
    field("CORE-REBOOT-08", Type.Union([Timestamp, Type.Null(), Type.Literal("")])),
  ),
});
export type RebootSchedule = Static<typeof RebootSchedule>;

export const resetModes = ["factory", "system"] as const;
export type ResetMode = (typeof resetModes)[number];

export const resetScopes = [
  "all",
  "account",
  "appdata",
  "discovery",
  "eventlog",
  "httpserver",
  "job",
  "journald",
  "keep-network-setting",
  "provision",
  "reboot",
  "sshserver",
  "serialconsole",
  "upgrade",
] as const;
export type ResetScope = (typeof resetScopes)[number];

const ResetCapability = Type.Object({
  isSupported: field("CORE-REBOOT-21", Type.Boolean()),
  scopes: field("CORE-REBOOT-22", Type.Array(Type.Enum([...resetScopes]))),
});
export const ResetCapabilities = Type.Object({ factory: ResetCapability, system: ResetCapability });
export type ResetCapabilities = Static<typeof ResetCapabilities>;

export const ResetAccepted = Type.Object({ enable: Type.Boolean() });

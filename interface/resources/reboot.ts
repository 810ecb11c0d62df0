import Type, { type Static } from "typebox";
import { Timestamp } from "../schema.ts";

export const CrontabFields = Type.Object({
  minute: Type.String(),
  hour: Type.String(),
  day: Type.String(),
  month: Type.String(),
  dayOfWeek: Type.String(),
});
export type CrontabFields = Static<typeof CrontabFields>;

export const RebootSchedule = Type.Object({
  at: CrontabFields,
  enableScheduler: Type.Boolean(),
  lastBootAt: Timestamp,
  nextTriggerAt: Timestamp,
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
  isSupported: Type.Boolean(),
  scopes: Type.Array(Type.Enum([...resetScopes])),
});
export const ResetCapabilities = Type.Object({ factory: ResetCapability, system: ResetCapability });
export type ResetCapabilities = Static<typeof ResetCapabilities>;

export const ResetAccepted = Type.Object({ enable: Type.Boolean() });

import Type, { type Static } from "typebox";
import { Nullable } from "../schema.ts";

/** Apps whose sections were observed in an export profile; a gateway may have others. */
export const observedConfigurationApps = [
  "system",
  "device",
  "cloud",
  "edge-web",
  "eipscanner",
  "function",
  "modbusmaster",
  "opcuaserver",
  "tagservice",
] as const;

/** Sections observed in an export profile; a gateway may have others. */
export const observedConfigurationSections = [
  "core",
  "cellulars",
  "dhcpservers",
  "discovery",
  "ethernets",
  "firewall",
  "general",
  "gps",
  "iptables",
  "minicards",
  "route",
  "serials",
  "time",
  "wifi",
] as const;

export const ConfigurationSectionEntry = Type.Object({
  app: Type.String(),
  labels: Type.Array(Type.String()),
  section: Type.String(),
});
export type ConfigurationSectionEntry = Static<typeof ConfigurationSectionEntry>;

export const ConfigurationVersion = Type.Object({ model: Type.String(), tpeversion: Type.String() });

export const ConfigurationUploadResult = Type.Object({
  diff: Nullable(Type.Object({ current: ConfigurationVersion, imported: ConfigurationVersion })),
  fileName: Type.String(),
  fileSize: Type.Integer(),
});
export type ConfigurationUploadResult = Static<typeof ConfigurationUploadResult>;

import Type, { type Static } from "typebox";
import { field, Nullable } from "../schema/schema.ts";

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
  app: field("CORE-CONFIG-01", Type.String()),
  labels: field("CORE-CONFIG-02", Type.Array(Type.String())),
  section: field("CORE-CONFIG-03", Type.String()),
});
export type ConfigurationSectionEntry = Static<typeof ConfigurationSectionEntry>;

const ConfigurationVersion = field(
  "CORE-CONFIG-06",
  Type.Object({ model: Type.String(), tpeversion: Type.String() }),
);

export const ConfigurationUploadResult = Type.Object({
  diff: field(
    "CORE-CONFIG-05",
    Nullable(Type.Object({ current: ConfigurationVersion, imported: ConfigurationVersion })),
  ),
  fileName: field("CORE-CONFIG-07", Type.String()),
  fileSize: field("CORE-CONFIG-08", Type.Integer()),
});
export type ConfigurationUploadResult = Static<typeof ConfigurationUploadResult>;

import Type, { type Static } from "typebox";

/** The ids that enable and disable accept (Endpoints 6). */
export const serviceIds = [
  "dhcpserver1",
  "dhcpserver2",
  "httpservice",
  "httpsservice",
  "sshserver",
  "localconsole",
  "lan1",
  "lan2",
  "cloud",
  "modbusmaster",
  "eipscanner",
  "opcuaserver",
  "sdcard",
  "ntp",
  "eventlog",
  "syslog",
  "wifi",
  "cellular",
  "provision",
  "provisionschedule",
  "internetcheckalive",
] as const;
export type ServiceId = (typeof serviceIds)[number];

export const serviceGroups = [
  "cloudConnectivity",
  "network",
  "protocol",
  "provisionService",
  "service",
] as const;
export type ServiceGroup = (typeof serviceGroups)[number];

export const ServiceSwitch = Type.Object({
  available: Type.Boolean(),
  enable: Type.Boolean(),
  id: Type.String(),
});
export type ServiceSwitch = Static<typeof ServiceSwitch>;

export const ServiceList = Type.Object({
  cloudConnectivity: Type.Array(ServiceSwitch),
  network: Type.Array(ServiceSwitch),
  protocol: Type.Array(ServiceSwitch),
  provisionService: Type.Array(ServiceSwitch),
  service: Type.Array(ServiceSwitch),
});
export type ServiceList = Static<typeof ServiceList>;

export const ServiceState = Type.Object({ enable: Type.Boolean() });

export const SshConfiguration = Type.Object({ enable: Type.Boolean(), port: Type.Integer() });
export type SshConfiguration = Static<typeof SshConfiguration>;

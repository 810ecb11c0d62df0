import Type, { type Static } from "typebox";
import { field } from "../schema/schema.ts";

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

export function isServiceId(id: string): id is ServiceId {
  return serviceIds.some((known) => known === id);
}

export const serviceGroups = [
  "cloudConnectivity",
  "network",
  "protocol",
  "provisionService",
  "service",
] as const;
export type ServiceGroup = (typeof serviceGroups)[number];

/** The observed ids by group, in the order of the interface. */
export const observedServices: Readonly<Record<ServiceGroup, readonly ServiceId[]>> = {
  cloudConnectivity: ["cloud"],
  network: ["wifi", "cellular", "lan1", "lan2", "dhcpserver1", "dhcpserver2"],
  protocol: ["modbusmaster", "eipscanner", "opcuaserver"],
  provisionService: ["provision", "provisionschedule"],
  service: [
    "httpservice",
    "httpsservice",
    "ntp",
    "sshserver",
    "localconsole",
    "sdcard",
    "syslog",
    "eventlog",
    "internetcheckalive",
  ],
};

const ServiceSwitch = Type.Object({
  available: field("CORE-SERVICE-01", Type.Boolean()),
  enable: field("CORE-SERVICE-02", Type.Boolean()),
  id: field("CORE-SERVICE-03", Type.String()),
});

export const ServiceList = Type.Object({
  cloudConnectivity: field("CORE-SERVICE-04", Type.Array(ServiceSwitch)),
  network: field("CORE-SERVICE-05", Type.Array(ServiceSwitch)),
  protocol: field("CORE-SERVICE-06", Type.Array(ServiceSwitch)),
  provisionService: field("CORE-SERVICE-07", Type.Array(ServiceSwitch)),
  service: field("CORE-SERVICE-08", Type.Array(ServiceSwitch)),
});
export type ServiceList = Static<typeof ServiceList>;

export const ServiceState = Type.Object({ enable: Type.Boolean() });

export const SshConfiguration = Type.Object({
  enable: field("CORE-SERVICE-23", Type.Boolean()),
  port: field("CORE-SERVICE-24", Type.Integer()),
});
export type SshConfiguration = Static<typeof SshConfiguration>;

import { type ServiceList, serviceGroups } from "../../interface/resources/services.ts";

/** The switches of the five stated groups; further groups are not compared. */
export function allServices(list: ServiceList): ServiceList["service"] {
  return serviceGroups.flatMap((group) => list[group]);
}

/** Whether a setting of its own may switch the service as well: what other cases set would switch it. */
export function isSetting(id: string): boolean {
  return settings.has(id);
}

const settings: ReadonlySet<string> = new Set([
  "sshserver",
  "provision",
  "provisionschedule",
  "eventlog",
  "syslog",
  "httpservice",
  "httpsservice",
]);

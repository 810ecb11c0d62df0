// A harmless call for each capability that shows whether its operations are served.
import type { Answer } from "../transport/answer.ts";
import type { GatewayUnderTest } from "./gatewayUnderTest.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";

type Probe = (gateway: GatewayUnderTest) => Promise<Answer>;

const probes: Partial<Record<CapabilityId, Probe>> = {
  configuration: ({ admin }) => admin.call("exportConfiguration", { query: { action: "get-profile" } }),
  httpserver: ({ admin }) => admin.call("getHttpServer"),
  provision: ({ admin }) => admin.call("getProvision"),
  log: ({ admin }) => admin.call("getLog"),
  reboot: ({ admin }) => admin.call("getReboot"),
  reset: ({ admin }) => admin.call("getResetCapabilities"),
  services: ({ admin }) => admin.call("listServices"),
  ssh: ({ admin }) => admin.call("getSsh"),
  roles: ({ admin }) => admin.call("listRoles"),
  users: ({ admin }) => admin.call("listUsers"),
  events: ({ admin }) => admin.call("getEvents", { query: { limit: 1 } }),
  apps: ({ admin }) => admin.call("listApps"),
  upgrade: ({ admin }) => admin.call("getUpgradeConfiguration"),
  tags: ({ admin }) => admin.call("listTags"),
};

/** Capabilities that a harmless call can detect, with the call. */
export const capabilityProbes = Object.entries(probes) as [CapabilityId, Probe][];

const notServed: ReadonlySet<number> = new Set([404, 405, 501]);

/** Whether the operation exists by this answer, even if it is rejected for this caller. */
export function isServed(answer: Answer): boolean {
  return answer.status !== 0 && !notServed.has(answer.status);
}

// The ICS part of a profile: what a gateway says it offers. A case names the capabilities it needs.

/** Capability, whether a gateway has it when its profile is silent, and what declaring it means. */
export const capabilities = {
  configuration: { default: true, means: "Group 1: export, upload and apply of configurations" },
  httpserver: { default: true, means: "Group 2: HTTP server configuration" },
  provision: { default: true, means: "Group 3: provisioning configuration" },
  log: { default: true, means: "Group 4: log configuration and download" },
  reboot: { default: true, means: "Group 5: reboot schedule, reboot" },
  reset: { default: true, means: "Group 5: reset to default" },
  services: { default: true, means: "Group 6: list and switch system services" },
  ssh: { default: true, means: "Group 6: SSH configuration" },
  roles: { default: true, means: "Group 7: permissions and roles" },
  users: { default: true, means: "Group 8: users" },
  auth: { default: true, means: "Group 9: sign in and websocket token" },
  events: { default: true, means: "Group 10: events" },
  apps: { default: true, means: "Group 11: apps and jobs" },
  upgrade: { default: true, means: "Group 12: upgrade configuration and jobs" },
  tags: { default: true, means: "Group 13: tag service" },
  "factory-reset": { default: true, means: "Reset with mode factory may be carried out on this gateway" },
  "disruptive-reboot": { default: true, means: "The gateway may be rebooted by the suite" },
  "disruptive-reset": { default: true, means: "The gateway may be reset by the suite" },
  "listener-changes": {
    default: true,
    means: "HTTP and HTTPS listeners may be moved and switched by the suite, and change without a reboot",
  },
  "app-operations": { default: true, means: "Apps may be stopped, started and restarted by the suite" },
  "upgrade-jobs": {
    default: true,
    means: "Upgrade jobs may be created; the profile says which package and server",
  },
  "event-stream": { default: true, means: "Get events serves server-sent events" },
  "tag-stream": { default: true, means: "Monitor serves streams" },
  "virtual-tags": { default: true, means: "Virtual tags can be created" },
  "published-errors": {
    default: true,
    means: "Refusals carry the published error object, its codes and their status",
  },
  "published-media-types": {
    default: true,
    means: "Downloads and the stream of events have the published media types",
  },
  websocket: {
    default: false,
    means: "A websocket endpoint exists; the profile says where and how it takes the token",
  },
  "sign-in-lock": {
    default: false,
    means: "Repeated sign-in failures lock the name for a time; the profile says how",
  },
} as const;

export type CapabilityId = keyof typeof capabilities;
export const capabilityIds = Object.keys(capabilities) as CapabilityId[];
/** Capabilities that are a part of another one. */
const partOf: Partial<Record<CapabilityId, CapabilityId>> = {
  "event-stream": "events",
  "tag-stream": "tags",
  "virtual-tags": "tags",
  "upgrade-jobs": "upgrade",
};

/** Capabilities of a gateway: declared, or else by default; without a capability its parts are absent too. */
export function capabilitiesOf(declared: Readonly<Record<string, boolean | undefined>>): Set<CapabilityId> {
  const isPresent = (id: CapabilityId): boolean => {
    const whole = partOf[id];
    return (declared[id] ?? capabilities[id].default) && (whole === undefined || isPresent(whole));
  };
  return new Set(capabilityIds.filter(isPresent));
}

/** Words that say what the suite may do to a gateway, not what the gateway offers; a certificate needs them all. */
export const suitePermissions: readonly CapabilityId[] = [
  "disruptive-reboot",
  "disruptive-reset",
  "factory-reset",
  "listener-changes",
  "app-operations",
  "upgrade-jobs",
];

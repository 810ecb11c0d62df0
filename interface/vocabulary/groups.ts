/** The 13 groups of operations of Core 2.3.0 ("Endpoints") and the conventions that hold for all of them. */
export const groups = {
  general: { code: "GENERAL", title: "Conventions of every operation", place: "Conventions" },
  configuration: { code: "CONFIG", title: "Configuration", place: "Endpoints 1" },
  httpserver: { code: "HTTP", title: "HTTP server", place: "Endpoints 2" },
  provision: { code: "PROVISION", title: "Provisioning", place: "Endpoints 3" },
  log: { code: "LOG", title: "Log", place: "Endpoints 4" },
  reboot: { code: "REBOOT", title: "Reboot and reset", place: "Endpoints 5" },
  services: { code: "SERVICE", title: "System services", place: "Endpoints 6" },
  roles: { code: "ROLE", title: "Permissions and roles", place: "Endpoints 7" },
  users: { code: "USER", title: "Users", place: "Endpoints 8" },
  auth: { code: "AUTH", title: "Sign in and websocket token", place: "Endpoints 9" },
  events: { code: "EVENT", title: "Events", place: "Endpoints 10" },
  apps: { code: "APP", title: "Apps", place: "Endpoints 11" },
  upgrade: { code: "UPGRADE", title: "Upgrade", place: "Endpoints 12" },
  tags: { code: "TAG", title: "Tag service", place: "Endpoints 13" },
} as const;

export type GroupId = keyof typeof groups;

// What a gateway does not have, declares that it does not have, and then really has not.
import type { VariationDefinition } from "./variation.ts";

const groupWords = {
  configuration: "export and upload of configurations",
  httpserver: "the HTTP server's configuration",
  provision: "provisioning",
  log: "the log",
  reboot: "the reboot schedule",
  reset: "reset to default",
  services: "system services",
  ssh: "the SSH configuration",
  roles: "roles",
  users: "users",
  events: "events",
  apps: "apps",
  upgrade: "upgrades",
  tags: "tags",
  "event-stream": "the event stream",
  "tag-stream": "tag streams",
  "virtual-tags": "virtual tags",
  websocket: "the websocket",
  "sign-in-lock": "a lock after failed sign-ins",
  "factory-reset": "a factory reset",
} as const;
export type AbsentCapability = keyof typeof groupWords;

function without<Id extends AbsentCapability>(id: Id): Record<`without-${Id}`, VariationDefinition> {
  const definition: VariationDefinition = {
    differs: `the gateway does not have ${groupWords[id]}`,
    freedom: "the profile declares it: what a gateway does not claim to have is not asked of it",
    profile: { capabilities: { [id]: false } },
  };
  return { [`without-${id}`]: definition } as Record<`without-${Id}`, VariationDefinition>;
}

export const absentVariations = {
  ...without("configuration"),
  ...without("httpserver"),
  ...without("provision"),
  ...without("log"),
  ...without("reboot"),
  ...without("reset"),
  ...without("services"),
  ...without("ssh"),
  ...without("roles"),
  ...without("users"),
  ...without("events"),
  ...without("apps"),
  ...without("upgrade"),
  ...without("tags"),
  ...without("event-stream"),
  ...without("tag-stream"),
  ...without("virtual-tags"),
  ...without("websocket"),
  ...without("sign-in-lock"),
  ...without("factory-reset"),
  "without-extensions": {
    differs: "users, roles, jobs and events cannot be deleted",
    freedom: "the interface has no operation that deletes them",
    profile: { binding: { extensions: [] } },
  },
  "without-snapshots": {
    differs: "snapshots are not supported",
    freedom: "Upgrade configuration: isSnapshotSupported",
  },
  "without-some-operations": {
    differs: "single operations are not there",
    freedom: "the profile declares which",
    profile: {
      binding: {
        operations: {
          setUpgradeConfiguration: { served: false },
          setHttpServer: { served: false },
          listJobs: { served: false },
          updateCurrentUser: { served: false },
          updateVirtualTag: { served: false },
        },
      },
    },
  },
} as const satisfies Readonly<Record<string, VariationDefinition>>;

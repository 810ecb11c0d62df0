import { operation, operationIds, type OperationId } from "../../interface/operations/index.ts";
import type { AbsentCapability } from "../../interface/variations/absent.ts";
import type { Behaviour } from "./behaviour.ts";

const resetOperations: readonly OperationId[] = ["getResetCapabilities", "resetToDefault"];
const sshOperations: readonly OperationId[] = ["getSsh", "setSsh"];

function inGroup(group: string, ...but: readonly OperationId[]): OperationId[] {
  return operationIds.filter((id) => operation(id).group === group && !but.includes(id));
}

/** The operations are not there. */
function notServed(...absent: readonly OperationId[]): Behaviour {
  return { request: ({ id }) => (absent.some((one) => one === id) ? 404 : undefined) };
}

/** A mode of an operation is not there. */
function withoutMode(id: OperationId, ...parameters: readonly string[]): Behaviour {
  return {
    request: (call) => (call.id === id && parameters.some((name) => call.query.has(name)) ? 400 : undefined),
  };
}

const byCapability: Readonly<Record<AbsentCapability, Behaviour>> = {
  configuration: notServed(...inGroup("configuration")),
  httpserver: notServed(...inGroup("httpserver")),
  provision: notServed(...inGroup("provision")),
  log: notServed(...inGroup("log")),
  reboot: notServed(...inGroup("reboot", ...resetOperations)),
  reset: notServed(...resetOperations),
  services: notServed(...inGroup("services", ...sshOperations)),
  ssh: notServed(...sshOperations),
  roles: notServed(...inGroup("roles")),
  users: notServed(...inGroup("users")),
  events: notServed(...inGroup("events")),
  apps: notServed(...inGroup("apps")),
  upgrade: notServed(...inGroup("upgrade")),
  tags: notServed(...inGroup("tags")),
  "event-stream": withoutMode("getEvents", "event"),
  "tag-stream": withoutMode("monitorTags", "streamInterval", "onChanged"),
  "virtual-tags": notServed("createVirtualTag", "updateVirtualTag", "deleteVirtualTag"),
  websocket: { delivery: { hasWebsocket: false } },
  "sign-in-lock": { delivery: { hasSignInLock: false } },
  "factory-reset": {
    ...withoutFactoryReset(),
  },
};

function withoutFactoryReset(): Behaviour {
  return {
    request: ({ id, query }) =>
      id === "resetToDefault" && query.get("mode") === "factory" ? 400 : undefined,
    value(value, { id }, status) {
      if (id !== "getResetCapabilities" || status !== 200) return value;
      const { data } = value as { data: object };
      return { data: { ...data, factory: { isSupported: false, scopes: [] } } };
    },
  };
}

export const absentBehaviours = {
  ...(Object.fromEntries(
    Object.entries(byCapability).map(([id, behaviour]) => [`without-${id}`, behaviour]),
  ) as Record<`without-${AbsentCapability}`, Behaviour>),
  // What the declared binding leaves out is not recognised.
  "without-extensions": {},
  "without-some-operations": {},
  "without-snapshots": { delivery: { isSnapshotSupported: false } },
} satisfies Readonly<Record<string, Behaviour>>;

// Capabilities that a gateway lacks: it declares them absent, and does not serve them.
import { operation, operationIds, type OperationId } from "../../interface/operations/index.ts";
import { isJsonObject } from "../wire/exactJson.ts";
import type { Variation, Variations } from "./variation.ts";

type Install = NonNullable<Variation["install"]>;

const resetOperations: readonly OperationId[] = ["getResetCapabilities", "resetToDefault"];
const sshOperations: readonly OperationId[] = ["getSsh", "setSsh"];

function inGroup(group: string, ...but: readonly OperationId[]): OperationId[] {
  return operationIds.filter((id) => operation(id).group === group && !but.includes(id));
}

/** The operations are rejected with 404. */
function notServed(...absent: readonly OperationId[]): Install {
  return (at) => at.request(({ id }) => (absent.some((one) => one === id) ? 404 : undefined));
}

/** A mode of an operation is rejected with 400. */
function withoutMode(id: OperationId, ...parameters: readonly string[]): Install {
  return (at) =>
    at.request((call) =>
      call.id === id && parameters.some((name) => call.query.has(name)) ? 400 : undefined,
    );
}

const withoutFactoryReset: Install = (at) => {
  at.request(({ id, query }) =>
    id === "resetToDefault" && query.get("mode") === "factory" ? 400 : undefined,
  );
  at.jsonValue((value, { id }, status) => {
    if (id !== "getResetCapabilities" || status !== 200 || !isJsonObject(value)) return value;
    const data = isJsonObject(value["data"]) ? value["data"] : {};
    return { data: { ...data, factory: { isSupported: false, scopes: [] } } };
  });
};

function without<Id extends string>(
  id: Id,
  capability: string,
  install: Install,
): Record<`without-${Id}`, Variation> {
  const definition: Variation = {
    differs: `The gateway does not have ${capability}`,
    freedom: "the profile declares the capability absent",
    profile: { capabilities: { [id]: false } },
    install,
  };
  return { [`without-${id}`]: definition } as Record<`without-${Id}`, Variation>;
}

export const absentVariations = {
  ...without("configuration", "export and upload of configurations", notServed(...inGroup("configuration"))),
  ...without("httpserver", "the HTTP server's configuration", notServed(...inGroup("httpserver"))),
  ...without("provision", "provisioning", notServed(...inGroup("provision"))),
  ...without("log", "the log", notServed(...inGroup("log"))),
  ...without("reboot", "the reboot schedule", notServed(...inGroup("reboot", ...resetOperations))),
  ...without("reset", "reset to default", notServed(...resetOperations)),
  ...without("services", "system services", notServed(...inGroup("services", ...sshOperations))),
  ...without("ssh", "the SSH configuration", notServed(...sshOperations)),
  ...without("roles", "roles", notServed(...inGroup("roles"))),
  ...without("users", "users", notServed(...inGroup("users"))),
  ...without("events", "events", notServed(...inGroup("events"))),
  ...without("apps", "apps", notServed(...inGroup("apps"))),
  ...without("upgrade", "upgrades", notServed(...inGroup("upgrade"))),
  ...without("tags", "tags", notServed(...inGroup("tags"))),
  ...without("event-stream", "the event stream", withoutMode("getEvents", "event")),
  ...without("tag-stream", "tag streams", withoutMode("monitorTags", "streamInterval", "onChanged")),
  ...without(
    "virtual-tags",
    "virtual tags",
    notServed("createVirtualTag", "updateVirtualTag", "deleteVirtualTag"),
  ),
  ...without("websocket", "the websocket", (at) => at.upgradeUrl(() => "/")),
  ...without("sign-in-lock", "a lock after failed sign-ins", (at) =>
    at.options((options) => ({ ...options, failuresToLock: Number.POSITIVE_INFINITY })),
  ),
  ...without("factory-reset", "a factory reset", withoutFactoryReset),
  "without-extensions": {
    differs: "Users, roles, jobs and events cannot be deleted",
    freedom: "the interface has no operation that deletes them",
    profile: { binding: { extensions: [] } },
  },
  "without-snapshots": {
    differs: "Snapshots are not supported",
    freedom: "Upgrade configuration: isSnapshotSupported",
    install: (at) => at.options((options) => ({ ...options, isSnapshotSupported: false })),
  },
  "without-some-operations": {
    differs: "Five single operations are not served",
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
} as const satisfies Variations;

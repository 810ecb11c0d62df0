// Parts of the state that are compared between hostile requests, and the operations that may change each.
import { type CaseContext, type StateDomain, objectOf, readableState } from "../../harness/index.ts";
import { byId, listedUserFacts, roleFacts } from "../users/accounts.ts";
import type { StatePart } from "./machinery/target.ts";
import type { OperationId } from "../../interface/operations/index.ts";

const switches = ["enableService", "disableService"] as const;

interface Movers {
  readonly setBy: readonly OperationId[];
  /** Further operations that may change it, such as the service of the same name. */
  readonly also?: readonly OperationId[];
}

const movers: Partial<Record<StateDomain, Movers>> = {
  ssh: { setBy: ["setSsh"], also: switches },
  provision: { setBy: ["setProvision"], also: switches },
  log: { setBy: ["setLog"], also: switches },
  "event-configuration": { setBy: ["setEventConfiguration"], also: switches },
  "event-catalogue": { setBy: ["updateEventKinds"] },
  "upgrade-configuration": { setBy: ["updateUpgradeConfiguration", "setUpgradeConfiguration"] },
  services: {
    setBy: switches,
    also: [
      "setSsh",
      "setProvision",
      "setLog",
      "setEventConfiguration",
      "updateHttpServer",
      "setHttpServer",
      "operateApp",
    ],
  },
  "reboot-schedule": { setBy: ["setReboot"] },
  "http-server": { setBy: ["updateHttpServer", "setHttpServer"], also: switches },
};

export const hostileDomains = Object.keys(movers) as StateDomain[];

/** All parts that the harness can read. `callerToken` belongs to the sender of the requests. */
export async function stateParts(context: CaseContext, callerToken: () => string): Promise<StatePart[]> {
  const { gateway, profile, declares } = context;
  const baseUrl = gateway.currentBaseUrl();
  const settings = hostileDomains.flatMap((domain): StatePart[] => {
    const state = readableState(domain);
    const { setBy = [], also = [] } = movers[domain] ?? {};
    if (state === undefined) return [];
    const { restore } = state;
    return [
      {
        name: domain.replaceAll("-", " "),
        read: () => state.read(gateway),
        ...(typeof restore === "function"
          ? { restore: (reading) => restore({ gateway, profile, baseUrl }, objectOf(reading) ?? {}) }
          : {}),
        setBy,
        movedBy: new Set([...setBy, ...also]),
      },
    ];
  });
  const others: StatePart[] = [
    await accountsPart(context),
    {
      name: "session of the caller",
      read: async () => (await gateway.withToken(callerToken(), "caller").call("getCurrentUser")).status,
      setBy: [],
      movedBy: new Set(),
    },
  ];
  return [...settings, ...others, ...(declares("virtual-tags") ? [await tagPart(context)] : [])];
}

/** Users and roles that existed before, without the targets of the requests. */
async function accountsPart({ gateway, scratch }: CaseContext): Promise<StatePart> {
  const witness = await scratch.user();
  const { admin } = gateway;
  const isKept = ({ id, name }: { id: number; name: string }): boolean =>
    id === witness.id || !name.startsWith("rp-");
  const users = (await admin.call("listUsers")).data().filter(isKept);
  const roles = (await admin.call("listRoles")).data();
  const userIds = new Set(users.map((user) => user.id));
  const roleIds = new Set(
    roles.filter((role) => role.id === witness.roleId || !role.name.startsWith("rp-")).map((role) => role.id),
  );
  return {
    name: "users and roles outside the requests",
    async read() {
      const nowUsers = await admin.call("listUsers");
      const nowRoles = await admin.call("listRoles");
      if (!nowUsers.accepted || !nowRoles.accepted) return undefined;
      return {
        users: byId(nowUsers.data().filter((user) => userIds.has(user.id))).map(listedUserFacts),
        roles: byId(nowRoles.data().filter((role) => roleIds.has(role.id))).map((role) =>
          roleFacts({ ...role, users: [] }),
        ),
      };
    },
    setBy: [],
    movedBy: new Set(),
  };
}

/** A virtual tag and its value. */
async function tagPart({ gateway, scratch }: CaseContext): Promise<StatePart> {
  const tag = await scratch.virtualTag({ dataType: "uint16" });
  const { admin } = gateway;
  const json = { dataType: "uint16", dataValue: 4711 } as const;
  (await admin.call("writeTag", { path: tag.path, json })).body();
  return {
    name: "virtual tag outside the requests",
    async read() {
      const answer = await admin.call("readTag", { path: tag.path });
      return answer.accepted ? answer.body().dataValue : undefined;
    },
    setBy: [],
    movedBy: new Set(),
  };
}

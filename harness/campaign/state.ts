// The gateway's settings by domain: taken before a case that changes them, compared and put back after it.
import { isDeepStrictEqual } from "node:util";
import { keepListed } from "../../interface/schema/listedMembers.ts";
import type { Answer } from "../transport/answer.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import type { StateDomain, TestCase } from "../suite/case.ts";
import { scratchPrefix } from "./scratch.ts";

interface DomainReader {
  /** What must be the same after the case as before it; undefined when it cannot be read. */
  read(gateway: GatewayUnderTest): Promise<unknown>;
  /** Puts a reading back; absent where the interface offers no way. */
  restore?(gateway: GatewayUnderTest, reading: never): Promise<unknown>;
}

type JsonObject = Record<string, unknown>;

/** How each domain is read and put back. */
export const domainReaders: Partial<Record<StateDomain, DomainReader>> = {
  ssh: {
    read: async (gateway) => dataOf(await gateway.admin.call("getSsh")),
    restore: (gateway, reading: { enable: boolean; port: number }) =>
      gateway.admin.call("setSsh", { json: reading }),
  },
  provision: {
    read: async (gateway) => dataOf(await gateway.admin.call("getProvision")),
    restore: (gateway, reading: JsonObject) => gateway.admin.call("setProvision", { json: reading }),
  },
  log: {
    read: async (gateway) => without(dataOf(await gateway.admin.call("getLog")), "disks"),
    restore: (gateway, reading: JsonObject) => gateway.admin.call("setLog", { json: withTextSize(reading) }),
  },
  "event-configuration": {
    read: async (gateway) => without(dataOf(await gateway.admin.call("getEventConfiguration")), "disks"),
    restore: (gateway, reading: JsonObject) =>
      gateway.admin.call("setEventConfiguration", { json: withTextSize(reading) }),
  },
  "event-catalogue": {
    read: async (gateway) => {
      const catalogue = dataOf(await gateway.admin.call("getEventCatalogue"));
      const events = catalogue?.["events"];
      return Array.isArray(events)
        ? events.map((kind: JsonObject) => ({ id: kind["id"], enable: kind["enable"] }))
        : undefined;
    },
    restore: (gateway, reading: { id: number; enable: boolean }[]) =>
      gateway.admin.call("updateEventKinds", { json: { events: reading } }),
  },
  "upgrade-configuration": {
    read: async (gateway) =>
      without(
        dataOf(await gateway.admin.call("getUpgradeConfiguration")),
        "disks",
        "caName",
        "certFileName",
        "keyFileName",
      ),
    restore: (gateway, reading: JsonObject) =>
      gateway.admin.call("updateUpgradeConfiguration", { json: reading }),
  },
  services: {
    read: async (gateway) => {
      const groups = dataOf(await gateway.admin.call("listServices"));
      if (groups === undefined) return undefined;
      const all = Object.values(groups).flat() as JsonObject[];
      return Object.fromEntries(all.map((service) => [service["id"], service["enable"]]));
    },
  },
  "reboot-schedule": {
    read: async (gateway) =>
      without(dataOf(await gateway.admin.call("getReboot")), "lastBootAt", "nextTriggerAt"),
  },
  "http-server": {
    read: async (gateway) => dataOf(await gateway.admin.call("getHttpServer")),
  },
  accounts: {
    read: async (gateway) => ({
      users: others(await gateway.admin.call("listUsers"), "loginAt"),
      roles: others(await gateway.admin.call("listRoles"), "users"),
    }),
  },
};

/** What the domains of a case held before it ran. */
export type Snapshot = ReadonlyMap<StateDomain, unknown>;

export async function takeSnapshot(gateway: GatewayUnderTest, testCase: TestCase): Promise<Snapshot> {
  const snapshot = new Map<StateDomain, unknown>();
  for (const domain of testCase.touches) {
    const reading = await domainReaders[domain]?.read(gateway).catch(() => undefined);
    if (reading !== undefined) snapshot.set(domain, reading);
  }
  return snapshot;
}

/** Compares with the snapshot and puts back what differs. Answers one remark per domain that was not as before. */
export async function restore(gateway: GatewayUnderTest, snapshot: Snapshot): Promise<string[]> {
  const remarks: string[] = [];
  for (const [domain, before] of snapshot) {
    const reader = domainReaders[domain];
    if (reader === undefined) continue;
    const after = await reader.read(gateway).catch(() => undefined);
    if (after === undefined || isDeepStrictEqual(after, before)) continue;
    await reader.restore?.(gateway, before as never);
    const again = await reader.read(gateway).catch(() => undefined);
    const mended = isDeepStrictEqual(again, before);
    remarks.push(
      `${domain} was not as before: ${mended ? "put back" : `left changed from ${JSON.stringify(before)} to ${JSON.stringify(again)}`}`,
    );
  }
  return remarks;
}

/** The body without what this gateway shows beyond the interface, which may be another thing each time. */
function listedBody(answer: Answer): { data?: unknown } {
  const { schema } = answer;
  return ((schema === undefined ? answer.json : keepListed(schema, answer.json)) ?? {}) as { data?: unknown };
}

function dataOf(answer: Answer): JsonObject | undefined {
  if (!answer.accepted) return undefined;
  const { data } = listedBody(answer);
  return typeof data === "object" && data !== null ? (data as JsonObject) : undefined;
}

function without(object: JsonObject | undefined, ...names: string[]): JsonObject | undefined {
  if (object === undefined) return undefined;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The request's schema has the size as a string, the answer's as an integer. */
function withTextSize(reading: JsonObject): JsonObject {
  return { ...reading, desiredDiskCacheSizeMB: String(reading["desiredDiskCacheSizeMB"]) };
}

/** The entries that the suite did not make, without what changes by itself. */
function others(answer: Answer, ...names: string[]): unknown {
  const { data } = listedBody(answer);
  if (!answer.accepted || !Array.isArray(data)) return undefined;
  return data
    .filter((entry: JsonObject) => !String(entry["name"]).startsWith(scratchPrefix))
    .map((entry: JsonObject) => without(entry, ...names));
}

// Things that a case creates through the interface and reads again later: after a reboot, or after a reset of scopes
// that do not own them.
import { isDeepStrictEqual } from "node:util";
import { type CaseContext } from "../../harness/index.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { Unmet } from "../../record/index.ts";
import { farMonth } from "./rebootSchedule.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";

export type CreatedKind = "role" | "user" | "virtual tag" | "event" | "upgrade job";

/** One created thing. */
export interface CreatedThing {
  readonly kind: CreatedKind;
  /** What is compared, as a noun phrase. */
  readonly what: string;
  readonly expected: unknown;
  /** The same part as it is now; `absent` when the thing is not listed. */
  readonly read: () => Promise<unknown>;
  /** Absent where the interface shows no operation that deletes it. */
  readonly delete?: () => Promise<unknown>;
}

type Maker = (context: CaseContext) => Promise<Omit<CreatedThing, "kind" | "expected">>;

const makers: Readonly<Record<CreatedKind, Maker>> = {
  async role({ gateway: { admin }, scratch, profile }) {
    const { id } = await scratch.role(profile.permissions.slice(0, 1));
    return {
      what: "name, description and permissions of a created role",
      async read() {
        const listed = (await admin.call("listRoles")).data().find((one) => one.id === id);
        if (listed === undefined) return "absent";
        const { name, description, permissions } = (await admin.call("getRole", { path: { id } })).data();
        return { name, description, permissions: permissions.toSorted() };
      },
    };
  },
  async user({ gateway: { admin }, scratch }) {
    const user = await scratch.user();
    const path = { id: user.id };
    const json = {
      email: "rp.created@example.org",
      expiredAfter: "2093-04-05T06:07:08Z",
      isActive: false,
      roles: [user.roleId],
    };
    (await admin.call("updateUser", { path, json })).body();
    return {
      what: "name, email, expiry, state and roles of an added user",
      async read() {
        const listed = (await admin.call("listUsers")).data().find((one) => one.id === user.id);
        if (listed === undefined) return "absent";
        const { name, email, expiredAfter, isActive, roles } = (await admin.call("getUser", { path })).data();
        return { name, email, expiredAfter, isActive, roles: roles.map(({ id }) => ({ id })) };
      },
    };
  },
  async "virtual tag"({ gateway: { admin }, scratch }) {
    const tag = await scratch.virtualTag({ dataType: "uint64", access: "rw", dataSize: 8, dataUnit: "°C/h" });
    const { provider, source } = tag.path;
    const write = await admin.call("writeTag", {
      path: tag.path,
      json: { dataType: "uint64", dataValue: 2n ** 64n - 1n },
    });
    if (!write.accepted) write.body();
    const { tagName } = tag;
    return {
      what: "list entry of a created virtual tag, and dataType of its value",
      delete: () =>
        admin.call("deleteVirtualTag", { json: { prvdName: provider, srcName: source, tagName } }),
      async read() {
        const found = (await admin.call("listTags"))
          .data()
          .find((one) => one.tagName === tag.tagName && one.prvdName === provider && one.srcName === source);
        if (found === undefined) return "absent";
        const { prvdName, srcName, dataType, dataSize, dataUnit, access } = found;
        // Whether a value outlives a restart is not stated; its type is that of the tag.
        const value = await admin.call("readTag", { path: tag.path });
        const valueType = value.accepted ? value.body().dataType : dataType;
        return { prvdName, srcName, dataType, dataSize, dataUnit, access, valueType };
      },
    };
  },
  async event({ gateway: { admin }, random, clock }) {
    const own = `rp${random.word(8)}`;
    const sent = {
      category: own,
      event: `${own} created`,
      origin: `${own} origin`,
      message: `${own} message`,
      severity: "warning",
      user: `${own} user`,
      userOrigin: "192.0.2.77",
      createdAt: new Date(clock.epochMs() - 60_000).toISOString(),
    } as const;
    (await admin.call("createEvent", { json: sent })).body();
    return {
      what: "log entries of the category of one created entry",
      async read() {
        const page = await admin.call("getEvents", { query: { categories: own } });
        const found = page.listedData().map(({ id: _id, ...record }) => record);
        return found.length === 0 ? "absent" : found;
      },
    };
  },
  async "upgrade job"(context) {
    const { admin, host } = context.gateway;
    const { enableSnapshot, isSnapshotSupported } = (await admin.call("getUpgradeConfiguration")).data();
    // Port 9 discards all input: the download receives no byte, and no installation follows.
    const json = {
      url: `http://${host.address}:9/rackproof.bin`,
      download: true,
      install: false,
      deleteFileAfterInstallComplete: false,
      // Other than the default where snapshots are supported.
      snapshot: isSnapshotSupported && !enableSnapshot,
    };
    const month = String(farMonth(context.clock.epochMs()));
    const at = { minute: "17", hour: "3", day: "11", month, dayOfWeek: "*" };
    // Which upgrade ids and schedules a gateway accepts is not stated.
    let created = await admin.call("createUpgradeJob", { json: { ...json, id: 4711, at } });
    if (!created.accepted) created = await admin.call("createUpgradeJob", { json: { ...json, id: 4711 } });
    if (!created.accepted) created = await admin.call("createUpgradeJob", { json });
    const { id } = created.data();
    if (context.profile.extensions.has("deleteUpgradeJob"))
      context.scratch.undo(`upgrade job ${id}`, () =>
        admin.callExtension("deleteUpgradeJob", { path: { id } }),
      );
    context.scratch.undo(`download of upgrade job ${id}`, () =>
      admin.call("operateUpgradeJob", {
        path: { id, action: "cancel" },
        query: { deleteFileAfterInstallComplete: true },
      }),
    );
    return {
      what: "owner and parameters of a created upgrade job",
      async read() {
        const listed = (await admin.call("listUpgradeJobs")).listedData().find((one) => one.id === id);
        if (listed === undefined) return "absent";
        const { owner, parameter } = (await admin.call("getUpgradeJob", { path: { id } })).listedData();
        return { owner, parameter, listed: listed.parameter };
      },
    };
  },
};

const needs: Readonly<
  Record<CreatedKind, { capability: CapabilityId; operation: Parameters<typeof isOffered>[1] }>
> = {
  role: { capability: "roles", operation: "createRole" },
  user: { capability: "users", operation: "addUser" },
  "virtual tag": { capability: "virtual-tags", operation: "createVirtualTag" },
  event: { capability: "events", operation: "createEvent" },
  "upgrade job": { capability: "upgrade-jobs", operation: "createUpgradeJob" },
};

/**
 * Reads the thing until it is as expected, as long as a service may take to be ready after a restart; returns the last
 * reading.
 */
export async function laterReading(
  { clock, signal, profile }: CaseContext,
  { expected, read }: CreatedThing,
): Promise<unknown> {
  const startedMs = clock.nowMs();
  for (;;) {
    const isOver = clock.nowMs() - startedMs > profile.patience.settleMs;
    const reading = await read().catch((thrown: unknown) => {
      if (!(thrown instanceof Unmet) || isOver) throw thrown;
      return undefined;
    });
    if (isOver || isDeepStrictEqual(reading, expected)) return reading;
    await clock.delay(100, signal);
  }
}

/** Creates those of the kinds that the gateway offers, and reads each once for the comparison. */
export async function createThings(
  context: CaseContext,
  kinds: readonly CreatedKind[],
): Promise<CreatedThing[]> {
  const things: CreatedThing[] = [];
  for (const kind of kinds) {
    const { capability, operation } = needs[kind];
    if (!context.declares(capability) || !isOffered(context.profile, operation)) continue;
    const made = await makers[kind](context);
    // A log may list an entry with a delay.
    const expected = await context.waitFor(
      `a created ${kind} to be listed`,
      async () => {
        const seen = await made.read();
        return seen === "absent" ? undefined : seen;
      },
      { deadlineMs: context.profile.patience.settleMs },
    );
    things.push({ kind, ...made, expected });
  }
  return things;
}

// The states of a gateway that the contract needs, each set up through the interface itself.
import type { GatewayUnderTest, Profile, Scratch } from "../../harness/index.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";

/** Values that the set-up of a state provides for the request, by their name in the contract. */
export type StateValues = Readonly<Record<string, string | number>>;

interface Surroundings {
  readonly gateway: GatewayUnderTest;
  readonly profile: Profile;
  readonly scratch: Scratch;
}

type SetUp = (surroundings: Surroundings) => Promise<StateValues>;

const states = {
  "the administrator is signed in": async ({ gateway }) => {
    // Any call signs in; the contract's requests carry the token.
    await gateway.admin.call("getCurrentUser");
    return { token: gateway.admin.token ?? "" };
  },
  "the administrator's password is known": ({ profile }) =>
    Promise.resolve({ adminName: profile.credentials.name, adminPassword: profile.credentials.password }),
  "a role without users exists": async ({ profile, scratch }) => {
    const { id, name } = await scratch.role(profile.permissions.slice(0, 1));
    return { roleId: id, roleName: name };
  },
  "a user exists": async ({ scratch }) => {
    const { id, name, password, roleId } = await scratch.user();
    return { userId: id, userName: name, userPassword: password, userRoleId: roleId };
  },
  "names for a role and a user are free": ({ scratch }) =>
    Promise.resolve({ freeRoleName: scratch.name("role"), freeUserName: scratch.name("user") }),
  "events are recorded": async ({ gateway, scratch }) => {
    const event = scratch.name("event");
    const json = {
      category: "system",
      event,
      origin: "system",
      severity: "warning" as const,
      message: "contract",
    };
    (await gateway.admin.call("createEvent", { json })).body();
    return { eventName: event };
  },
  "an app is installed": async ({ gateway }) => {
    const apps = (await gateway.admin.call("listApps")).data();
    return { appName: apps[0]?.name ?? "" };
  },
  "a virtual tag has a value": async ({ gateway, scratch }) => {
    const { path } = await scratch.virtualTag({ dataType: "uint16", access: "rw", dataUnit: "mm" });
    (await gateway.admin.call("writeTag", { path, json: { dataType: "uint16", dataValue: 7 } })).summary();
    return { provider: path.provider, source: path.source, tag: path.tag };
  },
  "a read-only virtual tag exists": async ({ scratch }) => {
    const { path } = await scratch.virtualTag({ dataType: "uint16", access: "r" });
    return { provider: path.provider, source: path.source, tag: path.tag };
  },
  "a virtual tag can be deleted": async ({ gateway, profile, scratch }) => {
    const { provider, source } = profile.virtualTags;
    const tag = { prvdName: provider, srcName: source, tagName: scratch.name("tag") };
    (
      await gateway.admin.call("createVirtualTag", { json: { ...tag, dataType: "uint16", access: "rw" } })
    ).body();
    removeQuietly(gateway, scratch, tag);
    return { provider, source, tag: tag.tagName };
  },
  "a name for a virtual tag is free": ({ gateway, profile, scratch }) => {
    const { provider, source } = profile.virtualTags;
    const tagName = scratch.name("tag");
    removeQuietly(gateway, scratch, { prvdName: provider, srcName: source, tagName });
    return Promise.resolve({ provider, source, freeTag: tagName });
  },
  "an upgrade job exists": async ({ gateway, profile, scratch }) => {
    const json = { download: false, install: false, url: "http://127.0.0.1:9/none" };
    const { id } = (await gateway.admin.call("createUpgradeJob", { json })).data();
    if (profile.extensions.has("deleteUpgradeJob"))
      scratch.undo(`upgrade job ${id}`, () =>
        gateway.admin.callExtension("deleteUpgradeJob", { path: { id } }),
      );
    return { jobId: id };
  },
} as const satisfies Readonly<Record<string, SetUp>>;

/** Capabilities without which a state cannot be set up. */
export const stateNeeds: Readonly<Partial<Record<StateName, readonly CapabilityId[]>>> = {
  "a role without users exists": ["roles"],
  "a user exists": ["roles", "users"],
  "events are recorded": ["events"],
  "an app is installed": ["apps"],
  "a virtual tag has a value": ["tags", "virtual-tags"],
  "a read-only virtual tag exists": ["tags", "virtual-tags"],
  "a name for a virtual tag is free": ["tags", "virtual-tags"],
  "a virtual tag can be deleted": ["tags", "virtual-tags"],
  "an upgrade job exists": ["upgrade", "upgrade-jobs"],
};

export type StateName = keyof typeof states;
export const stateNames = Object.keys(states) as StateName[];

export function isStateName(text: string): text is StateName {
  return Object.hasOwn(states, text);
}

/** The interaction may have deleted the tag; a failed deletion is therefore not reported. */
function removeQuietly(
  { admin }: GatewayUnderTest,
  scratch: Scratch,
  json: { prvdName: string; srcName: string; tagName: string },
): void {
  scratch.undo(`virtual tag ${json.tagName}`, async () => {
    await admin.call("deleteVirtualTag", { json });
  });
}

/** Sets the gateway up in the state. Throws Unmet when the gateway rejects a call. */
export function setUp(name: StateName, surroundings: Surroundings): Promise<StateValues> {
  return states[name](surroundings);
}

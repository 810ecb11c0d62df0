// Compares a profile with its gateway, by reading calls only.
import { publishedBinding } from "../../interface/binding.ts";
import { operationIds } from "../../interface/operations/index.ts";
import {
  type Clock,
  GatewayConnection,
  type GatewayUnderTest,
  type Profile,
  capabilityProbes,
  isServed,
} from "../../harness/index.ts";
import { messageOf, NotApplicable } from "../../record/index.ts";
import { lifetimeOf, viewOf } from "./signInProbe.ts";

/** Differences between gateway and profile, a sentence each. */
export async function compareProfile(profile: Profile, url: string, clock: Clock): Promise<string[]> {
  await using connection = new GatewayConnection({ kind: "remote", baseUrl: url }, profile, clock);
  const gateway = viewOf(connection);
  const { name, password } = profile.credentials;
  let token: string;
  try {
    token = (await gateway.signIn(name, password)).token ?? "";
  } catch (thrown) {
    return [messageOf(thrown)];
  }
  return [
    ...(await capabilityDifferences(gateway, profile)),
    ...(await operationDifferences(gateway, profile)),
    ...lifetimeDifferences(token, profile),
    ...(await nameDifferences(gateway, profile)),
  ];
}

async function capabilityDifferences(gateway: GatewayUnderTest, profile: Profile): Promise<string[]> {
  const found: string[] = [];
  for (const [id, probe] of capabilityProbes) {
    try {
      const answer = await probe(gateway);
      const declared = profile.capabilities.has(id);
      if (declared && !isServed(answer)) {
        found.push(`capability ${id} is declared, but ${answer.operation} answered ${answer.summary()}`);
      }
      if (!declared && answer.accepted) {
        found.push(`capability ${id} is not declared, but ${answer.operation} is served`);
      }
    } catch (thrown) {
      if (!(thrown instanceof NotApplicable)) throw thrown;
    }
  }
  return found;
}

/** Operations that only read and need no name. */
async function operationDifferences(gateway: GatewayUnderTest, profile: Profile): Promise<string[]> {
  const found: string[] = [];
  for (const id of operationIds) {
    const binding = profile.binding.get(id);
    const isAskable = publishedBinding[id].method === "GET" && !publishedBinding[id].path.includes("{");
    if (binding?.served !== true || !isAskable || id === "exportConfiguration") continue;
    const answer = await gateway.admin.callInvalid(id);
    if (!isServed(answer)) {
      found.push(
        `operation ${id} is bound to ${binding.method} ${binding.path}, which answered ${answer.summary()}`,
      );
    }
  }
  return found;
}

function lifetimeDifferences(token: string, { tokenLifetimeSec }: Profile): string[] {
  const lifetimeSec = lifetimeOf(token);
  return tokenLifetimeSec === undefined || lifetimeSec === undefined || tokenLifetimeSec === lifetimeSec
    ? []
    : [`tokenLifetimeSec is ${tokenLifetimeSec}, but the token contains ${lifetimeSec}`];
}

/** Names of the profile that the gateway does not list. */
async function nameDifferences(gateway: GatewayUnderTest, profile: Profile): Promise<string[]> {
  const { admin } = gateway;
  const differences: string[] = [];
  const compare = async (
    what: string,
    wanted: readonly string[],
    ask: () => Promise<readonly string[]>,
  ): Promise<void> => {
    if (wanted.length === 0) return;
    try {
      const there = new Set(await ask());
      for (const one of wanted) {
        if (!there.has(one)) differences.push(`${what} names ${one}, which the gateway does not list`);
      }
    } catch (thrown) {
      differences.push(`${what} not compared: ${messageOf(thrown)}`);
    }
  };
  const { apps, liveTags } = profile;
  const appNames = async (): Promise<string[]> =>
    (await admin.call("listApps")).data().map((one) => one.name);
  await compare("apps.operable", apps === undefined ? [] : [apps.operable], appNames);
  await compare("apps.expendable", apps?.expendable === undefined ? [] : [apps.expendable], appNames);
  await compare("switchableServices", profile.switchableServices, async () =>
    Object.values((await admin.call("listServices")).data())
      .flat()
      .map((one) => one.id),
  );
  if (profile.capabilities.has("roles")) {
    await compare("permissions", profile.permissions, async () =>
      (await admin.call("listPermissions")).data().map((one) => one.id),
    );
  }
  const live = liveTags?.tags.map((tag) => `${liveTags.provider}/${liveTags.source}/${tag}`) ?? [];
  await compare("liveTags", live, async () =>
    (await admin.call("listTags")).data().map((one) => `${one.prvdName}/${one.srcName}/${one.tagName}`),
  );
  return differences;
}

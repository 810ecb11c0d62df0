// Reads what a gateway offers: capabilities, operations, extensions, and names for a profile.
import type { App } from "../../interface/resources/apps.ts";
import { isServiceId } from "../../interface/resources/services.ts";
import {
  type ExtensionId,
  extensionIds,
  publishedBinding,
  publishedExtensions,
} from "../../interface/binding.ts";
import { downloadMediaTypes, mediaTypeOf } from "../../interface/mediaTypes.ts";
import { type OperationId, operationIds } from "../../interface/operations/index.ts";
import {
  type Answer,
  CaseScratch,
  type Clock,
  GatewayConnection,
  type GatewayUnderTest,
  type Profile,
  capabilityProbes,
  isServed,
  seededRandom,
} from "../../harness/index.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";
import { askAllowed } from "./allowed.ts";
import type { CapabilityFinding, Findings, Tried } from "./findings.ts";
import { findLiveTags } from "./liveTags.ts";
import { opensWithValue, resetReboots } from "./tryConduct.ts";
import { tryPermissions } from "./tryPermissions.ts";
import { type Credentials, probeSignIn, provisionalProfile, viewOf } from "./signInProbe.ts";
import { messageOf } from "../../record/index.ts";

/** An id that no role is likely to have. */
const unlikelyId = 2_147_483_646;
const removers: readonly ExtensionId[] = ["deleteUser", "deleteRole"];

/**
 * Reads from the gateway at the URL; throws a UsageError when sign-in fails. `isTrying`: also makes users and removes
 * them, and resets the reboot schedule and restores it.
 */
export async function askGateway(
  url: string,
  credentials: Credentials,
  clock: Clock,
  { isTrying = false } = {},
): Promise<Findings> {
  const signIn = await probeSignIn(url, credentials, clock);
  const { pathPrefix, tagPathPrefix, token, tagToken } = signIn;
  const askable = readingExtensions();
  const extensions: ExtensionId[] = [...askable, ...(isTrying ? removers : [])];
  const profile = provisionalProfile(credentials, { pathPrefix, tagPathPrefix, token, tagToken, extensions });
  await using connection = new GatewayConnection({ kind: "remote", baseUrl: url }, profile, clock);
  const gateway = viewOf(connection);
  const capabilities = new Map<CapabilityId, CapabilityFinding>([
    ["auth", { offered: true, why: "sign-in succeeded" }],
  ]);
  for (const [id, probe] of capabilityProbes) capabilities.set(id, fromAnswer(await probe(gateway)));
  const offers = (id: CapabilityId): boolean => capabilities.get(id)?.offered === true;
  const tags = offers("tags") ? await listed(() => gateway.admin.call("listTags")) : [];
  capabilities.set("published-errors", await askErrors(gateway, offers));
  capabilities.set("published-media-types", await askMediaTypes(gateway, offers));
  if (offers("events")) capabilities.set("event-stream", await askEventStream(gateway));
  if (offers("tags")) capabilities.set("tag-stream", await askTagStream(gateway, tags[0]));
  const allowed = await askAllowed(connection, gateway.admin.token ?? "");
  if (allowed.get("createVirtualTag") === true)
    capabilities.set("virtual-tags", { offered: true, why: "OPTIONS names the method" });
  const permissions = offers("roles")
    ? (await listed(() => gateway.admin.call("listPermissions"))).map((one) => one.id)
    : [];
  const tried = isTrying ? await tryChanges(gateway, profile, permissions, clock) : undefined;
  return {
    ...(tried === undefined ? {} : { tried }),
    url,
    userName: credentials.name,
    ...signIn,
    capabilities,
    unserved: await unserved(gateway),
    unnamed: [...allowed].filter(([, isAllowed]) => !isAllowed).map(([id]) => id),
    extensions: await served(askable, gateway),
    permissions,
    services: offers("services") ? await availableServices(gateway) : [],
    apps: offers("apps") ? appNames(await listed(() => gateway.admin.call("listApps"))) : [],
    resetModes: offers("reset") ? await resetModes(gateway) : [],
    tagProviders: [...new Set(tags.map((one) => `${one.prvdName}/${one.srcName}`))],
    liveTags: await findLiveTags(gateway, tags, clock),
  };
}

/** Each part is learned for itself; what was made is removed at the end. */
async function tryChanges(
  gateway: GatewayUnderTest,
  profile: Profile,
  permissions: readonly string[],
  clock: Clock,
): Promise<Tried> {
  const remarks: string[] = [];
  const scratch = new CaseScratch(gateway, profile, seededRandom(1, "profile init"));
  const attempt = async <T>(what: string, learn: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await learn();
    } catch (thrown) {
      remarks.push(`${what} not learned: ${messageOf(thrown)}`);
      return undefined;
    }
  };
  const found = await attempt("permissions", () => tryPermissions(gateway, scratch, permissions));
  const streamOpensWithValue = await attempt("first value of a stream", () =>
    opensWithValue(gateway, scratch, clock),
  );
  await scratch.clean((what, reason) => void remarks.push(`${what} could not be removed: ${reason}`));
  const reset = await resetReboots(gateway, profile, clock);
  return {
    permissions: found?.differing ?? new Map(),
    unknownPermissions: found?.unknown ?? [],
    ...(streamOpensWithValue === undefined ? {} : { streamOpensWithValue }),
    resetReboots: reset.reboots,
    remarks: [...remarks, ...reset.remarks],
  };
}

/** Those that a product hides are the system's own, and come last. */
function appNames(apps: readonly App[]): string[] {
  const isHidden = ({ attributes }: App): number => (attributes.includes("hide") ? 1 : 0);
  return apps.toSorted((a, b) => isHidden(a) - isHidden(b)).map(({ name }) => name);
}

function fromAnswer(answer: Answer): CapabilityFinding {
  const why = `${answer.operation} answered ${answer.status === 0 ? "not" : answer.status}`;
  if (answer.accepted) return { offered: true, why };
  return { offered: answer.status === 0 || isServed(answer) ? undefined : false, why };
}

/** The entries of a list answer; none when the answer does not have its stated shape. */
async function listed<T>(ask: () => Promise<{ data(): readonly T[] }>): Promise<readonly T[]> {
  try {
    return (await ask()).data();
  } catch {
    return [];
  }
}

/** Operations that only read and need no name, and that the gateway reports as absent. */
async function unserved(gateway: GatewayUnderTest): Promise<OperationId[]> {
  const found: OperationId[] = [];
  const probed = new Set<OperationId>(["exportConfiguration", "getEvents"]);
  for (const id of operationIds) {
    const { method, path } = publishedBinding[id];
    if (method !== "GET" || path.includes("{") || probed.has(id)) continue;
    const answer = await gateway.admin.callInvalid(id);
    if (answer.status !== 0 && !isServed(answer)) found.push(id);
  }
  return found;
}

function readingExtensions(): ExtensionId[] {
  return extensionIds.filter((id) => publishedExtensions[id].method === "GET");
}

async function served(ids: readonly ExtensionId[], gateway: GatewayUnderTest): Promise<ExtensionId[]> {
  const found: ExtensionId[] = [];
  for (const id of ids) if ((await gateway.admin.callExtension(id)).accepted) found.push(id);
  return found;
}

/** Asks for rejections of three kinds that change nothing: a gateway may answer only some of them with the object. */
async function askErrors(
  { admin, anonymous }: GatewayUnderTest,
  offers: (id: CapabilityId) => boolean,
): Promise<CapabilityFinding> {
  const answers = [
    await anonymous.call("getCurrentUser"),
    ...(offers("roles") ? [await admin.call("getRole", { path: { id: unlikelyId } })] : []),
    ...(offers("events") ? [await admin.callInvalid("getEvents", { query: { limit: "many" } })] : []),
  ];
  const rejected = answers.filter(({ status }) => status >= 400 && status < 500);
  const other = rejected.find(({ json }) => !hasErrorCode(json));
  return {
    offered: rejected.length === 0 ? undefined : other === undefined,
    why:
      other === undefined
        ? "rejected requests answered an error object with a number as its code"
        : other.summary(),
  };
}

/** Downloads the configuration and the log; the events may be many. */
async function askMediaTypes(
  { admin }: GatewayUnderTest,
  offers: (id: CapabilityId) => boolean,
): Promise<CapabilityFinding> {
  const query = { action: "download", encryption: false } as const;
  const answers = [
    ...(offers("configuration") ? [await admin.call("exportConfiguration", { query })] : []),
    ...(offers("log") ? [await admin.call("getLog", { query: { download: true } })] : []),
  ].filter(({ accepted }) => accepted);
  const other = answers.find(
    ({ headers, operation }) =>
      mediaTypeOf(headers["content-type"]) !== new Map(Object.entries(downloadMediaTypes)).get(operation),
  );
  return {
    offered: answers.length === 0 ? undefined : other === undefined,
    why:
      other === undefined
        ? "downloads have the published media types"
        : `the download of ${other.operation} is ${other.headers["content-type"] ?? "without a media type"}`,
  };
}

function hasErrorCode(body: unknown): boolean {
  const error: unknown =
    typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  return typeof error === "object" && error !== null && "code" in error && Number.isInteger(error.code);
}

async function askEventStream(gateway: GatewayUnderTest): Promise<CapabilityFinding> {
  try {
    await using stream = await gateway.admin.openEventStream();
    return streamFinding(stream.status, stream.contentType, "text/event-stream");
  } catch (thrown) {
    return { offered: undefined, why: messageOf(thrown) };
  }
}

async function askTagStream(
  gateway: GatewayUnderTest,
  tag: { readonly prvdName: string; readonly srcName: string } | undefined,
): Promise<CapabilityFinding> {
  if (tag === undefined) return { offered: undefined, why: "no tag to open a stream with" };
  try {
    await using stream = await gateway.admin.openTagStream(
      { provider: tag.prvdName, source: tag.srcName },
      { streamInterval: 1000 },
    );
    return streamFinding(stream.status, stream.contentType, "");
  } catch (thrown) {
    return { offered: undefined, why: messageOf(thrown) };
  }
}

function streamFinding(status: number, contentType: string, expected: string): CapabilityFinding {
  const isOpen = status >= 200 && status < 300 && contentType.toLowerCase().startsWith(expected);
  return { offered: isOpen, why: `the request of a stream answered ${status} ${contentType}` };
}

async function availableServices(gateway: GatewayUnderTest): Promise<string[]> {
  try {
    const groups = (await gateway.admin.call("listServices")).data();
    return Object.values(groups)
      .flat()
      .filter((one) => one.available && isServiceId(one.id))
      .map((one) => one.id);
  } catch {
    return [];
  }
}

async function resetModes(gateway: GatewayUnderTest): Promise<string[]> {
  try {
    const { factory, system } = (await gateway.admin.call("getResetCapabilities")).data();
    return [...(factory.isSupported ? ["factory"] : []), ...(system.isSupported ? ["system"] : [])];
  } catch {
    return [];
  }
}

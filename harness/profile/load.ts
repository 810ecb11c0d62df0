// Reads a profile from YAML (or JSON) text; errors name line and field.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve as resolvePath } from "node:path";
import { authorisationOf, defaultAuthorisation } from "../../interface/authorisation.ts";
import { isServiceId } from "../../interface/resources/services.ts";
import {
  extensionIds,
  isExtensionId,
  publishedBinding,
  publishedExtensions,
  publishedPathPrefix,
} from "../../interface/binding.ts";
import { isOperationId, operation, operationIds } from "../../interface/operations/index.ts";
import { observedPermissionIds } from "../../interface/resources/roles.ts";
import { checkDocument, readDocument } from "../document/document.ts";
import { messageOf, UsageError } from "../../record/index.ts";
import { capabilitiesOf } from "../../interface/vocabulary/capabilities.ts";
import { type CallBinding, defaultPatience, type Profile, ProfileDocument } from "./profile.ts";

/** A case moves both listeners and needs others for a test of its own. */
const fewestListenerPorts = 4;

/** What the profile may take from the environment. */
export interface ProfileSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True to read a profile without calling its gateway: no password is needed. */
  readonly isOnlyRead?: boolean;
  /** The credentials of a recorded run: neither the environment nor another file is read. */
  readonly recorded?: Profile["credentials"];
}

export async function loadProfile(file: string, surroundings: ProfileSurroundings): Promise<Profile> {
  return parseProfile(await readDocument("profile", file), file, surroundings);
}

/** Parses a profile's text; `origin` is named in errors. Throws UsageError with line and field. */
export function parseProfile(text: string, origin: string, surroundings: ProfileSurroundings): Profile {
  const { value: document, fail } = checkDocument("profile", text, origin, ProfileDocument);
  for (const { pointer, message } of mistakesOf(document)) fail(pointer, message);
  return resolve(document, text, origin, surroundings);
}

/** What the schema cannot find: unknown operations and extensions, and a range without ports, with the place of each. */
export function mistakesOf(document: ProfileDocument): { pointer: string; message: string }[] {
  const operations = Object.keys(document.binding?.operations ?? {})
    .filter((id) => !isOperationId(id))
    .map((id) => ({
      pointer: `/binding/operations/${id}`,
      message: `unknown operation ${id}; Fix: use an id of "rackproof list operations"`,
    }));
  const extensions = (document.binding?.extensions ?? [])
    .filter((id) => !isExtensionId(id))
    .map((id) => ({
      pointer: "/binding/extensions",
      message: `unknown extension ${id}; expected one of ${extensionIds.join(", ")}`,
    }));
  const versionFrom = document.upgrade?.versionIn?.operation;
  const places =
    versionFrom === undefined || isOperationId(versionFrom)
      ? []
      : [
          {
            pointer: "/upgrade/versionIn/operation",
            message: `unknown operation ${versionFrom}; Fix: use an id of "rackproof list operations"`,
          },
        ];
  return [...operations, ...extensions, ...places, ...portMistakes(document)];
}

function portMistakes({ listenerPorts }: ProfileDocument): { pointer: string; message: string }[] {
  if (listenerPorts === undefined) return [];
  const { from, to } = listenerPorts;
  if (to - from + 1 >= fewestListenerPorts) return [];
  const found = from > to ? "none" : String(to - from + 1);
  return [
    {
      pointer: "/listenerPorts/to",
      message: `expected at least ${fewestListenerPorts} ports from ${from}, found ${found}; Fix: declare ${from + fewestListenerPorts - 1} or more`,
    },
  ];
}

function resolve(
  document: ProfileDocument,
  text: string,
  origin: string,
  surroundings: ProfileSurroundings,
): Profile {
  const extensions = document.binding?.extensions ?? [];
  const prefix = withoutSlash(document.binding?.pathPrefix ?? publishedPathPrefix);
  return {
    name: document.name,
    document,
    sha256: createHash("sha256").update(text).digest("hex"),
    declared: new Set(fieldsOf(document)),
    gateway: {
      vendor: document.gateway?.vendor ?? "",
      model: document.gateway?.model ?? "",
      version: document.gateway?.version ?? "",
      firmwareSha256: document.gateway?.firmwareSha256,
    },
    capabilities: capabilitiesOf(document.capabilities ?? {}),
    binding: new Map(operationIds.map((id) => [id, bind(id, document)])),
    extensions: new Map(
      extensionIds
        .filter((id) => extensions.includes(id))
        .map((id) => {
          const { method, path } = publishedExtensions[id];
          return [id, { method, path: prefix + path }];
        }),
    ),
    token: document.binding?.token ?? { header: "authorization", prefix: "Bearer " },
    tagToken: document.binding?.tagToken ?? { header: "mx-api-token", prefix: "" },
    roleReferences: document.binding?.roleReferences ?? "integers",
    credentials: surroundings.recorded ?? credentials(document, origin, surroundings),
    serialNumber: document.serialNumber,
    tokenLifetimeSec: document.tokenLifetimeSec,
    tagHistorySec: document.tagHistorySec,
    websocket: document.websocket,
    signInLock: document.signInLock,
    permissions: document.permissions ?? observedPermissionIds,
    virtualTags: document.virtualTags ?? { provider: "rackproof", source: "suite" },
    liveTags: document.liveTags,
    upgrade: {
      serverAddress: document.upgrade?.serverAddress ?? "127.0.0.1",
      packageFile: fileBeside(origin, document.upgrade?.packageFile),
      packages: packagesOf(document, origin),
      versionIn: versionPlace(document),
      restartWithinSec: document.upgrade?.restartWithinSec,
      powerCuts: document.upgrade?.powerCuts,
    },
    apps:
      document.apps === undefined
        ? undefined
        : {
            operable: document.apps.operable,
            settleSec: document.apps.settleSec ?? 30,
            expendable: document.apps.expendable,
          },
    switchableServices: (document.switchableServices ?? []).filter(isServiceId),
    throughput: document.throughput ?? {},
    requestsPerSec: document.rateLimit?.requestsPerSec,
    streamsAtOnce: document.streamLimit?.atOnce,
    listenerPorts: document.listenerPorts,
    tls: {
      fingerprint: document.tls?.fingerprint?.replaceAll(":", "").toUpperCase(),
      ca:
        document.tls?.ca === undefined || surroundings.recorded !== undefined
          ? undefined
          : readAuthority(document.tls.ca, origin),
    },
    tolerances: {
      rebootDelaySec: document.tolerances?.rebootDelaySec ?? 0.5,
      resetDelaySec: document.tolerances?.resetDelaySec ?? 0.5,
      tokenLifetimeSec: document.tolerances?.tokenLifetimeSec ?? 1,
      retentionSec: document.tolerances?.retentionSec,
    },
    patience: {
      answerMs: document.patience?.answerMs ?? defaultPatience.answerMs,
      bootMs: document.patience?.bootMs ?? defaultPatience.bootMs,
      settleMs: document.patience?.settleMs ?? defaultPatience.settleMs,
    },
  };
}

function bind(id: (typeof operationIds)[number], document: ProfileDocument): CallBinding {
  const published = publishedBinding[id];
  // The interface states the address of the tag service; the prefix of groups 1 to 12 is open.
  const declared =
    operation(id).group === "tags" ? document.binding?.tagPathPrefix : document.binding?.pathPrefix;
  const prefix = withoutSlash(declared ?? publishedPathPrefix);
  const override = document.binding?.operations?.[id];
  return {
    method: override?.method ?? published.method,
    path: prefix + (override?.path ?? published.path),
    permission: authorisationOf(override?.permission ?? defaultAuthorisation[id]),
    served: override?.served ?? true,
    media: override?.media,
  };
}

/** The dotted names of all fields that the document has. */
function fieldsOf(value: object, prefix = ""): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => [
    prefix + name,
    ...(typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? fieldsOf(inner, `${prefix}${name}.`)
      : []),
  ]);
}

function packagesOf({ upgrade }: ProfileDocument, origin: string): Profile["upgrade"]["packages"] {
  const packages = upgrade?.packages;
  if (packages === undefined || packages === "reference") return packages;
  return packages.map(({ version, file }) => ({ version, file: resolvePath(dirname(origin), file) }));
}

/** The path of a file that a profile names, beside the profile. */
function fileBeside(origin: string, file: string | undefined): string | undefined {
  return file === undefined ? undefined : resolvePath(dirname(origin), file);
}

function versionPlace({ upgrade }: ProfileDocument): Profile["upgrade"]["versionIn"] {
  const { operation: id = "", pointer = "" } = upgrade?.versionIn ?? {};
  return isOperationId(id) ? { operation: id, pointer } : undefined;
}

function readAuthority(file: string, origin: string): string {
  try {
    return readFileSync(resolvePath(dirname(origin), file), "utf8");
  } catch (thrown) {
    throw new UsageError(
      "PROFILE_UNREADABLE",
      `profile ${origin}: tls.ca: cannot read ${file}: ${messageOf(thrown)}`,
    );
  }
}

function withoutSlash(prefix: string): string {
  return prefix.replace(/\/$/, "");
}

function credentials(
  document: ProfileDocument,
  origin: string,
  surroundings: ProfileSurroundings,
): Profile["credentials"] {
  const declared = document.credentials;
  const variable = declared?.passwordEnvironment ?? "RACKPROOF_PASSWORD";
  const password = declared?.password ?? surroundings.environment[variable];
  if (surroundings.isOnlyRead !== true && (password === undefined || password === "")) {
    throw new UsageError(
      "PROFILE_PASSWORD",
      `profile ${origin}: no password for the administrator in ${variable}`,
      `set the environment variable ${variable} or credentials.password`,
    );
  }
  return {
    name: declared?.name ?? surroundings.environment["RACKPROOF_USER"] ?? "admin",
    password: password ?? "",
  };
}

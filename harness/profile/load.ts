// Reads a profile from YAML (or JSON) text; whatever is wrong is named with its line and field.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isMap, isScalar, LineCounter, parseDocument, type Document } from "yaml";
import { defaultAuthorisation } from "../../interface/authorisation.ts";
import { publishedBinding, publishedExtensions, publishedPathPrefix } from "../../interface/binding.ts";
import { isOperationId, operationIds } from "../../interface/operations/index.ts";
import { observedPermissionIds } from "../../interface/resources/roles.ts";
import { checker } from "../../interface/validate.ts";
import { UsageError } from "../errors.ts";
import { capabilities, capabilityIds } from "./capabilities.ts";
import { type CallBinding, type Profile, ProfileDocument } from "./profile.ts";

/** What the profile may take from its surroundings. */
export interface ProfileSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export async function loadProfile(file: string, surroundings: ProfileSurroundings): Promise<Profile> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    throw new UsageError(
      "PROFILE_UNREADABLE",
      `profile ${file}: the file cannot be read; give the path of a profile`,
    );
  }
  return parseProfile(text, file, surroundings);
}

/** Parses a profile's text; `origin` is named in errors. Throws UsageError with line and field. */
export function parseProfile(text: string, origin: string, surroundings: ProfileSurroundings): Profile {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines });
  const syntax = yaml.errors[0];
  if (syntax !== undefined) {
    const line = lines.linePos(syntax.pos[0]).line;
    throw new UsageError(
      "PROFILE_SYNTAX",
      `profile ${origin}:${line}: ${syntax.message.split("\n")[0] ?? ""}`,
    );
  }
  const document: unknown = yaml.toJS() ?? {};
  const problem = checker(ProfileDocument)(document)[0];
  if (problem !== undefined) {
    const field = problem.pointer.slice(1).replaceAll("/", ".");
    fail(
      yaml,
      lines,
      origin,
      problem.pointer,
      `${field === "" ? "the profile" : field}: expected ${problem.expected}, found ${problem.found}`,
    );
  }
  const checked = document as ProfileDocument;
  for (const id of Object.keys(checked.binding?.operations ?? {})) {
    if (!isOperationId(id))
      fail(
        yaml,
        lines,
        origin,
        `/binding/operations/${id}`,
        `${id} is no operation; "rackproof list operations" shows them`,
      );
  }
  for (const id of checked.binding?.extensions ?? []) {
    if (!Object.hasOwn(publishedExtensions, id)) {
      fail(
        yaml,
        lines,
        origin,
        "/binding/extensions",
        `${id} is no extension; known are ${Object.keys(publishedExtensions).join(", ")}`,
      );
    }
  }
  return resolve(checked, text, origin, surroundings);
}

function fail(yaml: Document, lines: LineCounter, origin: string, pointer: string, message: string): never {
  throw new UsageError("PROFILE_FIELD", `profile ${origin}:${lineOf(yaml, lines, pointer)}: ${message}`);
}

function lineOf(yaml: Document, lines: LineCounter, pointer: string): number {
  const path = pointer.split("/").slice(1);
  // A missing or unknown member has no node of its own, so its nearest parent is named.
  for (let depth = path.length; depth >= 0; depth--) {
    const parent = yaml.getIn(path.slice(0, depth - 1), true);
    const key = path[depth - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      if (pair !== undefined && isScalar(pair.key) && pair.key.range)
        return lines.linePos(pair.key.range[0]).line;
    }
  }
  return 1;
}

function resolve(
  document: ProfileDocument,
  text: string,
  origin: string,
  surroundings: ProfileSurroundings,
): Profile {
  const declared = document.capabilities as Readonly<Record<string, boolean | undefined>> | undefined;
  const extensions = document.binding?.extensions ?? [];
  const prefix = (document.binding?.pathPrefix ?? publishedPathPrefix).replace(/\/$/, "");
  return {
    name: document.name,
    sha256: createHash("sha256").update(text).digest("hex"),
    gateway: {
      vendor: document.gateway?.vendor ?? "",
      model: document.gateway?.model ?? "",
      version: document.gateway?.version ?? "",
    },
    capabilities: new Set(capabilityIds.filter((id) => declared?.[id] ?? capabilities[id].default)),
    binding: new Map(operationIds.map((id) => [id, bind(id, prefix, document)])),
    extensions: new Map(
      Object.entries(publishedExtensions)
        .filter(([id]) => extensions.includes(id))
        .map(([id, { method, path }]) => [id, { method, path: prefix + path }]),
    ),
    token: document.binding?.token ?? { header: "authorization", prefix: "Bearer " },
    tagToken: document.binding?.tagToken ?? { header: "mx-api-token", prefix: "" },
    roleReferences: document.binding?.roleReferences ?? "integers",
    credentials: credentials(document, origin, surroundings),
    serialNumber: document.serialNumber,
    tokenLifetimeSec: document.tokenLifetimeSec,
    websocketPath: document.websocket?.path,
    signInLock: document.signInLock,
    permissions: document.permissions ?? observedPermissionIds,
    virtualTags: document.virtualTags ?? { provider: "rackproof", source: "suite" },
    liveTags: document.liveTags,
    upgrade: {
      serverAddress: document.upgrade?.serverAddress ?? "127.0.0.1",
      packageFile: document.upgrade?.packageFile,
    },
    apps:
      document.apps === undefined
        ? undefined
        : { operable: document.apps.operable, settleSec: document.apps.settleSec ?? 30 },
    switchableServices: document.switchableServices ?? [],
    tolerances: {
      rebootDelaySec: document.tolerances?.rebootDelaySec ?? 0.5,
      resetDelaySec: document.tolerances?.resetDelaySec ?? 0.5,
      tokenLifetimeSec: document.tolerances?.tokenLifetimeSec ?? 1,
    },
    patience: {
      answerMs: document.patience?.answerMs ?? 10_000,
      bootMs: document.patience?.bootMs ?? 120_000,
      settleMs: document.patience?.settleMs ?? 10_000,
    },
  };
}

function bind(id: (typeof operationIds)[number], prefix: string, document: ProfileDocument): CallBinding {
  const published = publishedBinding[id];
  const override = document.binding?.operations?.[id];
  return {
    method: override?.method ?? published.method,
    path: prefix + (override?.path ?? published.path),
    permission: override?.permission ?? defaultAuthorisation[id],
    served: override?.served ?? true,
    media: override?.media,
  };
}

function credentials(
  document: ProfileDocument,
  origin: string,
  surroundings: ProfileSurroundings,
): Profile["credentials"] {
  const declared = document.credentials;
  const variable = declared?.passwordEnvironment ?? "RACKPROOF_PASSWORD";
  const password = declared?.password ?? surroundings.environment[variable];
  if (password === undefined || password === "") {
    throw new UsageError(
      "PROFILE_PASSWORD",
      `profile ${origin}: no password for the administrator; set the environment variable ${variable} or credentials.password`,
    );
  }
  return { name: declared?.name ?? surroundings.environment["RACKPROOF_USER"] ?? "admin", password };
}

// Writes the findings as a commented profile, with lines to fill in for what no operation shows.
import type { Authorisation } from "../../interface/authorisation.ts";
import { publishedPathPrefix } from "../../interface/binding.ts";
import { observedPermissionIds } from "../../interface/resources/roles.ts";
import {
  capabilities,
  type CapabilityId,
  capabilityIds,
  suitePermissions,
} from "../../interface/vocabulary/capabilities.ts";
import type { CapabilityFinding, Findings, TokenPlace } from "./findings.ts";

const shownNames = 30;
const byHand: readonly CapabilityId[] = ["websocket", "sign-in-lock"];

/** The profile as YAML text; it can be used without a change. */
export function profileText(findings: Findings, now: Date): string {
  return `${[
    ...heading(findings, now),
    ...identity(findings),
    ...credentialLines(findings),
    ...capabilityLines(findings),
    ...bindingLines(findings),
    ...tokenLines(findings),
    ...tagLines(findings),
    ...permitted(findings),
    ...conductLines(findings),
    ...remaining(),
  ].join("\n")}\n`;
}

function heading({ url, userName }: Findings, now: Date): string[] {
  return [
    `# Profile of the gateway at ${oneLine(url)}, read as ${oneLine(userName)} on ${now.toISOString().slice(0, 10)}.`,
    `# "found" marks answers of the gateway. "DECLARE" marks what no operation shows: decide it and delete the mark.`,
    `# "rackproof profile check FILE" finds mistakes; docs/profile.md explains every field.`,
  ];
}

function identity({ url }: Findings): string[] {
  return [
    `name: ${quoted(`gateway at ${new URL(url).host}`)}`,
    "",
    "# DECLARE: the product. A certificate needs the version of the firmware.",
    "gateway:",
    '  vendor: ""',
    '  model: ""',
    '  version: ""',
  ];
}

function credentialLines({ userName }: Findings): string[] {
  return [
    "",
    "# An administrator; the password is read from the environment.",
    "credentials:",
    `  name: ${quoted(userName)}`,
    "  passwordEnvironment: RACKPROOF_PASSWORD",
    "",
    "# DECLARE: default password of exported configurations, where it is the serial number.",
    '# serialNumber: ""',
  ];
}

function capabilityLines({ capabilities: found, resetModes }: Findings): string[] {
  const offered = capabilityIds.filter((id) => !suitePermissions.includes(id) && !byHand.includes(id));
  return [
    "",
    "# Capabilities of the gateway. A case that needs another one is not applicable.",
    "capabilities:",
    ...offered.map((id) => capabilityLine(id, found.get(id))),
    "  # DECLARE: capabilities that reading calls cannot detect.",
    ...byHand.map((id) => `  ${id}: ${capabilities[id].default} # ${capabilities[id].means}`),
    "  # DECLARE: actions that the suite may perform on this gateway. All are off; a certificate needs all of them.",
    ...suitePermissions.map(
      (id) =>
        `  ${id}: false # ${capabilities[id].means}${
          id === "factory-reset" && resetModes.length > 0 ? ` (found: modes ${resetModes.join(", ")})` : ""
        }`,
    ),
  ];
}

function capabilityLine(id: CapabilityId, finding: CapabilityFinding | undefined): string {
  const { offered, why } = finding ?? { offered: undefined, why: "not tested, the call would make a change" };
  const means = capabilities[id].means;
  return offered === undefined
    ? `  ${id}: ${capabilities[id].default} # ${means}. DECLARE: ${oneLine(why)}`
    : `  ${id}: ${offered} # ${means}. found: ${oneLine(why)}`;
}

function bindingLines(findings: Findings): string[] {
  const { pathPrefix, tagPathPrefix, token, tagToken, extensions, tried } = findings;
  const operations = operationLines(findings);
  return [
    "",
    '# Calls of operations. "rackproof list operations" shows the defaults; only differences need a line.',
    "binding:",
    `  pathPrefix: ${quoted(pathPrefix)}${pathPrefix === publishedPathPrefix ? "" : " # found: differs from the published one"}`,
    ...(tagPathPrefix === publishedPathPrefix
      ? []
      : [`  tagPathPrefix: ${quoted(tagPathPrefix)} # found: differs from the stated one`]),
    `  token: ${placeText(token)}`,
    `  tagToken: ${placeText(tagToken)}`,
    `  # found by calls; add others that the suite may use to clean up: clearEvents, deleteRole, deleteUser,`,
    "  # deleteUpgradeJob, setDiscovery, setSerialConsole",
    `  extensions: [${extensions.join(", ")}]`,
    ...unnamedLines(findings),
    ...(operations.length === 0
      ? [
          "  # DECLARE: operations that differ, such as",
          "  # operations:",
          "  #   getRole: { method: GET, path: /roles/{id} }",
        ]
      : ["  operations:", ...operations]),
    ...(tried === undefined
      ? [
          '  # DECLARE: permissions of operations that differ; "profile init --try" learns those of reading operations.',
        ]
      : tried.unknownPermissions.map(
          (id) => `  # DECLARE: the permission of ${id}; no user made for the trial may call it.`,
        )),
  ];
}

/** No finding: a framework may name the methods of one route only. */
function unnamedLines({ unnamed: [first, ...others] }: Findings): string[] {
  if (first === undefined) return [];
  return [
    "  # DECLARE: OPTIONS does not name the methods of these operations. One that the gateway lacks needs a line below",
    `  # "operations", as in ${first}: { served: false }`,
    ...[first, ...others].map((id) => `  #   ${id}`),
  ];
}

function operationLines({ unserved, tried }: Findings): string[] {
  return [
    ...(unserved.length === 0 ? [] : ["    # found: reported as absent by the gateway"]),
    ...unserved.map((id) => `    ${id}: { served: false }`),
    ...(tried === undefined || tried.permissions.size === 0
      ? []
      : ["    # found: by users with some permissions each, which were removed again"]),
    ...[...(tried?.permissions ?? [])].map(
      ([id, permission]) => `    ${id}: { permission: ${permissionText(permission)} }`,
    ),
  ];
}

function permissionText(permission: Authorisation): string {
  if (typeof permission === "string") return permission;
  const list = (texts: readonly string[]): string => `[${texts.join(", ")}]`;
  const ways = permission.map((way) => (way.length === 1 ? way.map(quoted).join("") : list(way.map(quoted))));
  const [only] = permission;
  return ways.length === 1 && only?.length === 1 ? ways.join("") : list(ways);
}

/** What needs no declaration, because every run finds it. */
function conductLines({ tried }: Findings): string[] {
  const sentences = [
    ...(tried?.streamOpensWithValue === undefined
      ? []
      : [
          `a stream of changes opens ${tried.streamOpensWithValue ? "with the present value" : "without a value"}`,
        ]),
    ...(tried?.resetReboots === undefined
      ? []
      : [
          `a reset of one scope ${tried.resetReboots ? "reboots the gateway" : "takes effect without a reboot"}`,
        ]),
    ...(tried?.remarks ?? []),
  ];
  return sentences.length === 0 ? [] : ["", ...sentences.map((text) => `# found: ${oneLine(text)}`)];
}

function tokenLines({ tokenLifetimeSec, permissions }: Findings): string[] {
  return [
    "",
    ...(tokenLifetimeSec === undefined
      ? [
          "# DECLARE: lifetime of a sign-in token in seconds; the token does not contain it.",
          "# tokenLifetimeSec: 3600",
        ]
      : ["# found: in the token", `tokenLifetimeSec: ${tokenLifetimeSec}`]),
    "# DECLARE: path of the websocket and lock after failed sign-ins, if the capabilities above are declared.",
    '# websocket: { path: "/api/v1/websocket?token={token}" }',
    "# signInLock: { failures: 5, lockedSec: 60 }",
    "",
    "# found: permissions of roles",
    `permissions: [${(permissions.length === 0 ? observedPermissionIds : permissions).map(quoted).join(", ")}]`,
  ];
}

function tagLines({ tagProviders, liveTags }: Findings): string[] {
  return [
    "",
    `# found: sources of tags ${names(tagProviders)}`,
    "# DECLARE: provider and source under which the suite may create virtual tags.",
    "virtualTags: { provider: rackproof, source: suite }",
    ...(liveTags === undefined
      ? [
          "# DECLARE: tags that change without a request; found none.",
          "# liveTags: { provider: p, source: s, tags: [t] }",
        ]
      : [
          "# found: tags that changed without a request",
          `liveTags: { provider: ${quoted(liveTags.provider)}, source: ${quoted(liveTags.source)}, tags: [${liveTags.tags.map(quoted).join(", ")}] }`,
        ]),
  ];
}

function permitted({ services, apps }: Findings): string[] {
  return [
    "",
    "# DECLARE: services that may be switched without disconnecting the suite.",
    `# found: ${names(services)}`,
    "switchableServices: []",
    "",
    "# DECLARE: an app that may be stopped and started; beside it, where you can spare one, an app that a run may uninstall",
    "# for good (expendable: NAME).",
    `# found: ${names(apps)}`,
    `# apps: { operable: ${quoted(apps[0] ?? "name")}, settleSec: 30 }`,
  ];
}

function remaining(): string[] {
  return [
    "",
    "# DECLARE, where upgrade-jobs is on: address of this machine for the gateway, and a package that it can install.",
    "# upgrade: { serverAddress: 192.0.2.1, packageFile: package.bin }",
    "",
    "# DECLARE, where it is promised: what the gateway carries from field devices to streaming clients.",
    "# throughput: { changesPerSec: 1000, clients: 4, latencyP99Ms: 500 }",
    "",
    "# Half widths of the bands around 5 s, 3 s and 30 s.",
    "tolerances: { rebootDelaySec: 0.5, resetDelaySec: 0.5, tokenLifetimeSec: 1 }",
    "",
    "# How long the suite waits; says nothing about what the gateway may do.",
    "patience: { answerMs: 10000, bootMs: 120000, settleMs: 10000 }",
  ];
}

function placeText({ header, prefix }: TokenPlace): string {
  return `{ header: ${quoted(header)}, prefix: ${quoted(prefix)} }`;
}

function names(all: readonly string[]): string {
  if (all.length === 0) return "none that could be read";
  const more = all.length > shownNames ? ` and ${all.length - shownNames} more` : "";
  return all.slice(0, shownNames).map(oneLine).join(", ") + more;
}

/** A double-quoted scalar: JSON's strings are YAML's. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** What a gateway says must not end the comment that it stands in. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}/gu, " ");
}

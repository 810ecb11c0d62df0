// What a profile declares, as the tables of an ICS (capabilities) and an IXIT (how to reach and test it).
import { authorisationText } from "../../interface/authorisation.ts";
import { publishedBinding, publishedPathPrefix } from "../../interface/binding.ts";
import { operationIds } from "../../interface/operations/index.ts";
import { requirements } from "../../interface/requirements/index.ts";
import { capabilities, capabilityIds, suitePermissions } from "../../interface/vocabulary/capabilities.ts";
import type { Profile } from "../../harness/index.ts";

interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const none = "not declared";

/** Title and tables of the form; it holds no password. */
export function profileForm(profile: Profile): { title: string; tables: Table[] } {
  return {
    title: `Conformance statement of ${profile.name}`,
    tables: [identity(profile), ics(profile), permissions(profile), binding(profile), ixit(profile)],
  };
}

function identity(profile: Profile): Table {
  const { vendor, model, version, firmwareSha256 } = profile.gateway;
  return {
    title: "Implementation",
    columns: ["Item", "Value"],
    rows: [
      ["Interface", "Core 2.3.0"],
      ["Vendor", vendor || none],
      ["Model", model || none],
      ["Firmware", version || none],
      ["Firmware, SHA-256", firmwareSha256 ?? none],
      ["Profile, SHA-256", profile.sha256],
    ],
  };
}

function ics(profile: Profile): Table {
  const offered = capabilityIds.filter((id) => !suitePermissions.includes(id));
  return {
    title: "ICS: capabilities of the implementation",
    columns: ["Capability", "Meaning", "Stated requirements", "Offered"],
    rows: offered.map((id) => [
      id,
      capabilities[id].means,
      String(requirements.filter((one) => one.capability === id && one.level === "stated").length),
      profile.capabilities.has(id) ? "yes" : "no",
    ]),
  };
}

function permissions(profile: Profile): Table {
  return {
    title: "IXIT: actions that the test may perform",
    columns: ["Permission", "Meaning", "Given"],
    rows: suitePermissions.map((id) => [
      id,
      capabilities[id].means,
      profile.capabilities.has(id) ? "yes" : "no",
    ]),
  };
}

function binding(profile: Profile): Table {
  return {
    title: "IXIT: calls of operations",
    columns: ["Operation", "Served", "Method and path", "Caller", "Media type", "As published"],
    rows: operationIds.map((id) => {
      const bound = profile.binding.get(id);
      const published = publishedBinding[id];
      const isPublished =
        bound?.method === published.method && bound.path === publishedPathPrefix + published.path;
      return [
        id,
        bound?.served === true ? "yes" : "no",
        `${bound?.method} ${bound?.path}`,
        bound === undefined ? "" : authorisationText(bound.permission),
        bound?.media ?? "",
        isPublished ? "yes" : "no",
      ];
    }),
  };
}

function ixit(profile: Profile): Table {
  const { liveTags, signInLock, apps, upgrade, throughput, tolerances, patience } = profile;
  const text = (value: string | number | undefined, unit = ""): string =>
    value === undefined || value === "" ? none : `${value}${unit}`;
  const list = (values: readonly string[]): string => (values.length === 0 ? none : values.join(", "));
  const rows: [string, string][] = [
    ["Administrator", `${profile.credentials.name} (the password is not part of this form)`],
    ["Token", `${profile.token.header}: ${profile.token.prefix}<token>`],
    ["Token of tag operations", `${profile.tagToken.header}: ${profile.tagToken.prefix}<token>`],
    ["Lifetime of a token", text(profile.tokenLifetimeSec, " s")],
    ["History of a tag reaches back", text(profile.tagHistorySec, " s")],
    ["Roles are sent as", profile.roleReferences],
    ["Extensions used to clean up", list([...profile.extensions.keys()])],
    ["Permissions of roles", list(profile.permissions)],
    ["Serial number", text(profile.serialNumber)],
    ["Websocket", text(profile.websocket?.path)],
    [
      "Lock after failed sign-ins",
      signInLock === undefined ? none : `${signInLock.failures} failures, ${signInLock.lockedSec} s`,
    ],
    ["Virtual tags of the test", `${profile.virtualTags.provider}/${profile.virtualTags.source}`],
    [
      "Tags that change without a request",
      liveTags === undefined ? none : `${liveTags.provider}/${liveTags.source}: ${liveTags.tags.join(", ")}`,
    ],
    ["App that may be stopped", apps === undefined ? none : `${apps.operable}, within ${apps.settleSec} s`],
    ["App that may be uninstalled for good", apps?.expendable ?? none],
    ["Services that may be switched", list(profile.switchableServices)],
    ["Upgrade package", text(upgrade.packageFile)],
    ["Address of the test's servers", upgrade.serverAddress],
    ["Throughput in changes", text(throughput.changesPerSec, " a second")],
    ["Clients at the same time", text(throughput.clients)],
    ["Latency, 99 of 100", text(throughput.latencyP99Ms, " ms")],
    ["Tolerance of 5 s until a reboot", `± ${tolerances.rebootDelaySec} s`],
    ["Tolerance of 3 s until a reset", `± ${tolerances.resetDelaySec} s`],
    ["Tolerance of 30 s of a websocket token", `± ${tolerances.tokenLifetimeSec} s`],
    ["Patience: answer", `${patience.answerMs} ms`],
    ["Patience: boot", `${patience.bootMs} ms`],
    ["Patience: effect", `${patience.settleMs} ms`],
  ];
  return { title: "IXIT: values for the test", columns: ["Item", "Value"], rows };
}

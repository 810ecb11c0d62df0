import { expect, test } from "vitest";
import { formMarkdown, formPage } from "../../reports/certificate/profileForm.ts";
import type { Authorisation } from "../../interface/authorisation.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { capabilityIds } from "../../interface/vocabulary/capabilities.ts";
import { parseProfile } from "../../harness/profile/load.ts";
import { checkProfile } from "./checkProfile.ts";
import type { Findings } from "./findings.ts";
import { profileForm } from "./profileForm.ts";
import { profileText } from "./profileText.ts";

const hostile = `x\n  evil: true # "quoted" {a: [b\u2028c | *d* <i>`;

const findings: Findings = {
  url: "https://192.0.2.10",
  userName: hostile,
  pathPrefix: "/core",
  tagPathPrefix: "/core",
  token: { header: "x-token", prefix: "" },
  tagToken: { header: "mx-api-token", prefix: "" },
  tokenLifetimeSec: 1800,
  capabilities: new Map([
    ["apps", { offered: false, why: "listApps answered 404" }],
    ["tags", { offered: undefined, why: hostile }],
    ["events", { offered: true, why: "getEvents answered 200" }],
  ]),
  unserved: ["getProvision"],
  unnamed: ["createRole", "addUser"],
  extensions: ["checkToken"],
  permissions: ["SYS_USER_RW", hostile],
  services: [hostile],
  apps: [hostile],
  resetModes: ["system"],
  tagProviders: [hostile],
  liveTags: { provider: "p", source: hostile, tags: ["t"] },
  tried: {
    streamOpensWithValue: false,
    permissions: new Map<OperationId, Authorisation>([
      ["listTags", [[hostile]]],
      ["getReboot", [["SYS_USER_RW"], [hostile]]],
      ["getEvents", [["SYS_USER_RW", hostile]]],
      ["listApps", "signed-in"],
    ]),
    unknownPermissions: ["getLog"],
    resetReboots: true,
    remarks: [hostile],
  },
};

test("what was found stands in the profile, whatever the gateway calls its things", () => {
  const text = profileText(findings, new Date("2027-01-02T03:04:05Z"));
  const profile = parseProfile(text, "p.yaml", { environment: { RACKPROOF_PASSWORD: "secret" } });
  expect(profile).toMatchObject({
    credentials: { name: hostile },
    token: { header: "x-token" },
    tokenLifetimeSec: 1800,
    permissions: ["SYS_USER_RW", hostile],
    liveTags: { source: hostile },
  });
  expect(profile.binding.get("getRole")).toMatchObject({ path: "/core/roles/{id}", served: true });
  expect(profile.binding.get("getProvision")).toMatchObject({ served: false });
  // What OPTIONS does not name may be served all the same.
  expect(profile.binding.get("createRole")).toMatchObject({ served: true });
  expect(text).toMatch(/DECLARE: OPTIONS does not name .*\n.*\n {2}# {3}createRole\n {2}# {3}addUser\n/);
  expect(profile.binding.get("listTags")).toMatchObject({ path: "/core/tags/list", permission: [[hostile]] });
  expect(profile.binding.get("getReboot")?.permission).toEqual([["SYS_USER_RW"], [hostile]]);
  expect(profile.binding.get("getEvents")?.permission).toEqual([["SYS_USER_RW", hostile]]);
  expect(profile.binding.get("listApps")?.permission).toBe("signed-in");
  for (const line of ["opens without a value", "a reset of one scope reboots", "the permission of getLog"])
    expect(text).toContain(line);
  const offered = (id: (typeof capabilityIds)[number]): boolean => profile.capabilities.has(id);
  expect([offered("apps"), offered("tags"), offered("events")]).toEqual([false, true, true]);
  // Nothing that disturbs a gateway is allowed before a person allows it.
  expect([offered("disruptive-reboot"), offered("factory-reset"), offered("upgrade-jobs")]).toEqual([
    false,
    false,
    false,
  ]);
});

test("every mistake is named with its line, not only the first", () => {
  const text = [
    "name: mine",
    "capabilites: {}",
    "patience:",
    "  answerMs: fast",
    "binding:",
    "  operations:",
    "    getRoll: {}",
    "  extensions: [clearEverything]",
  ].join("\n");
  expect(checkProfile(text, "p.yaml").mistakes.map((line) => line.slice(0, 48))).toEqual([
    expect.stringMatching(/^p\.yaml:2: capabilites/),
    expect.stringMatching(/^p\.yaml:4: patience/),
    expect.stringMatching(/^p\.yaml:7: unknown operation getRoll/),
    expect.stringMatching(/^p\.yaml:8: unknown extension clearEvery/),
  ]);
  expect(checkProfile("name: [mine\nother: }", "p.yaml").mistakes[0]).toMatch(/^p\.yaml:\d+: /);
});

test("a declaration that lacks its other half is remarked upon", () => {
  const { mistakes, remarks } = checkProfile("name: mine\ncapabilities:\n  websocket: true\n", "p.yaml");
  expect(mistakes).toEqual([]);
  expect(remarks).toContainEqual(expect.stringMatching(/^p\.yaml:3: websocket is declared/));
});

test("the form shows what is declared, no password, and nothing that breaks out of its cell", () => {
  const text = `name: ${JSON.stringify(hostile)}\ncredentials: { name: a, password: hunter2 }\ncapabilities: { apps: false }\n`;
  const form = profileForm(parseProfile(text, "p.yaml", { environment: {} }));
  const markdown = formMarkdown(form);
  const page = formPage(form);
  expect(markdown).toMatch(/^\| apps \| .* \| no \|$/m);
  expect(markdown).toMatch(/^\| getRole \| yes \| GET \/api\/v1\/roles\/\{id\} /m);
  expect(markdown + page).not.toContain("hunter2");
  expect(page).not.toContain("<i>");
  const rows = markdown.split("\n").filter((line) => line.startsWith("| getRole "));
  expect(rows[0]?.match(/(?<!\\)\|/g)).toHaveLength(7);
});

import { expect, test } from "vitest";
import { parseProfile } from "./load.ts";

const environment = { RACKPROOF_PASSWORD: "secret" };
const parse = (text: string) => parseProfile(text, "gw.yaml", { environment });

test("an almost empty profile has the published binding and every default", () => {
  const profile = parse("name: mine\n");
  expect(profile.binding.get("getRole")).toMatchObject({
    method: "GET",
    path: "/api/v1/roles/{id}",
    permission: [["SYS_USER_RW"]],
    served: true,
  });
  expect(profile.capabilities.has("roles")).toBe(true);
  expect(profile.capabilities.has("websocket")).toBe(false);
  expect(profile.credentials).toEqual({ name: "admin", password: "secret" });
});

test("binding, prefix and capabilities can be overridden", () => {
  const profile = parse(`
name: mine
capabilities: { apps: false }
binding:
  pathPrefix: /core/
  operations:
    getRole: { method: POST, path: "/role/{id}/get" }
`);
  expect(profile.binding.get("getRole")).toMatchObject({ method: "POST", path: "/core/role/{id}/get" });
  expect(profile.capabilities.has("apps")).toBe(false);
});

test("a gateway without tags has neither streams of tags nor virtual ones, and events alike", () => {
  const { capabilities } = parse("name: mine\ncapabilities: { tags: false, virtual-tags: true }\n");
  const tagParts = ["tags", "tag-stream", "virtual-tags"] as const;
  expect(tagParts.filter((id) => capabilities.has(id))).toEqual([]);
  expect(capabilities.has("event-stream")).toBe(true);
  const without = parse("name: mine\ncapabilities: { events: false }\n").capabilities;
  expect(without.has("event-stream")).toBe(false);
});

test.each([
  [
    "name: mine\npatience:\n  answerMs: fast\n",
    /gw\.yaml:3: patience\.answerMs: expected integer, at least 1, found string "fast"/,
  ],
  ["name: mine\ncapabilites: {}\n", /gw\.yaml:2: /],
  ["name: mine\nbinding:\n  operations:\n    getRoll: {}\n", /gw\.yaml:4: unknown operation getRoll/],
  [
    "name: mine\nlistenerPorts:\n  from: 8100\n  to: 8090\n",
    /gw\.yaml:4: expected at least 4 ports from 8100, found none; Fix: declare 8103 or more/,
  ],
  ["name: [mine\n", /gw\.yaml:\d+: /],
])("a wrong profile is an error with line and field: %j", (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

test("a missing password says which variable to set", () => {
  expect(() =>
    parseProfile("name: mine\ncredentials: {name: a, passwordEnvironment: GW_PW}", "gw.yaml", {
      environment,
    }),
  ).toThrow(/GW_PW/);
});

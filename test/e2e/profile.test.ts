// A profile from nothing: asked of a gateway, checked against it, run with it.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseProfile } from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { rackproof, startUntil, temporaryFolder } from "../support/commandLine.ts";

const environment = { RACKPROOF_PASSWORD: "Adm1n-of-the-test!" };

async function startGateway(...words: readonly string[]): Promise<{ url: string } & AsyncDisposable> {
  const gateway = await startUntil(
    ["serve", "--port", "0", "--https-port", "0", ...words],
    /^Reference gateway: /,
    environment,
  );
  const url = /(http:\/\/\S+?)\/api/.exec(gateway.line)?.[1] ?? "";
  return { url, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

test("a profile that was asked of a gateway fits it and runs", async () => {
  await using folder = await temporaryFolder();
  await using gateway = await startGateway();
  const file = join(folder.path, "gateway.yaml");
  const made = await rackproof(["profile", "init", gateway.url, "--out", file], environment);
  expect(made).toMatchObject({ exitCode: 0 });
  expect((await rackproof(["profile", "init", gateway.url, "--out", file], environment)).stderr).toContain(
    "PROFILE_NOT_WRITTEN",
  );
  const text = await readFile(file, "utf8");
  expect(text).toMatch(/^ {2}apps: true # .*found: listApps answered 200$/m);
  expect(text).toMatch(/^tokenLifetimeSec: \d+$/m);
  expect(text).not.toContain(environment.RACKPROOF_PASSWORD);

  const agreed = await rackproof(["profile", "check", file, "--url", gateway.url], environment);
  expect(agreed).toMatchObject({ exitCode: 0, stderr: "" });
  const words = [
    "--profile",
    file,
    "--select",
    "services/listed-once,declaration,tags/monitoring-and-history",
  ];
  const run = await rackproof(
    ["run", gateway.url, ...words, "--out", join(folder.path, "run"), "--json"],
    environment,
  );
  expect(run.exitCode).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ verdict: "conformant", fail: 0, error: 0, inconclusive: 0 });

  await writeFile(
    file,
    text
      .replace("  apps: true", "  apps: false")
      .replace(/liveTags: .*/, "liveTags: { provider: a, source: b, tags: [c] }"),
  );
  const differs = await rackproof(["profile", "check", file, "--url", gateway.url], environment);
  expect(differs.exitCode).toBe(1);
  expect(differs.stderr).toContain("capability apps is not declared, but listApps is served");
  expect(differs.stderr).toContain("liveTags names a/b/c");
});

/** The users of the gateway, read without the harness. */
async function userNames(base: string): Promise<unknown> {
  const body = JSON.stringify({ name: "admin", password: environment.RACKPROOF_PASSWORD });
  const headers = { "content-type": "application/json" };
  const signedIn = (await (await fetch(`${base}/auth`, { method: "POST", headers, body })).json()) as {
    data: { token: string };
  };
  const authorization = `Bearer ${signedIn.data.token}`;
  const users = (await (await fetch(`${base}/users`, { headers: { authorization } })).json()) as {
    data: { name: string }[];
  };
  return users.data.map(({ name }) => name);
}

test.each([
  {
    variations: "other-permissions,permissions-together,changes-only",
    binding: {
      getEventCatalogue: [["SYS_USER_RW"]],
      getReboot: [["SYS_USER_RW", "SYS_MAINTENANCE_RW"]],
      listApps: "signed-in",
      listTags: [["SYS_MAINTENANCE_RW"]],
    },
    prefix: "/api/v1",
    found: ["a stream of changes opens without a value", "a reset of one scope reboots the gateway"],
  },
  {
    variations: "no-prefix,resets-in-place,either-permission",
    binding: { listApps: [["SYS_MAINTENANCE_RW"]], listUsers: [["SYS_USER_RW"], ["SYS_MAINTENANCE_RW"]] },
    prefix: "",
    found: [
      "a stream of changes opens with the present value",
      "a reset of one scope takes effect without a reboot",
    ],
  },
])("--try learns from a gateway with $variations, and removes its users", async (expected) => {
  await using folder = await temporaryFolder();
  await using gateway = await startGateway("--variation", expected.variations);
  const file = join(folder.path, "gateway.yaml");
  const made = await rackproof(["profile", "init", gateway.url, "--try", "--out", file], environment);
  expect(made).toMatchObject({ exitCode: 0, stderr: "" });
  const text = await readFile(file, "utf8");
  for (const sentence of expected.found) expect(text).toContain(`# found: ${sentence}`);
  const profile = parseProfile(text, file, { environment });
  for (const [id, permission] of Object.entries(expected.binding))
    expect(profile.binding.get(id as OperationId)).toMatchObject({ permission });
  expect(profile.binding.get("listTags")?.path).toBe("/api/v1/tags/list");
  const agreed = await rackproof(["profile", "check", file, "--url", gateway.url], environment);
  expect(agreed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await userNames(`${gateway.url}${expected.prefix}`)).toEqual(["admin"]);
});

test("what stands in the way is said in one line", async () => {
  await using gateway = await startGateway();
  const wrong = await rackproof(["profile", "init", gateway.url], { RACKPROOF_PASSWORD: "wrong" });
  expect(wrong).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^rackproof: .*\[SIGN_IN_REFUSED\]$/) as unknown,
  });
  const silent = await rackproof(["profile", "init", "http://127.0.0.1:1"], environment);
  expect(silent).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("[GATEWAY_SILENT]") as unknown,
  });
});

test("a profile is checked and printed without a gateway and without a password", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "p.yaml");
  await writeFile(file, "name: mine\ncapabilites: {}\npatience: { answerMs: fast }\n");
  const bad = await rackproof(["profile", "check", file]);
  expect(bad.exitCode).toBe(2);
  expect(bad.stderr.trim().split("\n")).toHaveLength(2);
  await writeFile(file, "name: mine\n");
  expect(await rackproof(["profile", "check", file])).toMatchObject({ exitCode: 0 });
  expect((await rackproof(["profile", "print", file])).stdout).toMatch(/^# Conformance statement of mine$/m);
});

// The contract: recording reproduces the published files, the fault-free reference gateway passes them, and gateways
// with an injected fault fail them.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";
import { startContainerGateway } from "../../rigs/container/containerGateway.ts";
import type { RunningGateway } from "../../rigs/gateway/gateway.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { rackproof, startUntil, temporaryFolder } from "../support/commandLine.ts";
import { lacksEngine } from "../support/equipment.ts";

const isWithoutEngine = await lacksEngine();
const adminPassword = "Contract-test-1!";
const referenceProfile = fileURLToPath(new URL("../../rigs/process/reference.profile.yaml", import.meta.url));
const recorder = fileURLToPath(new URL("../../tools/recordContract.ts", import.meta.url));
const published = fileURLToPath(new URL("../../contract/", import.meta.url));
const parts = ["accounts", "device", "events", "software", "tags"];

/** Verifies the contract against a gateway; answers the exit code and the verdict on each part. */
async function verified(
  started: Promise<RunningGateway>,
): Promise<{ exitCode: number | undefined; verdicts: string[] }> {
  await using gateway = await started;
  const { exitCode, stdout } = await rackproof(
    ["contract", "verify", gateway.baseUrl, "--profile", referenceProfile],
    { RACKPROOF_PASSWORD: adminPassword },
  );
  return { exitCode, verdicts: stdout.split("\n").filter((line) => /^(passed|failed) /.test(line)) };
}

test("recording the contract reproduces the published files", async () => {
  await using folder = await temporaryFolder();
  await execa(process.execPath, [recorder, folder.path]);
  for (const part of parts) {
    const [recorded, stored] = await Promise.all(
      [folder.path, published].map((place) => readFile(join(place, `${part}.json`), "utf8")),
    );
    expect(JSON.parse(recorded ?? ""), `${part}: npm run contract:record updates it`).toEqual(
      JSON.parse(stored ?? ""),
    );
  }
});

const passed = { exitCode: 0, verdicts: parts.map((part) => `passed  ${part}`) };

test("the fault-free reference gateway passes the contract", async () => {
  expect(await verified(startProcessGateway({ adminPassword }))).toEqual(passed);
});

test.skipIf(isWithoutEngine)("a gateway in a container passes the contract", async () => {
  expect(await verified(startContainerGateway({ adminPassword }))).toEqual(passed);
});

test.each([
  ["getUser-wrapped-otherwise", "accounts"],
  ["listServices-wrapped-otherwise", "device"],
  ["getEventCatalogue-wrapped-otherwise", "events"],
  ["read-only-tag-is-written", "tags"],
  ["wrong-password-is-a-403", "accounts"],
])("a gateway with the fault %s fails the contract in %s alone", async (fault, part) => {
  const { exitCode, verdicts } = await verified(startProcessGateway({ adminPassword, fault }));
  expect({ exitCode, failed: verdicts.filter((line) => line.startsWith("failed")) }).toEqual({
    exitCode: 1,
    failed: [`failed  ${part}`],
  });
});

test("states are set up for other libraries, and an unknown state is rejected by name", async () => {
  await using gateway = await startProcessGateway({ adminPassword });
  await using states = await startUntil(
    ["contract", "states", gateway.baseUrl, "--profile", referenceProfile, "--port", "0"],
    /State change URL/,
    { RACKPROOF_PASSWORD: adminPassword },
  );
  const url = /: (\S+)$/.exec(states.line)?.[1] ?? "";
  const change = (state: string, action: string): Promise<Response> =>
    fetch(url, { method: "POST", body: JSON.stringify({ state, action }) });
  const values = await (await change("a user exists", "setup")).json();
  expect(values).toMatchObject({ userName: expect.stringMatching(/^rp-user-/), userId: expect.any(Number) });
  expect(await (await change("a user exists", "teardown")).json()).toEqual({});
  const unknown = await change("the moon is full", "setup");
  expect([unknown.status, await unknown.text()]).toEqual([
    500,
    expect.stringMatching(/^state the moon is full: expected one of the administrator is signed in, /),
  ]);
});

test("files are written for the binding and the capabilities of a profile", async () => {
  await using folder = await temporaryFolder();
  const profile = join(folder.path, "profile.yaml");
  await writeFile(profile, "name: other\ncapabilities: { tags: false }\nbinding: { pathPrefix: /other }\n");
  const { exitCode } = await rackproof(["contract", "write", folder.path, "--profile", profile]);
  expect(exitCode).toBe(0);
  const written = JSON.parse(await readFile(join(folder.path, "device.json"), "utf8")) as {
    interactions: { request: { path: string } }[];
  };
  expect(written.interactions.map(({ request }) => request.path.split("/")[1])).toEqual(
    written.interactions.map(() => "other"),
  );
  await expect(readFile(join(folder.path, "tags.json"))).rejects.toThrow("ENOENT");
});

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import { startProxy } from "../../alterations/proxy/proxy.ts";
import { statefulFaults } from "../support/statefulFaults.ts";

const adminPassword = "Compare-1!";
const environment = { COMPARE_PASSWORD: adminPassword };
const profileText = [
  "name: a gateway to compare with",
  "credentials: { name: admin, passwordEnvironment: COMPARE_PASSWORD }",
  "binding: { extensions: [deleteRole, deleteUser, deleteUpgradeJob] }",
  "switchableServices: [ntp, syslog]",
  "",
].join("\n");

test("the reference compared with itself shows nothing", async () => {
  await using folder = await temporaryFolder();
  const out = join(folder.path, "run");
  const { exitCode, stdout, stderr } = await rackproof([
    "compare",
    "process",
    "process",
    "--steps",
    "600",
    "--seed",
    "11",
    "--out",
    out,
    "--json",
  ]);
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  const result = JSON.parse(stdout) as { steps: number };
  expect(result).toMatchObject({ verdict: "alike", findings: [], brokenByBoth: [], seed: 11 });
  expect(result.steps).toBeGreaterThanOrEqual(600);
});

test.each(["deleted-tag-listed-until-another-is-created", "total-of-events-forgets-an-entry-after-an-alert"])(
  "a gateway with the fault %s differs from the reference, and its replay file shows it again",
  async (id) => {
    const fault = statefulFaults.find((one) => one.id === id);
    if (fault === undefined) throw new Error(`there is no fault ${id}`);
    await using folder = await temporaryFolder();
    await using gateway = await startProcessGateway({ adminPassword });
    await using proxy = await startProxy(gateway.baseUrl, fault.install);
    const profile = join(folder.path, "profile.yaml");
    await writeFile(profile, profileText);
    const out = join(folder.path, "run");
    const words = ["compare", "process", proxy.url, "--profile-b", profile];

    const first = await rackproof([...words, "--steps", "600", "--seed", "3", "--out", out], environment);
    expect(first).toMatchObject({ exitCode: 1 });
    const record = JSON.parse(await readFile(join(out, "comparison.json"), "utf8")) as {
      findings: { kind: string; steps: number; replay: string; requirements: { requirement: string }[] }[];
    };
    const finding = record.findings.find(({ kind }) => kind === "stated");
    expect(fault.breaks).toContain(finding?.requirements[0]?.requirement);
    expect(finding?.steps).toBeLessThanOrEqual(8);

    const replay = join(out, finding?.replay ?? "");
    expect(first.stdout).toContain(`--profile-b ${profile} --replay ${replay}`);
    const again = await rackproof(
      [...words, "--replay", replay, "--out", join(folder.path, "again")],
      environment,
    );
    expect(again).toMatchObject({ exitCode: 1 });
    expect(again.stdout).toContain(finding?.requirements[0]?.requirement);
    expect(await readFile(join(out, "exchanges-1.json"), "utf8")).not.toContain(adminPassword);
  },
);

test("a command that cannot be used says what would be right", async () => {
  await using folder = await temporaryFolder();
  const replay = join(folder.path, "replay.json");
  await writeFile(
    replay,
    JSON.stringify({ format: "rackproof/replay@1", seed: 1, shows: "", steps: [{ operation: "flyAway" }] }),
  );
  const broken = await rackproof(["compare", "process", "process", "--replay", replay]);
  expect(broken).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("flyAway is not an operation"),
  });
  await writeFile(
    replay,
    JSON.stringify({
      format: "rackproof/replay@1",
      seed: 1,
      shows: "",
      steps: [{ operation: "addUser", json: {} }],
    }),
  );
  const unsendable = await rackproof(["compare", "process", "process", "--replay", replay]);
  expect(unsendable).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("REPLAY_STEP") });
  const same = await rackproof(["compare", "http://127.0.0.1:9", "http://127.0.0.1:9"]);
  expect(same).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("expected two gateways") });
  const alone = await rackproof(["compare", "process", "http://127.0.0.1:9"]);
  expect(alone).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--profile-b") });
});

// The suite against gateways with an injected fault, through the command line.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SelfTestRecord } from "../../record/selfTest.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";

test("a sample of the faults is noticed, each by the requirement that it breaks", async () => {
  await using folder = await temporaryFolder();
  const out = join(folder.path, "selftest");
  const words = ["selftest", "--sample", "10", "--seed", "11", "--json", "--out", out];
  const { exitCode, stderr } = await rackproof(words);
  const { results, faults, gaps, fallenSilent } = JSON.parse(
    await readFile(join(out, "selftest.json"), "utf8"),
  ) as SelfTestRecord;
  const others = results.filter(({ outcome }) => outcome !== "killed");
  expect({ others, exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({
    others: [],
    exitCode: 0,
    stderr: "",
  });
  expect(results).toHaveLength(10);
  expect(results.filter(({ fault }) => fault.startsWith("derived/"))).toHaveLength(1);
  expect(faults).toBeGreaterThanOrEqual(150);
  expect({ gaps, fallenSilent }).toEqual({ gaps: [], fallenSilent: [] });
  expect(await readFile(join(out, "selftest.md"), "utf8")).toContain(
    "10 detected by the violated requirement",
  );
}, 400_000);

test("a gateway with a fault fails by the requirement that it violates, and its record names the fault", async () => {
  await using folder = await temporaryFolder();
  const out = join(folder.path, "run");
  const fault = "profile-counts-one-more";
  const select = "configuration/download-is-the-default-action";
  const words = ["run", "process", "--fault", fault, "--select", select, "--seed", "1", "--out", out];
  const { exitCode, stdout } = await rackproof(words);
  expect({ exitCode, stdout: exitCode === 1 ? "" : stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stdout).toContain("✕ CORE-CONFIG-39");
  expect(stdout).toContain(`rackproof run process --fault ${fault} --seed 1`);
  const record = JSON.parse(await readFile(join(out, "campaign.json"), "utf8")) as {
    gateway: { fault: string };
  };
  expect(record.gateway.fault).toBe(fault);
});

test.each([
  [["run", "process", "--fault", "no-such"], "--fault no-such: unknown fault. Fix: choose an id"],
  [
    ["run", "http://127.0.0.1:9", "--fault", "x"],
    "expected a gateway of kind process, container, qemu, found http://127.0.0.1:9",
  ],
  [["selftest", "--select", "no-such"], "--select no-such: expected ids or requirements"],
])("an unknown fault is an error of one line: %s", async (words, expected) => {
  const { exitCode, stderr } = await rackproof(words);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(expected) as string });
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

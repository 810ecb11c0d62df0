// The package as it would be published: installed in an empty folder, and used there.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/commandLine.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));

test("the packed package installs in an empty folder, and npx rackproof runs a campaign there", async () => {
  await using folder = await temporaryFolder();
  try {
    await execa("npm", ["pack", "--pack-destination", folder.path], { cwd: project });
    const [tarball = ""] = (await readdir(folder.path)).filter((name) => name.endsWith(".tgz"));
    const words = ["install", "--prefer-offline", "--no-audit", "--no-fund", join(folder.path, tarball)];
    await execa("npm", words, { cwd: folder.path });
  } finally {
    await rm(join(project, "dist"), { recursive: true, force: true });
  }
  const use = (...more: readonly string[]) =>
    execa("npx", ["rackproof", ...more], { cwd: folder.path, reject: false });
  const run = await use("run", "--level", "smoke", "--select", "roles", "--out", "run");
  expect({ exitCode: run.exitCode, stderr: run.exitCode === 0 ? "" : run.stderr }).toEqual({
    exitCode: 0,
    stderr: "",
  });
  expect(run.stdout).toContain("✓ Conformant");
  expect(await readdir(join(folder.path, "run"))).toContain("report.html");
  // What it starts by path lies elsewhere in the package than in the source.
  const faults = JSON.parse((await use("list", "faults", "--json")).stdout) as unknown[];
  expect(faults.length).toBeGreaterThanOrEqual(150);
  const sample = await use("selftest", "--select", "permissions-count-one-more", "--out", "selftest");
  expect({ exitCode: sample.exitCode, stdout: sample.stdout }).toMatchObject({ exitCode: 0 });
}, 300_000);

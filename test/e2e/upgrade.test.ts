// Upgrades on the reference gateway: a fault of an upgrade is detected by its requirement, and nothing is advised without one.
import { expect, test } from "vitest";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";

test("a gateway that loses its users at an upgrade is detected", async () => {
  await using folder = await temporaryFolder();
  const words = ["--fault", "upgrade-loses-users", "--select", "upgrade/install-and-boot", "--parallel", "1"];
  const { stdout } = await rackproof(["run", "process", ...words, "--out", folder.path]);
  expect(stdout).toContain("CORE-UPGRADE-76");
  expect(stdout).not.toContain("CORE-UPGRADE-77");
}, 120_000);

test("the reference gateway gives no reason for advice on rejected packages and systems that do not start", async () => {
  await using folder = await temporaryFolder();
  const select = "upgrade/rejected-packages,upgrade/system-that-does-not-start";
  const words = ["--level", "certification", "--select", select, "--parallel", "1", "--out", folder.path];
  const { exitCode, stdout } = await rackproof(["run", "process", ...words]);
  expect({ exitCode, hasAdvice: stdout.includes("Advice on") }).toEqual({ exitCode: 0, hasAdvice: false });
}, 120_000);

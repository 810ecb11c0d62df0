// Upgrades on the reference gateway: a fault of an upgrade is detected by its requirement.
import { expect, test } from "vitest";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";

test("a gateway that loses its users at an upgrade is detected", async () => {
  await using folder = await temporaryFolder();
  const words = ["--fault", "upgrade-loses-users", "--select", "upgrade/install-and-boot", "--parallel", "1"];
  const { stdout } = await rackproof(["run", "process", ...words, "--out", folder.path]);
  expect(stdout).toContain("CORE-UPGRADE-76");
  expect(stdout).not.toContain("CORE-UPGRADE-77");
}, 120_000);

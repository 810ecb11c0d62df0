import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import { startVariationProxy } from "../support/variationProxy.ts";

const adminPassword = "Variation-1!";

test("a gateway with another binding, more fields, slow answers and other error bodies is not accused", async () => {
  await using gateway = await startProcessGateway({ adminPassword });
  await using proxy = await startVariationProxy(gateway.baseUrl, {
    pathPrefix: "/vendor/core",
    otherMethods: true,
    extraFields: true,
    answerDelayMs: 300,
    otherErrorBody: true,
  });
  await using folder = await temporaryFolder();
  const profile = join(folder.path, "profile.yaml");
  await writeFile(profile, proxy.profile);

  // Cases that reboot, reset or move listeners see the gateway behind the proxy, not the proxy: they are left out.
  const { exitCode, stdout, stderr } = await rackproof(
    [
      "run",
      proxy.url,
      "--profile",
      profile,
      "--level",
      "smoke",
      "--select",
      "!reboots,!resets",
      "--out",
      join(folder.path, "run"),
      "--json",
    ],
    { VARIATION_PASSWORD: adminPassword },
  );

  const open = stderr.split("\n").filter((line) => /^(fail|error|inconclusive) /.test(line));
  expect({ exitCode, open }).toEqual({ exitCode: 0, open: [] });
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "conformant" });
}, 900_000);

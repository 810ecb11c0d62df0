// A gateway that reboots too early, too late or never after it applied a configuration fails by that requirement alone.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCampaign } from "../../record/store.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";

const adminPassword = "Reboot-delay-1!";
const profileText = `name: a gateway that reboots at its own time
serialNumber: RP1000-000001
credentials:
  name: admin
  passwordEnvironment: DELAY_PASSWORD
`;

/** Verdict of the case, and the requirements that failed in it. */
async function judged(delayMs: number) {
  await using gateway = await startProcessGateway({
    adminPassword,
    gatewayOptions: ["--reboot-delay-ms", String(delayMs)],
  });
  await using folder = await temporaryFolder();
  const profile = join(folder.path, "profile.yaml");
  await writeFile(profile, profileText);
  const out = join(folder.path, "run");
  const select = "configuration/apply-reboots-after-5s";
  const words = ["run", gateway.baseUrl, "--profile", profile, "--select", select, "--out", out, "--json"];
  await rackproof(words, { DELAY_PASSWORD: adminPassword });
  const { cases } = await readCampaign(out);
  const found = cases.find(({ id }) => id === select);
  const failed = found?.decided.filter(({ verdict }) => verdict === "fail") ?? [];
  return { verdict: found?.verdict, failed: failed.map(({ requirement }) => requirement) };
}

const never = 2_000_000_000;

// Each run waits for its own gateway most of the time.
// The early one is as far from the limits, and from 5 s after the upload before, as a busy machine may measure wrongly.
test.concurrent.each([
  [2300, "fail"],
  [5000, "pass"],
  [6500, "fail"],
  [never, "fail"],
])(
  "a gateway that reboots after %i ms: %s",
  async (delayMs, verdict) => {
    const failed = verdict === "fail" ? ["CORE-CONFIG-31"] : [];
    expect(await judged(delayMs)).toEqual({ verdict, failed });
  },
  120_000,
);

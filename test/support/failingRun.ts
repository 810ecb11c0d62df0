// A real run over a gateway that breaks three requirements: one of time, one of content, one of shape.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { monotonicClock } from "../../harness/clock.ts";
import type { RunningGateway } from "../../rigs/gateway/gateway.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { rackproof, temporaryFolder } from "./commandLine.ts";
import { everyCall } from "../../alterations/mechanism/operationAlterations.ts";
import { startProxy } from "../../alterations/proxy/proxy.ts";

const adminPassword = "Failing-run-1!";
/** The interface says 5 seconds. */
const rebootDelayMs = 8000;
/** A machine that is busy with something else must not miss that the gateway was away. */
const leastAwayMs = 2500;
const profileText = `name: example gateway
gateway: { version: 4.1.0 }
serialNumber: RP1000-000001
credentials:
  name: admin
  passwordEnvironment: FAILING_RUN_PASSWORD
`;

export const lateRebootCase = "configuration/apply-reboots-after-5s";
export const wrongPortCase = "services/ssh-configuration-is-kept";

function wentDownLately({ sightings = [] }: RunningGateway): boolean {
  const down = sightings.findLast(({ what }) => what === "down");
  return down !== undefined && monotonicClock.nowMs() - down.at.high < leastAwayMs;
}

/** Leaves the run in the folder and answers rackproof's exit code. */
export async function failingRun(
  out: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  await using gateway = await startProcessGateway({
    adminPassword,
    gatewayOptions: ["--reboot-delay-ms", String(rebootDelayMs)],
  });
  // The SSH port is shown one too high, and the list of roles has no count.
  await using proxy = await startProxy(gateway.baseUrl, (at) => {
    at.data("getSsh", (ssh) => ({ ...ssh, port: Number(ssh["port"]) + 1 }));
    at.answer("listRoles", ({ count: _count, ...body }) => body);
    at.around(everyCall, (call, proceed) => {
      if (wentDownLately(gateway)) throw new Error("the gateway is down");
      return proceed(call);
    });
  });
  await using folder = await temporaryFolder();
  const profile = join(folder.path, "profile.yaml");
  await writeFile(profile, profileText);
  const select = [lateRebootCase, "services", "general"].join(",");
  const words = ["run", proxy.url, "--profile", profile, "--select", select, "--seed", "7", "--out", out];
  const { exitCode } = await rackproof([...words, "--json"], {
    FAILING_RUN_PASSWORD: adminPassword,
    ...environment,
  });
  return exitCode;
}

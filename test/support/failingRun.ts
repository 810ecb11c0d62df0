// A real run over a gateway that breaks three requirements: one of time, one of content, one of shape.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { monotonicClock } from "../../harness/clock.ts";
import type { RunningGateway } from "../../rigs/gateway/gateway.ts";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { rackproof, temporaryFolder } from "./commandLine.ts";
import { type Misbehaviour, startFaultyProxy } from "./faultyProxy.ts";

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

/** The SSH port is shown one too high, and lists do not count their items. */
const misbehave: Misbehaviour = async (call) => {
  const answer = await call.send();
  if (call.method !== "GET" || answer.status >= 300) return answer;
  if (call.path.endsWith("/sshserver")) return { ...answer, body: withData(answer.body, portTooHigh) };
  if (call.path === "/roles") return { ...answer, body: withoutCount(answer.body) };
  return answer;
};

type Fields = Record<string, unknown>;

function withData(body: unknown, change: (data: Fields) => Fields): unknown {
  const { data } = (body ?? {}) as { data?: Fields };
  return { ...(body as Fields), data: change(data ?? {}) };
}

function portTooHigh(data: Fields): Fields {
  return { ...data, port: Number(data["port"]) + 1 };
}

function withoutCount(body: unknown): unknown {
  const { count: _count, ...rest } = (body ?? {}) as Fields;
  return rest;
}

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
  await using proxy = await startFaultyProxy(gateway.baseUrl, (call) => {
    if (wentDownLately(gateway)) throw new Error("the gateway is away");
    return misbehave(call);
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

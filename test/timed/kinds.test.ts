// The same suite on every kind of gateway: equal verdicts, and nothing left behind.
import { join } from "node:path";
import { setTimeout as timer } from "node:timers/promises";
import { execa } from "execa";
import { beforeAll, expect, test } from "vitest";
import { startContainerGateway } from "../../rigs/container/containerGateway.ts";
import { decidedCases } from "../support/decidedCases.ts";
import { nightlyRun } from "../support/sharedRuns.ts";
import { rackproof, startUntil, temporaryFolder } from "../support/commandLine.ts";
import { lacks, lacksEngine } from "../support/equipment.ts";

/** What depends on the kind of the gateway: how devices and clients reach it, what it keeps, and how it starts again. */
const dependsOnTheKind = "smoke,field,configuration/apply-reboots-after-5s,reset/sync-resets-at-once";
/** Each takes an emulator many seconds; passwords are hashed and files are packed there as anywhere. */
const slowOnEmulators = [
  "configuration/select-and-filter",
  "log/download-is-a-zip",
  "upgrade/configuration-is-kept",
  "users",
  "roles",
  "auth",
  "authorisation",
  "events/created-entries-are-listed",
  "concurrency",
  "hostile",
  "field/faults-stay-where-they-are",
  "field/opcua-server",
  "field/values-without-a-number",
  "field/writes-reach-the-device",
];
const isWithoutEngine = await lacksEngine();
const isWithoutEmulator = lacks("qemu-system-x86_64", "qemu");

/** What a smoke campaign on a kind showed. */
interface OnKind {
  readonly exitCode: number | undefined;
  readonly exitCodeOfPass: number;
  readonly notConfirmed: readonly string[];
  /** The verdict of every case, with the reason of open ones. */
  readonly verdicts: Record<string, string>;
}

async function verdictsOn(kind: string, ...more: readonly string[]): Promise<OnKind> {
  await using folder = await temporaryFolder();
  const words = ["run", kind, "--level", "smoke", "--seed", "7", "--json", "--out", folder.path, ...more];
  const { exitCode } = await rackproof(words);
  return { exitCode, ...(await verdictsIn(folder.path)) };
}

async function verdictsIn(folder: string): Promise<Omit<OnKind, "exitCode">> {
  const { decided, ...rest } = await decidedCases(folder);
  const verdicts = decided
    // Only some kinds have the equipment that these need, and some belong to longer runs only.
    .filter(({ id, reasonCode }) => !id.startsWith("resilience/") && reasonCode !== "level")
    .map(({ id, verdict, reason }) => [
      id,
      verdict === "pass" || verdict === "not-applicable" ? verdict : `${verdict}: ${reason ?? ""}`,
    ]);
  return { ...rest, verdicts: Object.fromEntries(verdicts) as Record<string, string> };
}

let onProcess: Omit<OnKind, "exitCode">;

beforeAll(async () => {
  onProcess = await verdictsIn((await nightlyRun()).folder);
}, 300_000);

/** Compares with the verdicts of the process for the same cases. */
function expectAsOnProcess({ exitCode, exitCodeOfPass, verdicts }: OnKind): void {
  const compared = Object.entries(verdicts).filter(([id]) => !onProcess.notConfirmed.includes(id));
  const expected = Object.fromEntries(compared.map(([id]) => [id, onProcess.verdicts[id]]));
  expect({ exitCode, verdicts: Object.fromEntries(compared) }).toEqual({
    exitCode: exitCodeOfPass,
    verdicts: expected,
  });
}

test.skipIf(isWithoutEngine)(
  "a contained gateway gets the verdicts of the process",
  async () => {
    const shown = await verdictsOn("container", "--select", dependsOnTheKind);
    expectAsOnProcess(shown);
    expect(Object.keys(shown.verdicts).length).toBeGreaterThan(100);
  },
  400_000,
);

test.skipIf(isWithoutEmulator)(
  "an emulated gateway gets the verdicts of the process",
  async () => {
    const select = [dependsOnTheKind, ...slowOnEmulators.map((id) => `!${id}`)].join(",");
    // One at a time: what is compared here are verdicts, and two emulators side by side want more than two cores.
    const shown = await verdictsOn("qemu", "--parallel", "1", "--select", select);
    expectAsOnProcess(shown);
    expect(Object.keys(shown.verdicts).length).toBeGreaterThan(50);
  },
  900_000,
);

test.skipIf(isWithoutEngine)(
  "the engine pauses, limits and stops a contained gateway, and power restarts it",
  async () => {
    await using gateway = await startContainerGateway({ adminPassword: "Container-hold-1" });
    const { container, power, baseUrl } = gateway;
    const answers = (): Promise<boolean> =>
      fetch(baseUrl, { signal: AbortSignal.timeout(1000) }).then(
        () => true,
        () => false,
      );
    expect(await answers()).toBe(true);
    await container?.pause();
    expect(await answers()).toBe(false);
    await container?.resume();
    expect(await answers()).toBe(true);
    await container?.limit({ memoryMiB: 512, cpus: 0.5 });
    expect(await answers()).toBe(true);
    await container?.stop();
    expect(await answers()).toBe(false);
    await power?.restore();
    await expect.poll(answers, { timeout: 30_000 }).toBe(true);
  },
  120_000,
);

test.skipIf(isWithoutEngine || isWithoutEmulator)(
  "a campaign that is killed leaves neither emulator nor container once rackproof clean has run",
  async () => {
    for (const kind of ["qemu", "container"]) {
      await using folder = await temporaryFolder();
      const words = ["run", kind, "--parallel", "1", "--out", join(folder.path, "run")];
      await using campaign = await startUntil(words, /is reachable at/);
      campaign.kill("SIGKILL");
      await timer(500);
      expect((await rackproof(["clean"])).exitCode).toBe(0);
    }
    const { stdout } = await execa("ps", ["-eo", "args"]);
    expect(stdout.split("\n").filter((line) => /qemu-system.*rackproof-/.test(line))).toEqual([]);
    const containers = await execa("docker", ["ps", "-aq", "--filter", "name=rackproof-"]);
    const networks = await execa("docker", ["network", "ls", "-q", "--filter", "name=rackproof-"]);
    expect([containers.stdout, networks.stdout]).toEqual(["", ""]);
  },
  180_000,
);

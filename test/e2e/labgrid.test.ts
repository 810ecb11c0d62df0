// Gateways that are places of labgrid: a real coordinator, a real exporter and its ser2net.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startProcessGateway } from "../../rigs/process/processGateway.ts";
import { readRack } from "../../harness/index.ts";
import { openConsole } from "../../rigs/console/console.ts";
import { Coordinator } from "../../rigs/labgrid/coordinator.ts";
import { HeldPlace } from "../../rigs/labgrid/heldPlace.ts";
import type { RunningGateway } from "../../rigs/gateway/gateway.ts";
import { whyNotReady } from "../../rigs/remote/remoteGateway.ts";
import { rackproof, startRackproof, temporaryFolder } from "../support/commandLine.ts";
import { lacksLabgrid } from "../support/equipment.ts";
import { type Lab, startLab } from "../support/labgrid.ts";

const password = "Labgrid-1!";

/** A reference gateway whose power is the relay of the lab. */
async function startBench(): Promise<
  { readonly gateway: RunningGateway; readonly lab: Lab } & AsyncDisposable
> {
  await using stack = new AsyncDisposableStack();
  const gateway = stack.use(await startProcessGateway({ adminPassword: password }));
  const lab = stack.use(
    await startLab({
      places: { "bench-on": { model: "x200", site: "berlin" } },
      switchTo: async (isOn) => (isOn ? gateway.power?.restore() : gateway.power?.cut()),
    }),
  );
  const whole = stack.move();
  return { gateway, lab, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}

function environmentOf(lab: Lab): Readonly<Record<string, string>> {
  return { ...lab.environment, RACKPROOF_PASSWORD: password };
}

async function rackOf(
  { gateway, lab }: { gateway: RunningGateway; lab: Lab },
  folder: string,
): Promise<string> {
  const profile = new URL("../../rigs/process/reference.profile.yaml", import.meta.url);
  await writeFile(join(folder, "p.yaml"), await readFile(profile));
  const file = join(folder, "rack.yaml");
  await writeFile(
    file,
    [
      "gateways:",
      "  bench:",
      `    url: ${gateway.baseUrl}`,
      "    profile: p.yaml",
      `    labgrid: { coordinator: "${lab.coordinator}", place: bench-on }`,
      "    console: labgrid@57600",
      "    power: { driver: labgrid }",
      "",
    ].join("\n"),
  );
  return file;
}

/** HOST/USER of the present holder; empty while the place is free. */
async function holderOf({ coordinator }: Lab): Promise<string | undefined> {
  await using session = await Coordinator.connect(coordinator, "desk/watcher");
  return session.places.get("bench-on")?.acquired;
}

/** Waits until a run has acquired the place with all its resources. */
async function untilHeld({ coordinator }: Lab): Promise<void> {
  await vi.waitFor(
    async () => {
      await using session = await Coordinator.connect(coordinator, "desk/watcher");
      const place = session.places.get("bench-on");
      expect(place?.acquired).toMatch(/^desk\/rackproof-\d+-/);
      expect(place?.acquired_resources).toHaveLength(3);
    },
    { timeout: 30_000, interval: 100 },
  );
}

describe.skipIf(lacksLabgrid())("a place of labgrid", () => {
  let bench: Awaited<ReturnType<typeof startBench>>;
  beforeAll(async () => {
    bench = await startBench();
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
  });

  test("is acquired for a run, which reads its serial port at the speed of the rack file, and released after", async () => {
    const { lab } = bench;
    await using folder = await temporaryFolder();
    const words = ["--rack", await rackOf(bench, folder.path), "--out", join(folder.path, "run")];
    const run = startRackproof(["run", "bench", ...words], environmentOf(lab));
    await untilHeld(lab);
    await vi.waitFor(
      async () => expect((await execa("stty", ["-F", lab.line.near, "speed"])).stdout).toBe("57600"),
      { timeout: 10_000 },
    );
    await using device = await openConsole({ kind: "serial", path: lab.line.far, baudRate: 57_600 });
    device.send("boot loader 1.2\n");
    await vi.waitFor(
      async () =>
        expect(await readFile(join(folder.path, "run", "live.jsonl"), "utf8")).toContain("boot loader 1.2"),
      { timeout: 20_000 },
    );
    run.kill("SIGINT");
    expect((await run).exitCode).toBe(130);
    expect(await holderOf(lab)).toBe("");
  });

  test("is switched by labgrid-client under the name of the run", async () => {
    const { lab, gateway } = bench;
    await using folder = await temporaryFolder();
    const rack = await rackOf(bench, folder.path);
    const power = (action: string) =>
      rackproof(["rig", "power", action, "bench", "--rack", rack], environmentOf(lab));
    expect(await power("off")).toMatchObject({ exitCode: 0, stdout: "place bench-on is off" });
    expect(await whyNotReady(gateway.baseUrl)).toBeDefined();
    expect(await power("on")).toMatchObject({ exitCode: 0, stdout: "place bench-on is on" });
    expect(lab.switched).toEqual([false, true]);
    expect(await holderOf(lab)).toBe("");
  });

  test("stays acquired by a run that was killed, and the next command releases it", async () => {
    const { lab } = bench;
    await using folder = await temporaryFolder();
    const rack = await rackOf(bench, folder.path);
    const environment = environmentOf(lab);
    const words = ["run", "bench", "--rack", rack, "--out", join(folder.path, "run")];
    const victim = startRackproof(words, environment);
    await untilHeld(lab);
    victim.kill("SIGKILL");
    await victim;
    expect(await holderOf(lab)).toMatch(/^desk\/rackproof-/);
    const { stdout, exitCode } = await rackproof(["doctor", "--rack", rack], environment);
    expect([stdout, exitCode]).toEqual([
      expect.stringMatching(/console labgrid@57600: opens.*reports on/s),
      0,
    ]);
    expect(await holderOf(lab)).toBe("");
  });

  test("ends the run when somebody else takes it by force", async () => {
    const { lab } = bench;
    await using folder = await temporaryFolder();
    const rack = await rackOf(bench, folder.path);
    const environment = environmentOf(lab);
    const words = ["run", "bench", "--rack", rack, "--out", join(folder.path, "kicked")];
    const kicked = startRackproof(words, environment);
    await untilHeld(lab);
    await lab.client("-p", "bench-on", "release", "--kick");
    await lab.client("-p", "bench-on", "acquire");
    expect((await kicked).exitCode).toBe(3);
    const record = await readFile(join(folder.path, "kicked", "campaign.json"), "utf8");
    expect(JSON.parse(record)).toMatchObject({ complete: false });
    expect(record).toMatch(
      /place bench-on of labgrid \S+ (is in use by desk\/ada|was released by another client)/,
    );
    expect(await holderOf(lab)).toBe("desk/ada");
    // Somebody else has it: the command names the holder.
    const { stderr, exitCode } = await rackproof(
      ["rig", "power", "read", "bench", "--rack", rack],
      environment,
    );
    expect([stderr, exitCode]).toEqual([
      expect.stringMatching(/is in use by desk\/ada.*\[GATEWAY_HELD\]/),
      2,
    ]);
    await lab.client("-p", "bench-on", "release");
  });

  test("is waited for in the queue of the coordinator", async () => {
    const { lab } = bench;
    await using ada = await Coordinator.connect(lab.coordinator, "desk/ada");
    await ada.acquire("bench-on");
    const wish = { coordinator: lab.coordinator, place: "bench-on", holder: "desk/rackproof-queue" };
    await expect(HeldPlace.take(wish)).rejects.toThrow("is in use by desk/ada");
    await expect(HeldPlace.take({ ...wish, waitMs: 700 })).rejects.toThrow("is in use by desk/ada");
    const waiting = HeldPlace.take({ ...wish, waitMs: 20_000 });
    await vi.waitFor(async () => expect(await lab.client("reservations")).toContain("state: waiting"), {
      timeout: 20_000,
    });
    await ada.release("bench-on", "desk/ada");
    const held = await waiting;
    expect(held.lost.aborted).toBe(false);
    await ada.sync();
    expect(ada.places.get("bench-on")).toMatchObject({ acquired: wish.holder, reservation: "" });
    expect(await held.release()).toBe(true);
    expect(await holderOf(lab)).toBe("");
  });

  test("becomes a gateway by its tags, and a night acquires it once for its check and its runs", async () => {
    const { lab } = bench;
    await using folder = await temporaryFolder();
    const rack = await rackOf(bench, folder.path);
    const { port } = new URL(bench.gateway.baseUrl);
    const text = await readFile(rack, "utf8");
    await writeFile(
      rack,
      text
        .replace(/url: .*/, `url: "http://{address}:${port}"`)
        .replace("place: bench-on", "tags: { model: x200 }"),
    );
    const gateways = await readRack(rack);
    expect(gateways).toMatchObject([
      { name: "bench-on", url: `http://127.0.0.1:${port}`, labels: { model: "x200", site: "berlin" } },
    ]);
    const holders = new Set<string>();
    await using ada = await Coordinator.connect(lab.coordinator, "desk/ada");
    const seen = setInterval(() => holders.add(ada.places.get("bench-on")?.acquired ?? "deleted"), 20);
    const { stdout, exitCode } = await rackproof(
      [
        "nightly",
        "--rack",
        rack,
        "--select",
        "declaration/declared-and-served",
        "--out",
        folder.path,
        "--json",
      ],
      environmentOf(lab),
    );
    clearInterval(seen);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ gateways: [{ gateway: "bench-on", outcome: "conformant" }] });
    expect([...holders]).toEqual(["", expect.stringMatching(/^desk\/rackproof-/)]);
    await ada.sync();
    expect(ada.places.get("bench-on")?.acquired).toBe("");
  });

  test("is acquired again from a coordinator that was started again, and lost when that is away for too long", async () => {
    const { lab } = bench;
    const wish = { coordinator: lab.coordinator, place: "bench-on", holder: "desk/rackproof-away" };
    const held = await HeldPlace.take(wish);
    const before = held.console();
    await lab.stopCoordinator();
    await lab.stopExporter();
    await lab.startCoordinator();
    await lab.startExporter();
    await vi.waitFor(() => expect(held.console().port).not.toBe(before.port), { timeout: 20_000 });
    expect(await holderOf(lab)).toBe(wish.holder);
    expect(held.lost.aborted).toBe(false);
    expect(await held.release()).toBe(true);

    const brief = await HeldPlace.take({ ...wish, awayMs: 100 });
    await lab.stopCoordinator();
    await vi.waitFor(() => expect(brief.lost.aborted).toBe(true), { timeout: 20_000 });
    expect(String(brief.lost.reason)).toContain("away for more than 0.1 s");
    expect(await brief.release()).toBe(false);
  });
});

// How fast an emulated machine is here: one boot is measured, and the same program started directly on this machine.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import Type from "typebox";
import type { ArchitectureName } from "../../interface/vocabulary/gatewayKinds.ts";
import { checker } from "../../interface/schema/validate.ts";
import { oncePerBoot } from "../host/oncePerBoot.ts";
import { architectureOf } from "./architecture.ts";
import type { Pace } from "./budgets.ts";
import { type QemuImage, qemuImage } from "./image.ts";
import { startQemuGateway } from "./qemuGateway.ts";

const StoredPace = Type.Object({
  bootMs: Type.Number({ exclusiveMinimum: 0 }),
  slowness: Type.Number({ exclusiveMinimum: 0 }),
});
const isPace = checker(StoredPace);

/** The line of the machine before it starts the gateway. */
const beginning = "init: starting the gateway";
/** A machine that takes longer is of no use for a campaign. */
const longestBootMs = 600_000;
const longestStartMs = 120_000;
/** The first fills the cache of compiled code, and the others show what a busy moment added. */
const directStarts = 3;

/** The pace of emulated gateways of the architecture; measured once per boot of the host and per image. */
export async function paceOfQemu(
  name: ArchitectureName | undefined,
  say: (line: string) => void = () => undefined,
): Promise<Pace> {
  const architecture = architectureOf(name);
  const image = await qemuImage(architecture, say);
  const file = join(image.folder, "pace");
  return oncePerBoot(file, parsePace, async () => {
    say(`measuring the emulated ${architecture.name} machine`);
    const pace = await measured(architecture.name, image);
    const seconds = (pace.bootMs / 1000).toFixed(1);
    say(`it boots in ${seconds} s and is ${pace.slowness.toFixed(1)} times as slow as this machine`);
    return pace;
  });
}

async function measured(architecture: ArchitectureName, image: QemuImage): Promise<Pace> {
  // Before and after the boot: a moment in which this machine is busy must not make the emulated one look fast.
  const beforeMs = await directStartMs(image.program);
  const emulated = await bootOnce(architecture);
  const directMs = Math.min(beforeMs, await directStartMs(image.program));
  return { bootMs: emulated.bootMs, slowness: Math.max(1, emulated.startMs / directMs) };
}

async function bootOnce(architecture: ArchitectureName): Promise<{ bootMs: number; startMs: number }> {
  const adminPassword = `Pace-${randomBytes(6).toString("hex")}`;
  await using gateway = await startQemuGateway({
    adminPassword,
    architecture,
    bootDeadlineMs: longestBootMs,
  });
  const readyMs = performance.now();
  const begun = gateway.console?.find(({ text }) => text.startsWith(beginning));
  const powered = gateway.sightings?.find(({ what }) => what === "power-on");
  if (begun === undefined || powered === undefined)
    throw new Error(`the emulated gateway booted without the line "${beginning}"`);
  return { bootMs: readyMs - powered.at.low, startMs: readyMs - begun.monotonicMs };
}

/** Shortest time in which the program of the image starts directly on this machine. */
async function directStartMs(program: string): Promise<number> {
  const startsMs: number[] = [];
  for (let number = 0; number < directStarts; number++) startsMs.push(await startOnce(program));
  return Math.min(...startsMs);
}

async function startOnce(program: string): Promise<number> {
  const state = await mkdtemp(join(tmpdir(), "rackproof-pace-"));
  try {
    const startedMs = performance.now();
    const gateway = execa(
      process.execPath,
      [
        ["--max-semi-space-size=4", join(program, "dist/main.js")],
        ["--state", state, "--certificate", join(program, "certificate.json")],
      ].flat(),
      {
        env: { NODE_COMPILE_CACHE: join(program, "cache"), NODE_COMPILE_CACHE_PORTABLE: "1" },
        stdin: "pipe",
        reject: false,
        timeout: longestStartMs,
      },
    );
    await Promise.race([once(gateway.stdout, "data"), gateway]);
    const tookMs = performance.now() - startedMs;
    // Its end, unlike a signal, cannot come before the gateway expects it.
    gateway.stdin.end();
    const { exitCode, stderr } = await gateway;
    if (exitCode !== 0) throw new Error(`the bundled gateway failed on this machine: ${stderr}`);
    return tookMs;
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

function parsePace(text: string): Pace | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPace(value).length === 0 ? (value as Pace) : undefined;
  } catch {
    return undefined;
  }
}

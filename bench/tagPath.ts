// The whole path, measured by the suite itself: registers of 33 devices, the gateway, four streaming clients.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { parse, stringify } from "yaml";
import { readCampaign } from "../record/store.ts";
import { type BenchRow, notMeasured, outcomeOf } from "./table.ts";

const program = fileURLToPath(new URL("../bin/rackproof.mjs", import.meta.url));
const profileFile = fileURLToPath(new URL("../rigs/process/reference.profile.yaml", import.meta.url));
const changesPerSec = 20_480;
const clients = 4;
const pollIntervalMs = 50;
const graceMs = 15;

export async function benchTagPath(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-bench-"));
  try {
    const profile = join(folder, "profile.yaml");
    const plain = parse(await readFile(profileFile, "utf8")) as object;
    const throughput = { changesPerSec, clients, latencyP99Ms: pollIntervalMs + graceMs };
    await writeFile(profile, stringify({ ...plain, throughput }));
    const cases = "throughput/latency,throughput/sustained-load";
    const words = ["run", "process", "--profile", profile, "--level", "certification", "--select", cases];
    await execa(process.execPath, [program, ...words, "--out", folder], { reject: false });
    const { cases: records } = await readCampaign(folder);
    const sustained = records.find(({ id }) => id === "throughput/sustained-load");
    const measured = records.find(({ id }) => id === "throughput/latency")?.measurements ?? [];
    const latency = (name: string): number =>
      measured.find((one) => one.name === `latency ${name}`)?.high ?? Number.NaN;
    const titles = {
      sustained: `${changesPerSec} changes/s from registers to ${clients} clients for 60 s`,
      latency: `latency from register to client, polled every ${pollIntervalMs} ms, p99`,
    };
    if (sustained === undefined || Number.isNaN(latency("p99"))) {
      const missing = sustained?.reason ?? "a finished campaign";
      return Object.values(titles).map((what) => notMeasured(what, missing));
    }
    return [
      {
        what: titles.sustained,
        measured: sustained.checks[0]?.observed ?? sustained.reason ?? "no check",
        peer: "-",
        ratio: "-",
        limit: "no loss, repeat or disorder",
        outcome: outcomeOf(sustained.verdict === "pass"),
      },
      {
        what: titles.latency,
        measured: `${latency("p99").toFixed(1)} ms (p50 ${latency("p50").toFixed(1)}, p99.9 ${latency("p99.9").toFixed(1)}, max ${latency("max").toFixed(1)})`,
        peer: "-",
        ratio: "-",
        limit: `at most ${pollIntervalMs + graceMs} ms`,
        outcome: outcomeOf(latency("p99") <= pollIntervalMs + graceMs),
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

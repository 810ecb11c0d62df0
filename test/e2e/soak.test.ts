// A soak of seconds on the process gateway: interrupted, resumed, judged.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { rackproof, startRackproof, temporaryFolder } from "../support/commandLine.ts";

interface StoredSoak {
  readonly verdict: string;
  readonly complete: boolean;
  readonly soakedSec: number;
  readonly changes: { readonly received: number; readonly lost: number };
  readonly restarts: { readonly ordered: number; readonly unordered: number };
  readonly findings: readonly {
    readonly id: string;
    readonly verdict: string;
    readonly needsMinutes?: number;
  }[];
  readonly timeline: readonly { readonly kind: string }[];
  readonly left: readonly string[];
}

const storedIn = async (folder: string): Promise<StoredSoak> =>
  JSON.parse(await readFile(join(folder, "soak.json"), "utf8")) as StoredSoak;

/** Samples with changes in the journal: on a busy machine the first ones come before any stream is open. */
const samplesWithChanges = async (out: string): Promise<number> => {
  const lines = (await readFile(join(out, "soak.jsonl"), "utf8")).split("\n");
  return lines.filter(
    (line) => line.startsWith('{"kind":"sample"') && /"changes":\{"received":[1-9]/.test(line),
  ).length;
};

const mixText = "measure: { intervalSec: 0.5, warmUpSec: 1 }\n";

/** Runs the command until it has written so many samples with changes, and interrupts it. */
async function interruptedAfter(samples: number, out: string, words: readonly string[]): Promise<StoredSoak> {
  const running = startRackproof(words);
  await vi.waitFor(
    async () => {
      expect(await samplesWithChanges(out)).toBeGreaterThanOrEqual(samples);
    },
    { timeout: 60_000, interval: 50 },
  );
  running.kill("SIGINT");
  expect(await running).toMatchObject({ exitCode: 130 });
  return storedIn(out);
}

test.concurrent("an interrupted soak keeps its results and continues where it ended", async () => {
  await using folder = await temporaryFolder();
  const out = join(folder.path, "soak");
  const mix = join(folder.path, "mix.yaml");
  await writeFile(mix, mixText);
  const begin = ["soak", "process", "--hours", "1", "--seed", "7", "--mix", mix, "--out", out];
  const first = await interruptedAfter(1, out, begin);
  expect(first).toMatchObject({ complete: false, left: [] });
  const second = await interruptedAfter((await samplesWithChanges(out)) + 3, out, ["soak", "--resume", out]);
  expect(second).toMatchObject({ complete: false, left: [], restarts: { ordered: 0, unordered: 0 } });
  expect(second.timeline.filter(({ kind }) => kind === "interruption")).toHaveLength(2);
  expect(second.soakedSec).toBeGreaterThan(first.soakedSec + 1);
  expect(second.changes.received).toBeGreaterThan(first.changes.received);
  expect(second.changes.lost).toBe(0);
});

test.concurrent("a soak that is too short for trends says how long it needs, and is inconclusive", async () => {
  await using folder = await temporaryFolder();
  const out = join(folder.path, "soak");
  const mix = join(folder.path, "mix.yaml");
  await writeFile(mix, mixText);
  const words = ["soak", "process", "--minutes", "0.03", "--seed", "7", "--mix", mix, "--out", out, "--json"];
  const ended = await rackproof(words);
  expect(ended).toMatchObject({ exitCode: 3 });
  expect(JSON.parse(ended.stdout)).toMatchObject({ verdict: "inconclusive", complete: true, seed: 7 });
  const { findings, left } = await storedIn(out);
  expect(left).toEqual([]);
  expect(findings.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  expect(findings.find(({ id }) => id === "memory")).toMatchObject({
    verdict: "inconclusive",
    needsMinutes: expect.any(Number),
  });
  const again = await rackproof(["soak", "--resume", out]);
  expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("SOAK_FOLDER") });
});

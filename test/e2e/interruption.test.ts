import { access, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { rackproof, startRackproof, temporaryFolder } from "../support/commandLine.ts";

/** Processes whose command line names one of the state folders. */
async function processesOf(folders: readonly string[]): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => folders.some((folder) => line.includes(folder)));
}

/** State folders that the process noted for removal; other campaigns may run on the same machine. */
async function foldersOf(ownerPid: number | undefined): Promise<string[]> {
  const ledger = join(tmpdir(), "rackproof-ledger");
  const names = await readdir(ledger).catch(() => []);
  const texts = await Promise.all(
    names.map((name) => readFile(join(ledger, name), "utf8").catch(() => "{}")),
  );
  const entries = texts.map((text) => JSON.parse(text) as { path?: string; ownerPid?: number });
  return entries.flatMap((entry) =>
    entry.ownerPid === ownerPid && entry.path !== undefined ? [entry.path] : [],
  );
}

test("a campaign that is killed leaves no process, and the next run removes its folders", async () => {
  await using folder = await temporaryFolder();
  const victim = startRackproof(["run", "process", "--out", join(folder.path, "killed")]);
  let folders: string[] = [];
  await vi.waitFor(
    async () => {
      folders = await foldersOf(victim.pid);
      expect((await processesOf(folders)).length).toBeGreaterThanOrEqual(4);
    },
    { timeout: 20_000, interval: 100 },
  );
  victim.kill("SIGKILL");
  await victim;
  await vi.waitFor(async () => expect(await processesOf(folders)).toEqual([]), {
    timeout: 10_000,
    interval: 100,
  });

  const { exitCode } = await rackproof([
    "run",
    "process",
    "--select",
    "declaration/declared-and-served",
    "--out",
    join(folder.path, "next"),
  ]);
  expect(exitCode).toBe(0);
  const left = await Promise.all(
    folders.map((path) =>
      access(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  expect(left.flat()).toEqual([]);
});

test("Ctrl-C keeps what was measured and ends with 130", async () => {
  await using folder = await temporaryFolder();
  const run = startRackproof(["run", "process", "--out", folder.path]);
  await vi.waitFor(
    async () => expect((await readdir(join(folder.path, "exchanges"))).length).toBeGreaterThan(3),
    { timeout: 30_000, interval: 50 },
  );
  run.kill("SIGTERM");
  const { exitCode } = await run;
  expect(exitCode).toBe(130);
  const record = JSON.parse(await readFile(join(folder.path, "campaign.json"), "utf8")) as {
    complete: boolean;
    cases: { verdict: string }[];
  };
  expect(record.complete).toBe(false);
  expect(record.cases.some((one) => one.verdict === "pass")).toBe(true);
});

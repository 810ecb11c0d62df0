import { access, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import { expect, test, vi } from "vitest";
import { rackproof, startRackproof, temporaryFolder } from "../support/commandLine.ts";
import { startedBy } from "../support/oldNode.ts";

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

interface StoredRecord {
  readonly complete: boolean;
  readonly cases: readonly { readonly verdict: string }[];
}

async function recordIn(folder: string): Promise<StoredRecord> {
  return JSON.parse(await readFile(join(folder, "campaign.json"), "utf8")) as StoredRecord;
}

/** An incomplete record with the cases that ran before the interruption. */
async function expectPartialRecord(folder: string): Promise<void> {
  const record = await recordIn(folder);
  expect(record.complete).toBe(false);
  expect(record.cases.some((one) => one.verdict === "pass")).toBe(true);
}

async function untilCasesRan(folder: string): Promise<void> {
  await vi.waitFor(async () => expect((await readdir(join(folder, "exchanges"))).length).toBeGreaterThan(3), {
    timeout: 60_000,
    interval: 50,
  });
}

/** A run in a process group of its own, which signals can address as a whole. */
function startGroup(words: readonly string[], folder: string) {
  return execa(process.execPath, [...words, "run", "process", "--out", folder], {
    reject: false,
    detached: true,
    buffer: false,
    stdio: "ignore",
  });
}

function pidOf({ pid }: { readonly pid?: number | undefined }): number {
  if (pid === undefined) throw new Error("the command did not start");
  return pid;
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text.split(" ").filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.for(Object.entries(startedBy))(
  "one wish that arrives as several signals interrupts once and keeps the record: started by %s",
  async ([, words]) => {
    await using folder = await temporaryFolder();
    const run = startGroup(words, folder.path);
    await untilCasesRan(folder.path);
    // As timeout does it: the process, then its whole group.
    process.kill(pidOf(run), "SIGINT");
    process.kill(-pidOf(run), "SIGINT");
    expect((await run).exitCode).toBe(130);
    await expectPartialRecord(folder.path);
  },
);

test("a second signal a second later ends the run at once and keeps the record", async () => {
  await using folder = await temporaryFolder();
  const run = startGroup(startedBy["Node 24"], folder.path);
  await untilCasesRan(folder.path);
  let gateways: number[] = [];
  // One that reboots at this moment has no process.
  await vi.waitFor(
    async () => {
      const boards = await childrenOf(pidOf(run));
      gateways = (await Promise.all(boards.map(childrenOf))).flat();
      expect(gateways.length).toBeGreaterThan(0);
    },
    { timeout: 20_000, interval: 20 },
  );
  // Gateways that stand still keep the run from ending by itself.
  for (const pid of gateways) process.kill(pid, "SIGSTOP");
  try {
    process.kill(pidOf(run), "SIGTERM");
    await delay(1500);
    expect(isAlive(pidOf(run))).toBe(true);
    process.kill(pidOf(run), "SIGTERM");
    expect((await run).exitCode).toBe(130);
  } finally {
    for (const pid of gateways.filter(isAlive)) process.kill(pid, "SIGCONT");
  }
  await expectPartialRecord(folder.path);
});

test("a launcher that is killed ends the program too, and the record is stored", async () => {
  await using folder = await temporaryFolder();
  const launcher = startGroup(startedBy["an older Node"], folder.path);
  await untilCasesRan(folder.path);
  const [program = 0, ...others] = await childrenOf(pidOf(launcher));
  expect(others).toEqual([]);
  launcher.kill("SIGKILL");
  await launcher;
  await vi.waitFor(() => expect(isAlive(program)).toBe(false), { timeout: 30_000, interval: 100 });
  await expectPartialRecord(folder.path);
});

test("Ctrl-C keeps what was measured and ends with 130", async () => {
  await using folder = await temporaryFolder();
  const run = startRackproof(["run", "process", "--out", folder.path]);
  await untilCasesRan(folder.path);
  run.kill("SIGTERM");
  const { exitCode } = await run;
  expect(exitCode).toBe(130);
  await expectPartialRecord(folder.path);
}, 60_000);

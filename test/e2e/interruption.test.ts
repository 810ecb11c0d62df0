import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { rackproof, startRackproof, temporaryFolder } from "../support/commandLine.ts";

/** Processes that run the reference gateway's programs. */
async function gatewayProcesses(): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => ({ pid, line: await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "") })),
  );
  return lines
    .filter(({ line }) => /reference-impl\/(board\/supervisor|main)\.ts/.test(line))
    .map(({ pid }) => Number(pid));
}

test("a campaign that is killed leaves no process, and the next run removes its folders", async () => {
  await using folder = await temporaryFolder();
  const before = await gatewayProcesses();
  const victim = startRackproof(["run", "process", "--out", join(folder.path, "killed")]);
  const own = async (): Promise<number[]> =>
    (await gatewayProcesses()).filter((pid) => !before.includes(pid));
  await vi.waitFor(async () => expect((await own()).length).toBeGreaterThanOrEqual(2), {
    timeout: 20_000,
    interval: 100,
  });
  victim.kill("SIGKILL");
  await victim;
  await vi.waitFor(async () => expect(await own()).toEqual([]), { timeout: 10_000, interval: 100 });

  const { exitCode } = await rackproof([
    "run",
    "process",
    "--select",
    "declaration/declared-and-served",
    "--out",
    join(folder.path, "next"),
  ]);
  expect(exitCode).toBe(0);
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith("rackproof-gateway-"));
  expect(left).toEqual([]);
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

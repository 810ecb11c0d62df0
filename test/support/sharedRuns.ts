// Runs that several tests look at and none changes, made by the first that asks: a whole campaign takes over a minute.
import { mkdtempSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { rackproof } from "./commandLine.ts";

const folderName = "RACKPROOF_SHARED_RUNS";

/** Called by the test runner before the first test of a project; the folder is one for all projects. */
export default function setup(): () => Promise<void> {
  const folder = (process.env[folderName] ??= mkdtempSync(join(tmpdir(), "rackproof-shared-")));
  return () => rm(folder, { recursive: true, force: true });
}

/** The folder of shared runs, removed after all tests. */
function sharedFolder(): string {
  const folder = process.env[folderName];
  if (folder === undefined) throw new Error(`${folderName} is set by the project of the test`);
  return folder;
}

interface SharedRun {
  readonly folder: string;
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** A whole campaign at level nightly over the reference gateway, seed 42; tests that ask meanwhile wait for it. */
export async function nightlyRun(): Promise<SharedRun> {
  const folder = join(sharedFolder(), "nightly");
  const told = `${folder}.json`;
  const isFirst = await mkdir(`${folder}.claimed`).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const outcome = await rackproof(["run", "process", "--out", folder, "--json", "--seed", "42"]);
    await writeFile(`${told}.part`, JSON.stringify({ folder, ...outcome }));
    await rename(`${told}.part`, told);
  }
  return vi.waitFor(async () => JSON.parse(await readFile(told, "utf8")) as SharedRun, {
    timeout: 390_000,
    interval: 200,
  });
}

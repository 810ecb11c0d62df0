// Runs that several tests look at and none changes, made by the first that asks: a whole campaign takes over a minute.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { rackproof } from "./commandLine.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder for shared runs, removed after all tests. */
    sharedRuns: string;
  }
}

/** Called by the test runner before the first test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-shared-"));
  project.provide("sharedRuns", folder);
  return () => rm(folder, { recursive: true, force: true });
}

interface SharedRun {
  readonly folder: string;
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** A whole campaign at level nightly over the reference gateway, seed 42. */
export async function nightlyRun(): Promise<SharedRun> {
  const folder = join(inject("sharedRuns"), "nightly");
  const told = join(inject("sharedRuns"), "nightly.json");
  const known = await readFile(told, "utf8").catch(() => undefined);
  if (known !== undefined) return JSON.parse(known) as SharedRun;
  const outcome = await rackproof(["run", "process", "--out", folder, "--json", "--seed", "42"]);
  await writeFile(told, JSON.stringify({ folder, ...outcome }));
  return { folder, ...outcome };
}

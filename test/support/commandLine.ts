import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

const launcher = fileURLToPath(new URL("../../bin/rackproof.mjs", import.meta.url));

/** Runs `rackproof` the way a user does and answers what came of it; a non-zero exit code does not throw. */
export async function rackproof(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [launcher, ...words], {
    reject: false,
    env: environment,
  });
  return { exitCode, stdout, stderr };
}

/** A command under way: awaited it answers its exit code. */
export type RunningCommand = PromiseLike<{ exitCode?: number | undefined }> & {
  readonly pid?: number | undefined;
  kill(signal: NodeJS.Signals): boolean;
};

/** The same, left running; the caller ends it. */
export function startRackproof(words: readonly string[]): RunningCommand {
  return execa(process.execPath, [launcher, ...words], { reject: false });
}

/** A folder that is gone at the end. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

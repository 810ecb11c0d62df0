import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { execa } from "execa";

const launcher = fileURLToPath(new URL("../../bin/rackproof.mjs", import.meta.url));

/** Output is compared as text: without the colours that a CI system asks for. */
const plain = { NO_COLOR: "1", FORCE_COLOR: undefined };

/** Runs `rackproof` as a user does and returns its output; a non-zero exit code does not throw. */
export async function rackproof(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [launcher, ...words], {
    reject: false,
    env: { ...plain, ...environment },
  });
  return { exitCode, stdout, stderr };
}

/** A command under way: awaited it answers its exit code. */
export type RunningCommand = PromiseLike<{ exitCode?: number | undefined }> & {
  readonly pid?: number | undefined;
  kill(signal: NodeJS.Signals): boolean;
};

/** The same, left running; the caller ends it, and waits: an end by force after some seconds would show as no exit code. */
export function startRackproof(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningCommand {
  return execa(process.execPath, [launcher, ...words], {
    reject: false,
    forceKillAfterDelay: false,
    env: { ...plain, ...environment },
  });
}

/** A folder that is gone at the end. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A command that stays until it is ended: answers when it has printed a line that fits. */
export async function startUntil(
  words: readonly string[],
  fits: RegExp,
  environment: Readonly<Record<string, string>> = {},
): Promise<
  {
    readonly line: string;
    readonly pid: number | undefined;
    kill(signal: NodeJS.Signals): boolean;
  } & AsyncDisposable
> {
  const child = execa(process.execPath, [launcher, ...words], {
    reject: false,
    buffer: false,
    env: { ...plain, ...environment },
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on("line", (line) => fits.test(line) && resolve(line));
  const ended = child.then(({ exitCode }) => {
    reject(
      new Error(`rackproof ${words.join(" ")} ended with ${exitCode ?? "a signal"} before it was ready`),
    );
  });
  promise.catch(() => undefined);
  const line = await promise;
  return {
    line,
    pid: child.pid,
    kill: (signal) => child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT");
      await ended;
    },
  };
}

/** Processes whose command line names the folder. */
export async function processesOf(path: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(path));
}

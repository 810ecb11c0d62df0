// The board under the gateway: boots it, boots it again after a reboot or a crash, and ends with its owner.
//   node supervisor.ts --state DIR [--program FILE] [options of the gateway]
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { rebootExitCode } from "./exitCodes.ts";

const plainProgram = fileURLToPath(new URL("../main.ts", import.meta.url));
const { programFile, options } = readProgram(process.argv.slice(2));
// A gateway has little memory: a young generation of 4 MiB instead of 16 costs little speed and saves much memory. The
// compile cache, in the place where Node keeps it by default, spares every boot the stripping of types.
const frugal = {
  NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
  // Hashing a password briefly takes 7 MiB; these settings return it instead of keeping it for each thread.
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "262144",
  MALLOC_TRIM_THRESHOLD_: "131072",
};
const smallHeap = ["--max-semi-space-size=4"];
const bootDelayMs = 100;
const crashDelayMs = 500;

let isEnding = false;
let wasReady = false;
let child = boot();

/** The program on the board, and the options that are for it: another one takes the same options and more. */
function readProgram(words: readonly string[]): { programFile: string; options: readonly string[] } {
  const at = words.indexOf("--program");
  if (at === -1) return { programFile: plainProgram, options: words };
  return {
    programFile: words[at + 1] ?? plainProgram,
    options: [...words.slice(0, at), ...words.slice(at + 2)],
  };
}

function boot(): ReturnType<typeof spawn> {
  // The pipe to the gateway's standard input closes with this process, however it ends; the gateway then ends too.
  const gateway = spawn(process.execPath, [...smallHeap, programFile, ...options], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...frugal, ...process.env },
  });
  for (const stream of [gateway.stdout, gateway.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      wasReady ||= line.startsWith('{"ready":true');
      process.stdout.write(`${line}\n`);
    });
  }
  gateway.stdin.on("error", () => undefined);
  // The kernel's monotonic clock is the same for all processes: observers can compare the instant with their own.
  let endedMs = 0;
  gateway.once("exit", () => (endedMs = Number(process.hrtime.bigint()) / 1e6));
  // Not "exit": the last lines of the gateway come before the board's own.
  gateway.once("close", (code, signal) => {
    if (isEnding) return process.exit(0);
    // It never came up, so the options are wrong; later the same code is an error that may pass.
    if (code === 2 && !wasReady) return process.exit(2);
    const isReboot = code === rebootExitCode;
    process.stdout.write(
      isReboot
        ? `board: reset, the gateway ended at ${endedMs.toFixed(3)} ms\n`
        : `board: the gateway ended by itself (${signal ?? `code ${code}`}) at ${endedMs.toFixed(3)} ms; booting it again\n`,
    );
    setTimeout(
      () => {
        child = boot();
      },
      isReboot ? bootDelayMs : crashDelayMs,
    );
  });
  return gateway;
}

function end(): void {
  isEnding = true;
  if (child.exitCode !== null || child.signalCode !== null) process.exit(0);
  child.kill("SIGTERM");
  setTimeout(() => {
    child.kill("SIGKILL");
    process.exit(0);
  }, 3000).unref();
}

process.stdin.resume();
process.stdin.once("end", end);
process.stdin.once("error", end);
process.stdout.on("error", end);
process.once("SIGTERM", end);
process.once("SIGINT", end);

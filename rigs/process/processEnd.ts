// When killed processes have ended with their sockets: the kernel takes its time for each.
import { readFileSync } from "node:fs";

const lookEveryMs = 1;
/** Index of the number of threads among the numbers after the state in `/proc/<pid>/stat`. */
const threadsAfterState = 16;

/** The process and its children, by process id. */
export function withChildren(pid: number): readonly number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim();
  return [pid, ...(children === "" ? [] : children.split(" ").map(Number))];
}

/** Resident memory of a process; 0 when it has ended. */
export function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Resolves when all of them have ended; throws an Error that names one that still runs at the deadline. */
export async function allEnded(pids: readonly number[], deadlineMs: number): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const left = pids.find(isRunning);
    if (left === undefined) return;
    if (performance.now() - startedMs > deadlineMs)
      throw new Error(`process ${left} was killed but still runs after ${deadlineMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/**
 * A zombie has no resources, but a process becomes one when its first thread ends, and its sockets remain open until its
 * last thread has ended.
 */
function isRunning(pid: number): boolean {
  const [state, ...numbers] = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  if (state === undefined || state === "" || state === "X") return false;
  return state !== "Z" || Number(numbers[threadsAfterState]) > 1;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

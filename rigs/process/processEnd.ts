// When processes that were killed are really gone, with their sockets: the kernel ends each in its own time.
import { readFileSync } from "node:fs";

const lookEveryMs = 1;
/** Where the number of threads is among the numbers that follow the state in `/proc/<pid>/stat`. */
const threadsAfterState = 16;

/** The process and its children, by process id. */
export function withChildren(pid: number): readonly number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim();
  return [pid, ...(children === "" ? [] : children.split(" ").map(Number))];
}

/** Resolves when all of them have ended; throws an Error that names one which has not at the deadline. */
export async function allEnded(pids: readonly number[], deadlineMs: number): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const left = pids.find(isRunning);
    if (left === undefined) return;
    if (performance.now() - startedMs > deadlineMs)
      throw new Error(`process ${left} was killed and still runs after ${deadlineMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/**
 * A process that has ended and that nobody has asked about yet holds nothing any more; but it counts as ended when its
 * first thread has, and its sockets stay open until its last thread is gone.
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

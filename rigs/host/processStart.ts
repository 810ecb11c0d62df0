import { readFileSync } from "node:fs";

/**
 * When the process was started, as the kernel counts it (field 22 of /proc/PID/stat): with the pid it names a process,
 * however often pids are used again. Empty when there is no such process.
 */
export function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

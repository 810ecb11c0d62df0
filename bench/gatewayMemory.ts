// Resident memory of the reference gateway that a bench started.
import { readFile, readdir } from "node:fs/promises";

/** Resident memory of this bench's own gateway process, by its command line. */
export async function gatewayMemoryMb(): Promise<number> {
  const children = await descendants(process.pid);
  for (const pid of children) {
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (!/\/main\.[jt]s\0/.test(line)) continue;
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }
  throw new Error("no gateway process was found below this one");
}

async function descendants(root: number): Promise<number[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map<number, number>();
  for (const pid of all) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === root || (parent !== undefined && parent > 1 && isBelow(parent));
  };
  return all.filter(isBelow);
}

// How much programs of this machine waited for a processor: a gateway on the same machine was late by as much.
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

/** Linux pressure stall information: microseconds in which some program waited. */
const pressureFile = "/proc/pressure/cpu";
/** With a smaller share of such time, lateness has other causes. */
const busyShare = 0.25;

function waitedMs(): number | undefined {
  try {
    const total = /^some .*\btotal=(\d+)/m.exec(readFileSync(pressureFile, "utf8"))?.[1];
    return total === undefined ? undefined : Number(total) / 1000;
  } catch {
    return undefined;
  }
}

/** Watches from now on; the answer tells whether the machine was busy since then. */
export function watchMachine(): () => boolean {
  const startedMs = performance.now();
  const before = waitedMs();
  return () => {
    const now = waitedMs();
    if (before === undefined || now === undefined) return (loadavg()[0] ?? 0) > availableParallelism();
    return now - before > busyShare * (performance.now() - startedMs);
  };
}

/** Whether the name of a host, as in a URL, names this machine. */
export function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

// Gives memory back after a load. The engine lets its heap grow while there is work and has no reason to shrink it
// afterwards; a gateway is a small machine on which others live too.
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock } from "./clock.ts";

const lookEveryMs = 2000;
/** Below this share of a look's time the gateway has nothing to do. */
const idleShare = 0.05;
/** So much must have been used in vain before a collection, some tens of milliseconds long, is worth it. */
const spareBytes = 8 * 1024 * 1024;

/** Collects garbage whenever there is much of it and nothing else to do; ends when disposed. */
export function giveMemoryBack(clock: Clock): Disposable {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  let seen = performance.eventLoopUtilization();
  let keptBytes = 0;
  let timer: Disposable | undefined;
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { heapTotal } = process.memoryUsage();
    const isIdle = performance.eventLoopUtilization(now, seen).utilization < idleShare;
    seen = now;
    if (isIdle && heapTotal > keptBytes + spareBytes && typeof collect === "function") {
      // Any other kind leaves freed pages with the process.
      collect({ type: "major", flavor: "last-resort" });
      keptBytes = process.memoryUsage().heapTotal;
    }
    timer = clock.after(lookEveryMs, look);
  };
  timer = clock.after(lookEveryMs, look);
  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
}

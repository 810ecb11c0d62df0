// Returns memory after a load. The engine lets its heap grow under load and does not shrink it
// afterwards, but a gateway shares little memory with other programs.
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock } from "./clock.ts";

const lookEveryMs = 2000;
/** Below this share of busy time the gateway is idle. */
const idleShare = 0.05;
/** Least growth of the heap for which a collection, some tens of milliseconds long, is worth it. */
const spareBytes = 8 * 1024 * 1024;

/** Collects garbage when the gateway is idle and the heap has grown; ends when disposed. */
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

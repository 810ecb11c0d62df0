// Answer times of a server of this machine that always does the same work: they show whether the machine slows down.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "undici";
import type { Clock } from "../../harness/index.ts";
import { median } from "../../record/index.ts";

const program = new URL("./controlServer.ts", import.meta.url);
const everyMs = 100;
/** One request in so many is of long work, which a busy machine slows down more than short work. */
const longEvery = 10;

/** Fast answers, median, and median of long work, in milliseconds. */
interface ControlTimes {
  readonly lowMs: number;
  readonly medianMs: number;
  readonly longMs?: number;
}

export interface Control extends AsyncDisposable {
  /** Answer times since the last call; undefined without any. */
  take(): ControlTimes | undefined;
}

export async function startControl(clock: Clock): Promise<Control> {
  const child = fork(program, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const exited = once(child, "exit");
  const [port] = (await Promise.race([once(child, "message"), exited])) as [unknown];
  const agent = new Agent({ connections: 1 });
  const stop = new AbortController();
  let timesMs: number[] = [];
  let longTimesMs: number[] = [];
  const measure = async (): Promise<void> => {
    for (let count = 1; !stop.signal.aborted; count++) {
      const isLong = count % longEvery === 0;
      const startedMs = clock.nowMs();
      const { body } = await agent.request({
        origin: `http://127.0.0.1:${String(port)}`,
        path: isLong ? "/long" : "/",
        method: "GET",
      });
      await body.dump({ limit: 1_000_000 });
      (isLong ? longTimesMs : timesMs).push(clock.nowMs() - startedMs);
      await clock.delay(everyMs, stop.signal);
    }
  };
  // The soak continues without a control when its server has ended.
  const measuring = measure().catch(() => undefined);
  return {
    take() {
      const sorted = timesMs.toSorted((a, b) => a - b);
      const lowMs = sorted[Math.floor(sorted.length / 10)];
      const long = longTimesMs.length === 0 ? {} : { longMs: median(longTimesMs) };
      [timesMs, longTimesMs] = [[], []];
      return lowMs === undefined ? undefined : { lowMs, medianMs: median(sorted), ...long };
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("the control was ended"));
      await measuring;
      await agent.destroy();
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

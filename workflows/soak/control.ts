// Answer times of a server of this machine that always does the same work: they show whether the machine slows down.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "undici";
import type { Clock } from "../../harness/index.ts";
import { median } from "../../record/index.ts";

const program = new URL("./controlServer.ts", import.meta.url);
const everyMs = 100;

export interface Control extends AsyncDisposable {
  /** Answer times in milliseconds since the last call; undefined without any. */
  take(): { readonly lowMs: number; readonly medianMs: number } | undefined;
}

export async function startControl(clock: Clock): Promise<Control> {
  const child = fork(program, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const exited = once(child, "exit");
  const [port] = (await Promise.race([once(child, "message"), exited])) as [unknown];
  const agent = new Agent({ connections: 1 });
  const stop = new AbortController();
  let timesMs: number[] = [];
  const measure = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const startedMs = clock.nowMs();
      const { body } = await agent.request({
        origin: `http://127.0.0.1:${String(port)}`,
        path: "/",
        method: "GET",
      });
      await body.dump({ limit: 1_000_000 });
      timesMs.push(clock.nowMs() - startedMs);
      await clock.delay(everyMs, stop.signal);
    }
  };
  // The soak continues without a control when its server has ended.
  const measuring = measure().catch(() => undefined);
  return {
    take() {
      const sorted = timesMs.toSorted((a, b) => a - b);
      timesMs = [];
      const lowMs = sorted[Math.floor(sorted.length / 10)];
      return lowMs === undefined ? undefined : { lowMs, medianMs: median(sorted) };
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

// A response that stays open while its client keeps up: server-sent events and tag streams.
import type { StreamSink } from "./handler.ts";
import type { Clock } from "../base/clock.ts";

export interface PushStream {
  /** Queues text; a client with too long a queue is disconnected. */
  write(text: string | Buffer): void;
  readonly ended: boolean;
}

const maxQueuedBytes = 4 * 1024 * 1024;
const heartbeatMs = 15_000;

/** Begins an event stream. `onEnd` runs once, when the client left or the signal aborted. */
export function openPushStream(
  response: StreamSink,
  signal: AbortSignal,
  clock: Clock,
  onEnd: () => void,
): PushStream {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
  });
  response.flushHeaders();
  let ended = false;
  let heartbeat: Disposable | undefined;
  const end = (): void => {
    if (ended) return;
    ended = true;
    heartbeat?.[Symbol.dispose]();
    onEnd();
    response.end();
  };
  const write = (text: string | Buffer): void => {
    if (ended) return;
    response.write(text);
    if (response.writableLength > maxQueuedBytes) {
      response.destroy();
      end();
    }
  };
  const beat = (): void => {
    write(": still here\n\n");
    if (!ended) heartbeat = clock.after(heartbeatMs, beat);
  };
  heartbeat = clock.after(heartbeatMs, beat);
  response.once("close", end);
  response.on("error", end);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return {
    write,
    get ended() {
      return ended;
    },
  };
}

import type { SessionSurroundings } from "../transport/sessionSurroundings.ts";
import { longestRateWaitMs, longestRoomWaitMs, retryAfterMs } from "../transport/rateLimit.ts";

/** Opens a stream when the gateway may have one more; its place is free once the stream is disposed of. */
export async function openStream<T extends AsyncDisposable & { readonly status: number | undefined }>(
  surroundings: SessionSurroundings,
  open: () => Promise<T>,
): Promise<T> {
  const { transport, record, signal } = surroundings;
  await transport.slots.take(record, signal, (waitMs) => record.paused?.(waitMs));
  try {
    const opened = await openWithRoom(surroundings, open);
    const dispose = opened[Symbol.asyncDispose].bind(opened);
    let isOpen = true;
    const stream = Object.assign(opened, {
      async [Symbol.asyncDispose]() {
        if (!isOpen) return;
        isOpen = false;
        await dispose();
        transport.slots.give(record, opened);
      },
    });
    transport.slots.opened(record, stream);
    if (transport.deliversAfterMs > 0) {
      record.paused?.(transport.deliversAfterMs);
      await transport.clock.delay(transport.deliversAfterMs, signal);
    }
    return stream;
  } catch (thrown) {
    transport.slots.give(record);
    throw thrown;
  }
}

/**
 * Opens a stream or websocket; repeated when the gateway limits the rate (429), or the number that other cases hold (503).
 * Answers the last attempt.
 */
export async function openWithRoom<T extends AsyncDisposable & { readonly status: number | undefined }>(
  { transport, record, signal }: Pick<SessionSurroundings, "transport" | "record" | "signal">,
  open: () => Promise<T>,
): Promise<T> {
  const beganMs = transport.clock.nowMs();
  for (;;) {
    record.paused?.(await transport.pace.turn(signal));
    const opened = await open();
    const waitMs = retryAfterMs({}, transport.clock.epochMs());
    const patienceMs = { 429: longestRateWaitMs, 503: longestRoomWaitMs }[opened.status ?? 0] ?? 0;
    if (transport.clock.nowMs() + waitMs > beganMs + patienceMs) return opened;
    await opened[Symbol.asyncDispose]();
    record.paused?.(waitMs);
    await transport.clock.delay(waitMs, signal);
  }
}

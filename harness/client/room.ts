import type { SessionSurroundings } from "../transport/sessionSurroundings.ts";
import { longestRateWaitMs, longestRoomWaitMs, retryAfterMs } from "../transport/rateLimit.ts";

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

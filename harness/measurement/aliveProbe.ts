// Asks a gateway for any HTTP answer, again and again, and remembers when it last did and first did not.
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Clock } from "../clock.ts";

/** One try: begun, ended (answered or failed), on the monotonic clock. */
export interface Probe {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly isAlive: boolean;
}

/** Opens a connection, sends a small request without credentials, and takes the first byte as a sign of life. */
export function probeOnce(clock: Clock, url: URL, deadlineMs: number): Promise<Probe> {
  const startedMs = clock.nowMs();
  const { promise, resolve } = Promise.withResolvers<Probe>();
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const socket =
    url.protocol === "https:"
      ? connectTls({ host: url.hostname, port, rejectUnauthorized: false })
      : connectTcp({ host: url.hostname, port, noDelay: true });
  const finish = (isAlive: boolean): void => {
    socket.destroy();
    resolve({ startedMs, endedMs: clock.nowMs(), isAlive });
  };
  socket.setTimeout(deadlineMs, () => finish(false));
  socket.once("data", () => finish(true));
  socket.once("error", () => finish(false));
  socket.once("close", () => finish(false));
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
  return promise;
}

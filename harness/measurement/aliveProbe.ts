// Probes a gateway for any HTTP answer on a new connection.
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Clock } from "../clock.ts";

/**
 * `silent`: the connection was accepted but no byte came. Busy gateways behave like this, and some that are down.
 * `unavailable`: a server in front of the gateway answered that the gateway is not reachable.
 */
type ProbeOutcome = "answered" | "unavailable" | "refused" | "unreachable" | "silent";

/** One try: begun, ended (answered or failed), on the monotonic clock. */
export interface Probe {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly outcome: ProbeOutcome;
  readonly isAlive: boolean;
  /** Whether the gateway answered that there are too many requests. */
  readonly isLimited?: boolean;
}

/**
 * Whether the beginning of an answer says that a server in front does not reach the gateway. A gateway that limits its
 * rate says when to come back.
 */
export function isFromFront(head: Buffer): boolean {
  const text = head.toString("latin1");
  return /^HTTP\/1\.[01] 50[234] /.test(text) && !/^retry-after:/im.test(text);
}

export const saysTooMany = (head: Buffer): boolean =>
  head.subarray(0, "HTTP/1.1 429".length).toString("latin1").endsWith(" 429");

/** Opens a connection, sends a small request without credentials, and takes the first byte as a sign of life. */
export function probeOnce(clock: Clock, url: URL, deadlineMs: number): Promise<Probe> {
  const startedMs = clock.nowMs();
  const { promise, resolve } = Promise.withResolvers<Probe>();
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const socket =
    url.protocol === "https:"
      ? connectTls({ host: url.hostname, port, rejectUnauthorized: false })
      : connectTcp({ host: url.hostname, port, noDelay: true });
  let isTaken = false;
  const finish = (outcome: ProbeOutcome, isLimited = false): void => {
    socket.destroy();
    resolve({ startedMs, endedMs: clock.nowMs(), outcome, isAlive: outcome === "answered", isLimited });
  };
  socket.once("connect", () => (isTaken = true));
  socket.setTimeout(deadlineMs, () => finish(isTaken ? "silent" : "unreachable"));
  socket.once("data", (head: Buffer) =>
    finish(isFromFront(head) ? "unavailable" : "answered", saysTooMany(head)),
  );
  socket.once("error", () => finish("refused"));
  socket.once("close", () => finish("refused"));
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
  return promise;
}

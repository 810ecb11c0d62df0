// One connection with repeated requests: its end is observed as soon as the peer's kernel closes it.
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ObserverSurroundings } from "./observer.ts";
import { isFromFront, probeOnce, saysTooMany } from "./aliveProbe.ts";
import { isAliveAfter, isUnanswered, lastSurelyDown, untilGone } from "./silence.ts";

const observer = "open connection";

/** Sends requests until the signal. A connection that ends while new ones are answered is opened again. */
export async function watchOpenConnection(surroundings: ObserverSurroundings): Promise<void> {
  const { clock, signal, report } = surroundings;
  while (!signal.aborted) {
    const ended = await holdOne(surroundings);
    if (signal.aborted) return;
    const probe = await probeOnce(clock, surroundings.url(), surroundings.deadlineMs);
    if (probe.isAlive) {
      // A gateway may end every connection after its answer; opening them without a pause would be a load on it.
      await clock.delay(surroundings.everyMs(), signal).catch(() => undefined);
      continue;
    }
    if (probe.outcome === "unavailable" && (await isAliveAfter(surroundings, probe))) continue;
    const gone = isUnanswered(probe)
      ? await untilGone(surroundings, probe.startedMs)
      : { low: probe.startedMs, high: probe.endedMs };
    if (gone === undefined) continue;
    // A closed connection ended with the gateway; one without an answer ended no later than the timeout.
    if (ended !== undefined) {
      const high = ended.wasClosed ? ended.high : gone.high;
      report({ observer, what: "down", interval: { low: ended.low, high } });
    }
    await untilAlive(surroundings);
  }
}

interface End {
  readonly low: number;
  readonly high: number;
  /** False when the peer only stopped answering. */
  readonly wasClosed: boolean;
}

/** Answers in which interval the connection ended; undefined when no answer ever came. */
async function holdOne({
  clock,
  url,
  everyMs,
  deadlineMs,
  signal,
  isAlive,
  isLimited,
}: ObserverSurroundings): Promise<End | undefined> {
  const at = url();
  const socket = open(at);
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  socket.once("close", () => resolve(clock.nowMs()));
  socket.on("error", () => resolve(clock.nowMs()));
  let wasClosed = true;
  socket.setTimeout(deadlineMs, () => {
    wasClosed = false;
    socket.destroy();
  });
  const end = (): void => void socket.destroy();
  signal.addEventListener("abort", end, { once: true });
  let askedMs = clock.nowMs();
  let aliveMs: number | undefined;
  const ask = (): void => {
    if (socket.destroyed) return;
    askedMs = clock.nowMs();
    socket.write(`GET ${at.pathname} HTTP/1.1\r\nHost: ${at.host}\r\nConnection: keep-alive\r\n\r\n`);
  };
  let timer: NodeJS.Timeout | undefined;
  socket.on("data", (head: Buffer) => {
    if (isFromFront(head)) {
      socket.destroy();
      return;
    }
    // An answer proves life at the time of its request.
    aliveMs = askedMs;
    isAlive?.();
    if (saysTooMany(head)) isLimited();
    clearTimeout(timer);
    timer = setTimeout(ask, everyMs());
  });
  ask();
  const endedMs = await closed;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
  socket.destroy();
  return aliveMs === undefined ? undefined : { low: aliveMs, high: endedMs, wasClosed };
}

function open(at: URL): Socket {
  const port = Number(at.port || (at.protocol === "https:" ? 443 : 80));
  return at.protocol === "https:"
    ? connectTls({ host: at.hostname, port, rejectUnauthorized: false })
    : connectTcp({ host: at.hostname, port, noDelay: true });
}

async function untilAlive({
  clock,
  url,
  everyMs,
  deadlineMs,
  onTheLineMs,
  signal,
  report,
}: ObserverSurroundings): Promise<void> {
  let refusedMs = clock.nowMs();
  let unansweredMs = refusedMs;
  while (!signal.aborted) {
    const probe = await probeOnce(clock, url(), deadlineMs);
    if (probe.isAlive) {
      const low = lastSurelyDown({ onTheLineMs }, refusedMs, unansweredMs, probe);
      report({ observer, what: "up", interval: { low, high: probe.endedMs } });
      return;
    }
    if (isUnanswered(probe)) unansweredMs = probe.startedMs;
    else refusedMs = probe.startedMs;
    await clock.delay(everyMs(), signal).catch(() => undefined);
  }
}

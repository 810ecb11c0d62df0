import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { Sighting } from "../../rigs/gateway/gateway.ts";
import { openPacketLine, whyNoPacketLine } from "../../rigs/network/packetLine.ts";
import { monotonicClock } from "../clock.ts";
import { watchForRestart } from "./restartWatch.ts";

async function listen(port: number, address = "127.0.0.1"): Promise<Server> {
  const server = createServer((_request, response) => response.end("{}")).listen(port, address);
  await once(server, "listening");
  return server;
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

function watch(port: number, sightings: readonly Sighting[] = [], address = "127.0.0.1") {
  return watchForRestart({
    clock: monotonicClock,
    url: () => new URL(`http://${address}:${port}/`),
    everyMs: 2,
    probeDeadlineMs: 500,
    signal: new AbortController().signal,
    sightings,
  });
}

test("going down and coming back are seen by several observers, in intervals that hold the instants", async () => {
  const first = await listen(0);
  const port = portOf(first);
  await using observed = watch(port);
  await monotonicClock.delay(50);
  const downMs = performance.now();
  first.close();
  first.closeAllConnections();
  await monotonicClock.delay(100);
  const upMs = performance.now();
  const second = await listen(port);
  const seen = await observed.restarted({ downWithinMs: 2000, upWithinMs: 2000 });
  expect(seen.observers.toSorted()).toEqual(["open connection", "request probe"]);
  // What all of them leave open lies in what each of them saw.
  expect(seen.down.seenBy.map(({ observer }) => observer).toSorted()).toEqual(seen.observers.toSorted());
  expect(seen.down.seenBy.filter(({ low, high }) => low > seen.down.low || high < seen.down.high)).toEqual(
    [],
  );
  expect([seen.down.low <= downMs + 1, seen.down.high >= downMs, seen.up.high >= upMs]).toEqual([
    true,
    true,
    true,
  ]);
  expect(seen.up.low).toBeLessThanOrEqual(performance.now());
  second.close();
  second.closeAllConnections();
});

/** A server in front of a gateway: it answers all the time, with the status at hand. */
async function front(headers: Readonly<Record<string, string>> = {}) {
  let status = 200;
  const server = createServer((_request, response) => response.writeHead(status, headers).end("{}"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    observed: watch(portOf(server)),
    says: (code: number) => void (status = code),
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

test("a gateway behind a server that answers for it is down while that server reports it", async () => {
  using before = await front();
  await using observed = before.observed;
  await monotonicClock.delay(50);
  const downMs = performance.now();
  before.says(502);
  await monotonicClock.delay(400);
  const upMs = performance.now();
  before.says(200);
  const seen = await observed.restarted({ downWithinMs: 2000, upWithinMs: 2000 });
  expect(seen.observers.toSorted()).toEqual(["open connection", "request probe"]);
  expect([seen.down.low <= downMs + 1, seen.down.high >= downMs, seen.up.high >= upMs]).toEqual([
    true,
    true,
    true,
  ]);
});

test("a gateway that limits requests, or misses one behind such a server, is not down", async () => {
  using limited = await front({ "retry-after": "1" });
  await using first = limited.observed;
  using brief = await front();
  await using second = brief.observed;
  await monotonicClock.delay(50);
  limited.says(503);
  brief.says(504);
  await monotonicClock.delay(60);
  brief.says(200);
  const seen = await Promise.all([first.wentDown(500), second.wentDown(500)]);
  expect(seen).toEqual([undefined, undefined]);
});

test("a connection that is merely closed is no going down", async () => {
  const server = await listen(0);
  await using observed = watch(portOf(server));
  await monotonicClock.delay(50);
  server.closeAllConnections();
  expect(await observed.wentDown(200)).toBeUndefined();
  server.close();
  server.closeAllConnections();
});

/** A watch over a gateway that serves on, of whose end the equipment has told. */
async function exitSeen(server: Server) {
  const sightings: Sighting[] = [];
  const observed = watch(portOf(server), sightings);
  await monotonicClock.delay(20);
  const at = { low: performance.now() - 3, high: performance.now() };
  sightings.push({ observer: "process exit", what: "down", at, detail: "" });
  return { observed, at };
}

test("what the equipment saw counts, though nobody else had a look in time", async () => {
  const server = await listen(0);
  const { observed: watched, at } = await exitSeen(server);
  await using observed = watched;
  const seenBy = [{ observer: "process exit", ...at }];
  expect(await observed.wentDown(1000)).toEqual({ ...at, observers: ["process exit"], seenBy });
  server.close();
  server.closeAllConnections();
});

test("a gateway that is too busy to answer for a while has not gone down", async () => {
  let isBusy = false;
  const server = createServer((_request, response) => {
    if (!isBusy) response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  await using observed = watch(portOf(server));
  await monotonicClock.delay(50);
  isBusy = true;
  await monotonicClock.delay(1500);
  isBusy = false;
  expect(await observed.wentDown(500)).toBeUndefined();
  const endedMs = performance.now();
  server.close();
  server.closeAllConnections();
  const down = await observed.wentDown(2000);
  expect([down !== undefined && down.low <= endedMs + 1, down !== undefined && down.high >= endedMs]).toEqual(
    [true, true],
  );
});

test("a restart that fell into a moment in which this machine stood still is seen to be over", async () => {
  const server = await listen(0);
  const { observed: watched, at } = await exitSeen(server);
  await using observed = watched;
  const { down, up } = await observed.restarted({ downWithinMs: 1000, upWithinMs: 1000 });
  expect([down.low, up.low]).toEqual([at.low, at.low]);
  expect(up.high).toBeGreaterThan(at.high);
  server.close();
  server.closeAllConnections();
});

const hasNoLine = whyNoPacketLine() !== undefined;

test.skipIf(hasNoLine)("probes whose packets are lost are no going down", async () => {
  await using line = await openPacketLine();
  const server = await listen(0, line.ownAddress);
  await using observed = watch(portOf(server), [], line.gatewayAddress);
  await monotonicClock.delay(50);
  await line.network.cut();
  await monotonicClock.delay(1500);
  await line.network.restore();
  expect(await observed.wentDown(1000)).toBeUndefined();
  server.close();
  server.closeAllConnections();
});

test.skipIf(hasNoLine)("a bad line makes the intervals wider, and they hold the instants", async () => {
  await using line = await openPacketLine({ delayMs: 60, lossPercent: 2 });
  const first = await listen(0, line.ownAddress);
  const port = portOf(first);
  await using observed = watch(port, [], line.gatewayAddress);
  await observed.hasBegun();
  const downMs = performance.now();
  first.close();
  first.closeAllConnections();
  await monotonicClock.delay(800);
  const upMs = performance.now();
  const second = await listen(port, line.ownAddress);
  const { down, up } = await observed.restarted({ downWithinMs: 10_000, upWithinMs: 10_000 });
  expect([down.low <= downMs, downMs <= down.high, up.low <= performance.now(), upMs <= up.high]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  // The sign of the end takes as long as the line.
  expect(down.high - down.low).toBeGreaterThan(60);
  second.close();
  second.closeAllConnections();
});

test("a gateway that counts requests gets fewer probes, and has room for others", async () => {
  const limit = 80;
  let [begunMs, count, answered] = [performance.now(), 0, 0];
  const server = createServer((_request, response) => {
    const nowMs = performance.now();
    if (nowMs - begunMs >= 1000) [begunMs, count] = [nowMs, 0];
    count += 1;
    if (count <= limit) answered += 1;
    response.writeHead(count > limit ? 429 : 200, { "retry-after": "1" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  await using observed = watch(portOf(server));
  await observed.hasBegun();
  await monotonicClock.delay(2100);
  answered = 0;
  await monotonicClock.delay(1000);
  expect(answered).toBeLessThan(limit / 2);
  server.close();
  server.closeAllConnections();
});

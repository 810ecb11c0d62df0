// The time server of a rack and the clock of the reference gateway, over real datagrams.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, test } from "vitest";
import { SettableClock } from "../reference-impl/base/clock.ts";
import { followTimeServer } from "../reference-impl/board/timeSync.ts";
import { plainConduct } from "../reference-impl/product/conduct.ts";
import { startTimeServer } from "../rigs/index.ts";

const loopback = { host: "127.0.0.1", port: 0 };
const pollMs = 50;
const dayMs = 86_400_000;

test("an answer has the form that RFC 4330 states, and only questions are answered", async () => {
  await using server = await startTimeServer(loopback);
  const socket = createSocket("udp4");
  await using _closed = { [Symbol.asyncDispose]: async () => void socket.close() };
  const packets: Buffer[] = [];
  socket.on("message", (packet) => packets.push(packet));
  const ask = (first: number, length = 48): void => {
    const question = Buffer.alloc(length);
    question[0] = first;
    if (length === 48) question.write("question", 40);
    socket.send(question, server.port, server.host);
  };
  ask(0x23, 20);
  ask(0x24);
  ask(0x23);
  await once(socket, "message");
  const [packet = Buffer.alloc(0)] = packets;
  expect(packets).toHaveLength(1);
  expect({
    length: packet.length,
    version: ((packet[0] ?? 0) >> 3) & 7,
    mode: (packet[0] ?? 0) & 7,
    stratum: packet[1],
    originate: packet.toString("latin1", 24, 32),
  }).toEqual({ length: 48, version: 4, mode: 4, stratum: 1, originate: "question" });
  const shownMs = (packet.readUInt32BE(40) - 2_208_988_800) * 1000;
  expect(Math.abs(shownMs - Date.now())).toBeLessThan(2000);
});

test.each([
  ["forward", 3 * dayMs],
  ["back", -3 * dayMs],
  ["to 1970", Date.UTC(1970, 0, 2) - Date.now()],
  ["to 2040, beyond the first era of NTP", Date.UTC(2040, 0, 1) - Date.now()],
])("a clock follows the server %s", async (_where, offsetMs) => {
  await using server = await startTimeServer(loopback);
  const clock = new SettableClock();
  const steps: number[] = [];
  using _steps = clock.onStep((byMs) => steps.push(byMs));
  using _follows = await followTimeServer(clock, { ...server, pollMs }, plainConduct.clock);
  expect(steps).toEqual([]);
  await server.shift(offsetMs);
  await expect.poll(() => steps.length, { timeout: 5000 }).toBe(1);
  expect(Math.abs(clock.nowMs() - Date.now() - offsetMs)).toBeLessThan(500);
});

test("a clock refuses what its product refuses, but takes the first answer", async () => {
  await using server = await startTimeServer(loopback);
  await server.shift(dayMs);
  const clock = new SettableClock();
  const conduct = { ...plainConduct.clock, refusesFromMs: 1_000_000 };
  using _follows = await followTimeServer(clock, { ...server, pollMs }, conduct);
  expect(Math.abs(clock.nowMs() - Date.now() - dayMs)).toBeLessThan(500);
  await server.shift(dayMs + 900_000);
  await expect.poll(() => Math.round((clock.nowMs() - Date.now() - dayMs) / 60_000)).toBe(15);
  const steps: number[] = [];
  using _steps = clock.onStep((byMs) => steps.push(byMs));
  await server.shift(-dayMs);
  await server.shift(dayMs + 600_000);
  await expect.poll(() => steps.length).toBe(1);
  expect(steps[0]).toBeGreaterThan(-301_000);
});

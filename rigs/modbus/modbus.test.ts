import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import modbus from "modbus-serial";
import { expect, test } from "vitest";
import type { FieldDevice } from "../field/device.ts";
import { type FieldPoint, type ModbusAddress, wordOrders } from "../field/point.ts";
import { typePoints } from "../process/embeddedPoints.ts";
import { hasSocat } from "../serial/ptyPair.ts";
import { words } from "./check.ts";
import { decodeRegisters, encodeRegisters } from "./codec.ts";
import { crc16 } from "./crc16.ts";
import { connectModbusDevice } from "./realDevice.ts";
import { startModbusRtuLine } from "./rtuServer.ts";
import { startModbusTcpServer } from "./tcpServer.ts";

const at = (quantity: number, order: ModbusAddress["order"] = "ABCD"): ModbusAddress => ({
  kind: "modbus",
  unit: 1,
  table: "holding-registers",
  address: 0,
  quantity,
  order,
});

function point(name: string, dataType: FieldPoint["dataType"], where: Partial<ModbusAddress>): FieldPoint {
  return {
    id: name,
    device: "plc",
    tag: { provider: "p", source: "plc", tag: name },
    dataType,
    dataSizeBytes: 4,
    access: "rw",
    pollIntervalMs: 100,
    at: { ...at(2), ...where },
  };
}

test("values lie in registers as the four orders say", () => {
  const hex = (order: ModbusAddress["order"]): string =>
    encodeRegisters("uint32", at(2, order), 0x01020304).toString("hex");
  expect(wordOrders.map(hex)).toEqual(["01020304", "03040102", "02010403", "04030201"]);
  expect(encodeRegisters("float", at(2), 1).toString("hex")).toBe("3f800000");
  expect(encodeRegisters("int64", at(4, "CDAB"), 0x0102030405060708n).toString("hex")).toBe(
    "0708050603040102",
  );
});

test("every number is decoded from its registers, in every order", () => {
  const order = fc.constantFrom(...wordOrders);
  fc.assert(
    fc.property(order, fc.bigInt(0n, 2n ** 64n - 1n), (one, value) => {
      const back = decodeRegisters("uint64", at(4, one), encodeRegisters("uint64", at(4, one), value));
      expect(BigInt(Number.isInteger(back) ? Number(back) : (back as bigint))).toBe(value);
    }),
  );
  fc.assert(
    fc.property(order, fc.double(), (one, value) => {
      expect(decodeRegisters("double", at(4, one), encodeRegisters("double", at(4, one), value))).toBe(value);
    }),
  );
});

test("the checksum is that of the Modbus document's example", () => {
  expect(crc16(Buffer.from([0x02, 0x07]))).toBe(0x1241);
});

async function client(device: FieldDevice, unit = 1): Promise<InstanceType<typeof modbus.default>> {
  const made = new modbus.default();
  made.on("error", () => undefined);
  const [host = "", port = ""] = device.address.split(":");
  if (device.kind === "modbus-tcp") await made.connectTCP(host, { port: Number(port) });
  else await made.connectRTUBuffered(device.address, { baudRate: 115_200 });
  made.setID(unit);
  made.setTimeout(300);
  return made;
}

function openConnections(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
}

const counterPoint = point("count", "uint32", { address: 10 });
const flagPoint = point("flag", "boolean", { table: "coils", address: 3, quantity: 1 });

test("a Modbus client reads set values, and its writes are reported", async () => {
  await using device = await startModbusTcpServer({ name: "plc", points: [counterPoint, flagPoint] });
  const master = await client(device);
  await device.set(counterPoint, 70_000);
  expect((await master.readHoldingRegisters(10, 2)).data).toEqual([1, 4464]);
  const writes: unknown[] = [];
  using _told = device.onWrite?.(({ point: { id }, value }) => void writes.push([id, value])) ?? {
    [Symbol.dispose]: () => undefined,
  };
  await master.writeRegisters(10, [0, 5]);
  await master.writeCoil(3, true);
  expect(writes).toEqual([
    ["count", 5],
    ["flag", true],
  ]);
  expect([await device.get(counterPoint), await device.get(flagPoint)]).toEqual([5, true]);
  await expect(master.readHoldingRegisters(9, 2)).rejects.toThrow("exception 2");
  await expect(master.readInputRegisters(10, 1)).rejects.toThrow("exception 2");
  await expect(master.customFunction(65, [1])).rejects.toThrow("exception 1");
  master.setID(9);
  await expect(master.readHoldingRegisters(10, 2)).rejects.toThrow("exception 10");
  master.destroy(() => undefined);
});

test("a resting device answers late until a value is set, which answers a waiting request at once", async () => {
  await using device = await startModbusTcpServer({ name: "load", points: [counterPoint], restMs: 200 });
  const master = await client(device);
  const timed = async (): Promise<number> => {
    const startedMs = performance.now();
    await master.readHoldingRegisters(10, 2);
    return performance.now() - startedMs;
  };
  expect(await timed()).toBeGreaterThan(195);
  const waiting = master.readHoldingRegisters(10, 2);
  const isEarly = Promise.race([
    waiting.then(() => "answered"),
    new Promise((resolve) => setTimeout(resolve, 50, "waits")),
  ]);
  expect(await isEarly).toBe("waits");
  await device.set(counterPoint, 7);
  expect((await waiting).data).toEqual([0, 7]);
  expect(await timed()).toBeLessThan(150);
  master.destroy(() => undefined);
});

test("each fault of a TCP device appears, and ends", async () => {
  await using device = await startModbusTcpServer({ name: "plc", points: [counterPoint] });
  const seen: Record<string, string> = {};
  for (const fault of device.faults) {
    {
      await using _fault = await device.fault(fault, { delayMs: 600 });
      const during = await client(device).catch(() => undefined);
      seen[fault] =
        (await during?.readHoldingRegisters(10, 2).then(
          () => "answered",
          (thrown: unknown) => words(thrown).slice(0, 18),
        )) ?? "not connected";
      during?.destroy(() => undefined);
    }
    const after = await client(device);
    expect((await after.readHoldingRegisters(10, 2)).data).toEqual([0, 0]);
    after.destroy(() => undefined);
  }
  expect(seen).toEqual({
    exception: "Modbus exception 4",
    silence: "Timed out",
    "slow-answer": "Timed out",
    "wrong-unit": "Unexpected data er",
    cut: "not connected",
    garbage: "Timed out",
    restart: "not connected",
  });
});

test("a fault of one unit leaves the others of the port alone", async () => {
  const other = point("other", "uint16", { unit: 2, quantity: 1 });
  await using device = await startModbusTcpServer({ name: "plc", points: [counterPoint, other] });
  await using _fault = await device.fault("silence", { unit: 2 });
  const master = await client(device);
  expect((await master.readHoldingRegisters(10, 2)).data).toEqual([0, 0]);
  master.setID(2);
  await expect(master.readHoldingRegisters(0, 1)).rejects.toThrow("Timed out");
  master.destroy(() => undefined);
});

test("a check names the unit that does not answer, and a real device is read and written like a simulated one", async () => {
  await using device = await startModbusTcpServer({ name: "plc", points: typePoints("plc", 1) });
  expect(await device.check()).toMatchObject([{ ok: true }]);
  const [host = "", port = ""] = device.address.split(":");
  await using real = await connectModbusDevice({
    name: "real",
    host,
    port: Number(port),
    points: [...device.points, point("stranger", "uint16", { unit: 7, quantity: 1 })],
  });
  const level = device.points.find(
    ({ dataType, at: where }) => dataType === "double" && where.kind === "modbus",
  );
  if (level === undefined) throw new Error("no double");
  await real.set(level, -1.25);
  expect([await device.get(level), await real.get(level)]).toEqual([-1.25, -1.25]);
  expect((await real.check()).filter(({ ok }) => !ok)).toMatchObject([
    { wire: expect.stringContaining("unit 7") as string },
  ]);
  expect(real.faults).toEqual([]);
});

const hasNoLine = !hasSocat() && !(process.env["RACKPROOF_REQUIRE"] ?? "").includes("socat");

test("a device that ends while its client leaves keeps no connection open", async () => {
  const before = openConnections();
  const device = await startModbusTcpServer({ name: "plc", points: [counterPoint] });
  const [host = "", port = ""] = device.address.split(":");
  const leaving = connect(Number(port), host);
  const read = Buffer.from([0, 1, 0, 0, 0, 6, 1, 3, 0, 10, 0, 2]);
  leaving.write(read);
  await once(leaving, "data");
  // A signal is handled after the other events of its turn: the device has seen the end, and not yet answered it.
  const ended = once(process, "SIGUSR2").then(() => device[Symbol.asyncDispose]());
  leaving.end(() => process.kill(process.pid, "SIGUSR2"));
  await ended;
  if (!leaving.closed) await once(leaving, "close");
  await expect.poll(openConnections).toBeLessThanOrEqual(before);
});

test.skipIf(hasNoLine)("several units answer on one line, and the faults of a line show", async () => {
  const second = point("second", "uint16", { unit: 2, quantity: 1 });
  await using line = await startModbusRtuLine({ name: "line", points: [counterPoint, second] });
  await line.set(counterPoint, 5);
  await line.set(second, 6);
  /** A master of its own each time: what a fault leaves in its buffer is not the next one's business. */
  const read = async (unit: number, address: number, quantity: number, withinMs = 5000): Promise<string> => {
    const master = await client(line, unit);
    master.setTimeout(withinMs);
    const answer = await master.readHoldingRegisters(address, quantity).then(
      ({ data }) => String(data),
      (thrown: unknown) => words(thrown).slice(0, 18),
    );
    await new Promise<void>((resolve) => master.close(() => resolve()));
    return answer;
  };
  expect([await read(1, 10, 2), await read(2, 0, 1)]).toEqual(["0,5", "6"]);
  const seen: Record<string, string> = {};
  const answered: readonly string[] = ["exception", "crc-error", "noise"];
  // The late answer comes last: whoever read next would take it for its own.
  for (const fault of [...line.faults.filter((one) => one !== "slow-answer"), "slow-answer" as const]) {
    await using _fault = await line.fault(fault, { delayMs: 400 });
    // Only where no answer is expected may a busy machine be taken for a device that does not answer.
    seen[fault] = await read(2, 0, 1, answered.includes(fault) ? 5000 : 300);
  }
  expect(seen).toEqual({
    exception: "Modbus exception 4",
    silence: "Timed out",
    "slow-answer": "Timed out",
    "wrong-unit": "Timed out",
    garbage: "Timed out",
    "crc-error": "CRC error",
    "partial-frame": "Timed out",
    noise: "6",
  });
});

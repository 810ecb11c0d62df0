import { connect, createServer } from "node:net";
import { once } from "node:events";
import modbus from "modbus-serial";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../base/clock.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import { TagRegistry } from "../../groups/tags/provider.ts";
import { ValueTable } from "../../groups/tags/values.ts";
import { testFoundation } from "../../testing/foundation.ts";
import { createModbusMaster, tcpProvider } from "./modbusMaster.ts";
import { createModbusSlave } from "./slave.ts";

/** A device of the library's own making, as an independent peer. */
class Device implements AsyncDisposable {
  readonly registers = new Uint16Array(1000);
  readonly reads: [number, number][] = [];
  readonly #server: InstanceType<typeof modbus.ServerTCP>;

  private constructor(port: number) {
    const unanswered = (): never => {
      throw Object.assign(new Error("illegal address"), { modbusErrorCode: 2 });
    };
    this.#server = new modbus.ServerTCP(
      {
        getHoldingRegister: (address: number) => {
          this.reads.push([address, 1]);
          return address < 500 ? this.registers[address] : unanswered();
        },
        getMultipleHoldingRegisters: (address: number, length: number) => {
          this.reads.push([address, length]);
          if (address + length > 500) unanswered();
          return [...this.registers.subarray(address, address + length)];
        },
        setRegister: (address: number, value: number) => void (this.registers[address] = value),
      },
      { host: "127.0.0.1", port, unitID: 1 },
    );
  }

  static async open(port = 0): Promise<{ device: Device; port: number }> {
    const free = port === 0 ? await freePort() : port;
    const device = new Device(free);
    await once(device.#server, "initialized");
    return { device, port: free };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

function master(foundation: Foundation): { group: Group; values: ValueTable; providers: TagRegistry } {
  const providers = new TagRegistry(() => true);
  const values = new ValueTable();
  return {
    group: createModbusMaster(foundation, { providers, values, isProviderRunning: () => true }),
    values,
    providers,
  };
}

const command = (name: string, address: number, dataType: string, more: object = {}): object => ({
  name,
  table: "holding-registers",
  address,
  dataType,
  pollIntervalMs: 10,
  ...more,
});
const delivered = (port: number, commands: object[]) => () => ({
  devices: [
    { name: "plc", transport: { kind: "tcp", host: "127.0.0.1", port }, unitId: 1, timeoutMs: 200, commands },
  ],
});

test("neighbouring registers come in one read, in their order of words", async () => {
  using foundation = testFoundation();
  const { device, port } = await Device.open();
  await using _device = device;
  device.registers.set([0x1234, 0x5678, 0x3f80, 0, 0, 0x3f80], 10);
  const { group, values, providers } = master({
    ...foundation,
    clock: systemClock,
    delivered: delivered(port, [
      command("whole", 10, "uint32", { order: "CDAB" }),
      command("one", 12, "float"),
      command("turned", 14, "float", { order: "CDAB" }),
      command("far", 100, "uint16"),
    ]),
  });
  await using _group = group;
  await group.start?.();
  const latest = (): unknown[] => providers.tags(tcpProvider).map((tag) => values.latest(tag)?.value);
  await vi.waitFor(() => expect(latest()).toEqual([0x56781234, 1, 1, 0]));
  expect(new Set(device.reads.map(([address, length]) => `${address}+${length}`))).toEqual(
    new Set(["10+6", "100+1"]),
  );
});

test("a written value reaches the device and is read back", async () => {
  using foundation = testFoundation();
  const { device, port } = await Device.open();
  await using _device = device;
  const { group, providers } = master({
    ...foundation,
    clock: systemClock,
    delivered: delivered(port, [command("set", 5, "int32", { access: "rw" })]),
  });
  await using _group = group;
  await group.start?.();
  const [tag] = providers.tags(tcpProvider);
  if (tag === undefined) throw new Error("no tag");
  const provider = providers.get(tcpProvider);
  await provider?.write?.(tag, -2);
  expect([...device.registers.subarray(5, 7)]).toEqual([0xffff, 0xfffe]);
  expect(await provider?.read?.(tag)).toMatchObject({ value: -2 });
});

test("a value that returns to what the last poll saw, after a direct read of another, is shown", async () => {
  using foundation = testFoundation();
  const { device, port } = await Device.open();
  await using _device = device;
  const { group, values, providers } = master({
    ...foundation,
    clock: systemClock,
    delivered: delivered(port, [command("level", 5, "uint16", { pollIntervalMs: 300 })]),
  });
  await using _group = group;
  await group.start?.();
  const [tag] = providers.tags(tcpProvider);
  if (tag === undefined) throw new Error("no tag");
  const polls = (): number => device.reads.length;
  await vi.waitFor(() => expect(values.latest(tag)?.value).toBe(0));
  device.registers[5] = 7;
  const before = polls();
  expect(await providers.get(tcpProvider)?.read?.(tag)).toMatchObject({ value: 7 });
  // No poll came between: the next one sees what the last one saw.
  expect(polls()).toBe(before + 1);
  device.registers[5] = 0;
  await vi.waitFor(() => expect(values.latest(tag)?.value).toBe(0));
});

test("an address that the device does not have fails alone, and once", async () => {
  using foundation = testFoundation();
  const { device, port } = await Device.open();
  await using _device = device;
  device.registers[499] = 7;
  const { group, values, providers } = master({
    ...foundation,
    clock: systemClock,
    delivered: delivered(port, [command("last", 499, "uint16"), command("beyond", 500, "uint16")]),
  });
  await using _group = group;
  await group.start?.();
  await vi.waitFor(() => expect(foundation.raised).toEqual([39, 42]));
  const [last, beyond] = providers.tags(tcpProvider);
  if (last === undefined || beyond === undefined) throw new Error("no tags");
  await vi.waitFor(() => expect(values.latest(last)?.value).toBe(7));
  expect(values.latest(beyond)).toBeUndefined();
});

test("failure and recovery of a device are recorded, and reads are rejected meanwhile", async () => {
  using foundation = testFoundation();
  const first = await Device.open();
  const { group, values, providers } = master({
    ...foundation,
    clock: systemClock,
    delivered: delivered(first.port, [command("value", 0, "uint16")]),
  });
  await using _group = group;
  await group.start?.();
  await vi.waitFor(() => expect(foundation.raised).toEqual([39]));
  await first.device[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(foundation.raised).toEqual([39, 40]), { timeout: 3000 });
  const [tag] = providers.tags(tcpProvider);
  if (tag === undefined) throw new Error("no tag");
  await expect(providers.get(tcpProvider)?.read?.(tag)).rejects.toThrow("did not answer");
  const second = await Device.open(first.port);
  await using _second = second.device;
  second.device.registers[0] = 9;
  await vi.waitFor(() => expect(values.latest(tag)?.value).toBe(9), { timeout: 5000 });
  expect(foundation.raised).toEqual([39, 40, 39]);
});

test("Modbus clients of the plant read tags, and a wrong function is recorded", async () => {
  using foundation = testFoundation();
  const port = await freePort();
  const values = new ValueTable();
  const tag = {
    prvdName: "device",
    srcName: "s",
    tagName: "t",
    dataType: "uint32",
    dataSize: 4,
    dataUnit: "",
    access: "r",
  } as const;
  values.set(tag, 0x00010002, 0);
  const map = [{ address: 100, provider: "device", source: "s", tag: "t" }];
  await using slave = createModbusSlave(
    { ...foundation, delivered: () => ({ enable: true, port, unitId: 1, registers: map }) },
    { address: "127.0.0.1", values, tags: () => [tag] },
  );
  await slave.start?.();
  const client = new modbus.default();
  await client.connectTCP("127.0.0.1", { port });
  expect((await client.readHoldingRegisters(100, 2)).data).toEqual([1, 2]);
  await expect(client.readHoldingRegisters(101, 2)).rejects.toThrow("exception 2");
  await expect(client.readCoils(0, 1)).rejects.toThrow("exception 1");
  client.close(() => undefined);
  await vi.waitFor(() => expect(foundation.raised).toEqual([45, 47, 46]));
});

test("invalid bytes from a Modbus client end only its connection", async () => {
  using foundation = testFoundation();
  const port = await freePort();
  await using slave = createModbusSlave(
    { ...foundation, delivered: () => ({ enable: true, port, unitId: 1, registers: [] }) },
    { address: "127.0.0.1", values: new ValueTable(), tags: () => [] },
  );
  await slave.start?.();
  const socket = connect(port, "127.0.0.1");
  socket.write(Buffer.alloc(40, 0xff));
  await once(socket, "close");
  expect(foundation.raised).toEqual([45, 46]);
});

// One wire to Modbus devices, held by the library; requests on it go one after another.
import type * as ModbusSerial from "modbus-serial";
import type { CommandSettings, DeviceSettings } from "./settings.ts";

type Client = InstanceType<typeof ModbusSerial.default.default>;
type Transport = DeviceSettings["transport"];

/** The device answered, with a Modbus exception. */
export class ModbusException extends Error {
  readonly exceptionCode: number;

  constructor(exceptionCode: number, message: string) {
    super(message);
    this.exceptionCode = exceptionCode;
  }
}

export interface ReadRequest {
  readonly unitId: number;
  readonly table: CommandSettings["table"];
  readonly address: number;
  readonly quantity: number;
  readonly timeoutMs: number;
}

export interface WriteRequest {
  readonly unitId: number;
  readonly table: "coils" | "holding-registers";
  readonly address: number;
  /** Registers as bytes; for a coil two bytes, zero for off. */
  readonly bytes: Buffer;
  readonly timeoutMs: number;
}

export class ModbusConnection implements AsyncDisposable {
  readonly #client: Client;
  readonly #isSerial: boolean;
  /** Ends the wait for each answer under way. A promise that lives as long as the connection would retain every answer. */
  readonly #waiting = new Set<(reason: Error) => void>();
  #isLost = false;

  private constructor(client: Client, isSerial: boolean) {
    this.#client = client;
    this.#isSerial = isSerial;
    client.on("close", () => this.#lose());
    client.on("error", () => this.#lose());
  }

  #lose(): void {
    this.#isLost = true;
    for (const fail of this.#waiting) fail(new Error("the connection was closed"));
  }

  /** Opens the wire; throws an Error that says why it could not. */
  static async open(transport: Transport, timeoutMs: number): Promise<ModbusConnection> {
    const { default: library } = await import("modbus-serial");
    const client = new library.default();
    client.on("error", () => undefined);
    const opening =
      transport.kind === "tcp"
        ? client.connectTCP(transport.host, { port: transport.port })
        : client.connectRTUBuffered(transport.port, {
            baudRate: transport.baudRate,
            parity: transport.parity ?? "none",
            dataBits: transport.dataBits === 7 ? 7 : 8,
            stopBits: transport.stopBits === 2 ? 2 : 1,
          });
    await within(opening, timeoutMs, () => {
      // A serial port that opens after all would stay locked for every later attempt.
      opening.then(
        () => client.close(() => undefined),
        () => undefined,
      );
      if (transport.kind === "tcp") client.destroy(() => undefined);
    });
    return new ModbusConnection(client, transport.kind === "serial");
  }

  /** Registers as bytes, or one byte a coil. */
  async read({ unitId, table, address, quantity, timeoutMs }: ReadRequest): Promise<Buffer> {
    const client = this.#ready(unitId, timeoutMs);
    switch (table) {
      case "coils":
        return bits(await this.#answered(client.readCoils(address, quantity)));
      case "discrete-inputs":
        return bits(await this.#answered(client.readDiscreteInputs(address, quantity)));
      case "input-registers":
        return (await this.#answered(client.readInputRegisters(address, quantity))).buffer;
      case "holding-registers":
        return (await this.#answered(client.readHoldingRegisters(address, quantity))).buffer;
    }
  }

  async write({ unitId, table, address, bytes, timeoutMs }: WriteRequest): Promise<void> {
    const client = this.#ready(unitId, timeoutMs);
    if (table === "coils") await this.#answered(client.writeCoil(address, bytes.readUInt16BE(0) !== 0));
    else if (bytes.length === 2) await this.#answered(client.writeRegister(address, bytes.readUInt16BE(0)));
    else await this.#answered(client.writeRegisters(address, bytes));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The library drops requests under way when it closes.
    this.#lose();
    if (!this.#client.isOpen) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    // The library destroys sockets and leaves serial ports open, and closes sockets only when the peer does.
    if (this.#isSerial) this.#client.close(() => resolve());
    else this.#client.destroy(() => resolve());
    await within(promise, 500, () => undefined).catch(() => undefined);
  }

  #ready(unitId: number, timeoutMs: number): Client {
    this.#client.setID(unitId);
    this.#client.setTimeout(timeoutMs);
    return this.#client;
  }

  async #answered<T>(request: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    request.then(resolve, reject);
    this.#waiting.add(reject);
    if (this.#isLost) this.#lose();
    try {
      return await promise;
    } catch (thrown) {
      // What the library throws has a message and is not always an Error.
      const { modbusCode, message } = thrown as { modbusCode?: unknown; message?: unknown };
      if (typeof modbusCode === "number") throw new ModbusException(modbusCode, String(message));
      throw thrown instanceof Error ? thrown : new Error(String(message), { cause: thrown });
    } finally {
      this.#waiting.delete(reject);
    }
  }
}

function bits({ data }: { data: readonly boolean[] }): Buffer {
  return Buffer.from(data.map((bit) => (bit ? 1 : 0)));
}

async function within<T>(work: Promise<T>, limitMs: number, giveUp: () => void): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    giveUp();
    reject(new Error(`not within ${limitMs} ms`));
  }, limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

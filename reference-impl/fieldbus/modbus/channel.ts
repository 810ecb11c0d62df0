// One wire and the devices on it: polls what is due, writes in between, and leaves alone for a while who does not answer.
import type { Clock } from "../../base/clock.ts";
import { ModbusConnection, ModbusException } from "./connection.ts";
import type { PolledDevice } from "./polledDevice.ts";
import type { DeviceSettings } from "./settings.ts";

interface Job {
  readonly device: PolledDevice;
  readonly run: (connection: ModbusConnection) => Promise<void>;
  readonly fail: (reason: Error) => void;
}

const shortestBackOffMs = 100;
const longestBackOffMs = 2000;
const idleLookMs = 50;

export class Channel implements AsyncDisposable {
  readonly #transport: DeviceSettings["transport"];
  readonly #devices: readonly PolledDevice[];
  readonly #clock: Clock;
  readonly #isRunning: () => boolean;
  readonly #jobs: Job[] = [];
  readonly #work: Promise<void>;
  #connection: ModbusConnection | undefined;
  #failedToOpen = 0;
  #openAgainAtMs = 0;
  #wake: (() => void) | undefined;
  #isOver = false;

  constructor(
    transport: DeviceSettings["transport"],
    devices: readonly PolledDevice[],
    clock: Clock,
    isRunning: () => boolean,
  ) {
    this.#transport = transport;
    this.#devices = devices;
    this.#clock = clock;
    this.#isRunning = isRunning;
    this.#work = this.#loop();
  }

  /** Does something with the device before the next poll; rejects when the device cannot be reached. */
  submit<T>(device: PolledDevice, action: (connection: ModbusConnection) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (device.isFailed || this.#failedToOpen > 0) {
      reject(new Error(`the device ${device.name} does not answer`));
      return promise;
    }
    this.#jobs.push({
      device,
      run: async (connection) => resolve(await action(connection)),
      fail: reject,
    });
    this.#wake?.();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    this.#wake?.();
    await this.#close();
    await this.#work;
  }

  async #loop(): Promise<void> {
    while (!this.#isOver) {
      if (!this.#isRunning()) {
        await this.#stop();
        continue;
      }
      const connection = this.#connection ?? (await this.#open());
      if (connection === undefined) await this.#pause(this.#openAgainAtMs - this.#clock.monotonicMs());
      else await this.#turn(connection);
    }
    this.#failJobs(new Error("the gateway is going down"));
  }

  /** The app does not run: no request is sent, and no failure of a device is reported. */
  async #stop(): Promise<void> {
    await this.#close();
    this.#failJobs(new Error("the app does not run"));
    for (const device of this.#devices) device.rest();
    this.#failedToOpen = 0;
    await this.#pause(idleLookMs);
  }

  async #open(): Promise<ModbusConnection | undefined> {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#openAgainAtMs && this.#failedToOpen > 0) return undefined;
    const timeoutMs = Math.max(...this.#devices.map((device) => device.timeoutMs));
    try {
      this.#connection = await ModbusConnection.open(this.#transport, timeoutMs);
      this.#failedToOpen = 0;
    } catch (thrown) {
      this.#openAgainAtMs = this.#clock.monotonicMs() + backOffMs(this.#failedToOpen);
      this.#failedToOpen += 1;
      const reason = thrown instanceof Error ? thrown : new Error(String(thrown));
      for (const device of this.#devices) device.failed(reason.message);
      this.#failJobs(reason);
    }
    return this.#connection;
  }

  async #turn(connection: ModbusConnection): Promise<void> {
    const job = this.#jobs.shift();
    if (job !== undefined) {
      await job
        .run(connection)
        .catch((thrown: unknown) => job.fail(thrown instanceof Error ? thrown : new Error(String(thrown))));
      return;
    }
    const nowMs = this.#clock.monotonicMs();
    let first: PolledDevice | undefined;
    for (const device of this.#devices)
      if (first === undefined || device.nextDueMs < first.nextDueMs) first = device;
    if (first === undefined) return this.#pause(idleLookMs);
    if (first.nextDueMs > nowMs) return this.#pause(Math.min(first.nextDueMs - nowMs, idleLookMs));
    const wasFailed = first.isFailed;
    try {
      await first.poll(connection);
    } catch (thrown) {
      if (thrown instanceof ModbusException) return;
      first.failed(thrown instanceof Error ? thrown.message : String(thrown));
      // A lost connection is opened anew at once, and not again and again while the device stays silent.
      const mustReopen = this.#transport.kind === "tcp";
      if (mustReopen) {
        await this.#close();
        this.#openAgainAtMs = this.#clock.monotonicMs() + (wasFailed ? longestBackOffMs / 4 : 0);
        this.#failedToOpen = wasFailed ? this.#failedToOpen + 1 : 0;
      }
    }
  }

  #failJobs(reason: Error): void {
    for (const job of this.#jobs.splice(0)) job.fail(reason);
  }

  async #close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.[Symbol.asyncDispose]();
  }

  #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.after(Math.max(0, ms), resolve);
    this.#wake = resolve;
    return promise.then(() => {
      this.#wake = undefined;
      timer[Symbol.dispose]();
    });
  }
}

function backOffMs(failures: number): number {
  return Math.min(longestBackOffMs, shortestBackOffMs * 2 ** Math.min(failures, 10));
}

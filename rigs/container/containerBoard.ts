// The board of a contained gateway: power is the life of its processes, the network a connection that can be cut.
import { PassThrough } from "node:stream";
import type { ContainerRuntimeClient } from "testcontainers";
import type {
  ConsoleLine,
  ContainerControl,
  NetworkControl,
  PowerControl,
  ResourceUse,
  Sighting,
} from "../gateway/gateway.ts";
import { readLines } from "../host/lines.ts";
import { type InstantMs, timed } from "../host/instant.ts";
import { exitSeen, parseReady, type ReadyLine } from "../process/boardLines.ts";
import type { GatewayNetwork } from "./network.ts";

/** A container of the engine's client. */
type Container = Awaited<ReturnType<ContainerRuntimeClient["container"]["create"]>>;

export class ContainerBoard {
  readonly console: ConsoleLine[] = [];
  readonly sightings: Sighting[] = [];
  readonly #engine: ContainerRuntimeClient;
  readonly #container: Container;
  readonly #network: GatewayNetwork;
  #isMeantToEnd = false;
  #hasBooted = false;
  #endedWith: string | undefined;

  constructor(engine: ContainerRuntimeClient, container: Container, network: GatewayNetwork) {
    this.#engine = engine;
    this.#container = container;
    this.#network = network;
  }

  /** Starts the container; answers when the gateway is up, throws an Error with its last lines when it does not start. */
  async start(bootDeadlineMs: number): Promise<ReadyLine> {
    this.#isMeantToEnd = false;
    this.#endedWith = undefined;
    const ready = Promise.withResolvers<ReadyLine>();
    ready.promise.catch(() => undefined);
    let isReady = false;
    // Standard input stays open as long as this process lives; the board ends itself when it closes.
    const stream = await this.#container.attach({
      stream: true,
      stdin: true,
      stdout: true,
      stderr: true,
      hijack: true,
    });
    const output = new PassThrough();
    this.#container.modem.demuxStream(stream, output, output);
    stream.once("end", () => output.end());
    stream.on("error", () => output.end());
    readLines(
      output,
      (text) => {
        this.console.push({ monotonicMs: performance.now(), epochMs: Date.now(), text });
        const ended = exitSeen(text);
        if (ended !== undefined) this.sightings.push(ended);
        const line = parseReady(text);
        if (line === undefined) return;
        this.#hasBooted = isReady = true;
        ready.resolve(line);
      },
      () => {
        ready.reject(new Error(`the container ended: ${this.#lastLines()}`));
        // One that booted before and does not boot again is a finding about the gateway.
        if (!this.#isMeantToEnd && (isReady || !this.#hasBooted))
          this.#endedWith = `the container ended unexpectedly: ${this.#lastLines()}`;
      },
    );
    await this.#container.start();
    const limit = setTimeout(
      () => ready.reject(new Error(`the gateway was not ready within its time: ${this.#lastLines()}`)),
      bootDeadlineMs,
    );
    try {
      return await ready.promise;
    } finally {
      clearTimeout(limit);
    }
  }

  /** Why the container ended without a request to end it; undefined while it runs. */
  get endedWith(): string | undefined {
    return this.#endedWith;
  }

  /** Memory without the cache of files. */
  async resources(): Promise<ResourceUse> {
    const stats = await this.#container.stats({ stream: false, "one-shot": true });
    const { usage, stats: parts } = stats.memory_stats;
    return { memoryBytes: usage - parts.inactive_file };
  }

  power(bootDeadlineMs: number): PowerControl {
    return {
      cut: async () => {
        this.#isMeantToEnd = true;
        const at = await timed(async () => {
          await this.#container.kill({ signal: "SIGKILL" });
          await this.#container.wait();
        });
        this.#saw("power-off", at, "all processes of the container were killed");
        return at;
      },
      restore: async () => {
        const low = performance.now();
        // Other observers determine when the gateway is up, as with any power switch.
        this.start(bootDeadlineMs).catch(() => undefined);
        await this.#started();
        const at = { low, high: performance.now() };
        this.#saw("power-on", at, "the container was started again");
        return at;
      },
    };
  }

  get network(): NetworkControl {
    const network = this.#engine.network.getById(this.#network.name);
    const { id } = this.#container;
    return {
      cut: () => timed(() => network.disconnect({ Container: id, Force: true })),
      restore: () =>
        timed(() =>
          network.connect({
            Container: id,
            EndpointConfig: { IPAMConfig: { IPv4Address: this.#network.gatewayAddress } },
          }),
        ),
    };
  }

  get control(): ContainerControl {
    return {
      pause: () => timed(() => this.#container.pause()),
      resume: () => timed(() => this.#container.unpause()),
      stop: () => {
        this.#isMeantToEnd = true;
        return timed(() => this.#container.stop());
      },
      limit: ({ memoryMiB, cpus }) =>
        timed(() =>
          this.#container.update({
            ...(memoryMiB === undefined
              ? {}
              : { Memory: memoryMiB * 1024 * 1024, MemorySwap: memoryMiB * 1024 * 1024 }),
            ...(cpus === undefined ? {} : { CpuPeriod: 100_000, CpuQuota: Math.round(cpus * 100_000) }),
          }),
        ),
    };
  }

  async #started(): Promise<void> {
    for (;;) {
      const { State } = await this.#container.inspect();
      if (State.Running || State.Restarting) return;
      if (State.Error !== "") throw new Error(`container not started: ${State.Error}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #saw(what: Sighting["what"], at: InstantMs, detail: string): void {
    this.sightings.push({ observer: "engine", what, at, detail });
  }

  #lastLines(): string {
    const last = this.console.slice(-5).map(({ text }) => text);
    return last.length === 0 ? "no output" : last.join(" | ");
  }
}

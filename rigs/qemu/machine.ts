// One emulated machine: its power is the life of the emulator's process, its reset button and network are commands.
import { setTimeout as timer } from "node:timers/promises";
import { execa } from "execa";
import { boundToParent } from "../host/boundChild.ts";
import { type Console, openConsole } from "../console/console.ts";
import type { Sighting } from "../gateway/gateway.ts";
import type { InstantMs } from "../host/instant.ts";
import { type QmpEvent, Qmp } from "./qmp.ts";

export interface MachineOptions {
  /** The emulator and its arguments, except console and monitor. */
  readonly command: readonly [string, ...string[]];
  /** Folder for the sockets; short, because their paths have a limit of 107 characters. */
  readonly folder: string;
}

const socketsWithinMs = 10_000;
const socketEveryMs = 10;

export class Machine implements AsyncDisposable {
  readonly sightings: Sighting[] = [];
  readonly #options: MachineOptions;
  #emulator: { readonly pid?: number | undefined; kill(signal: NodeJS.Signals): boolean } | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #console: Console | undefined;
  #qmp: Qmp | undefined;
  #stderr = "";
  #isMeantToEnd = false;
  #endedWith: string | undefined;

  constructor(options: MachineOptions) {
    this.#options = options;
  }

  get console(): Console {
    if (this.#console === undefined) throw new Error("the emulated machine was not switched on");
    return this.#console;
  }

  /** Why the emulator ended without a request to end it; undefined while it runs. */
  get endedWith(): string | undefined {
    return this.#endedWith;
  }

  get qmp(): Qmp {
    if (this.#qmp === undefined) throw new Error("the emulated machine is switched off");
    return this.#qmp;
  }

  /** Switches the machine on with further arguments for the emulator, if any; answers when its processor runs. */
  async powerOn(words: readonly string[] = []): Promise<InstantMs> {
    if (this.#emulator !== undefined) throw new Error("the emulated machine is switched on already");
    const low = performance.now();
    const { folder, command } = this.#options;
    const consolePath = `${folder}/console`;
    const [program, ...rest] = boundToParent([
      ...command,
      // The machine waits for the recorder of its console: no line is lost.
      "-chardev",
      `socket,id=console,path=${consolePath},server=on,wait=on`,
      "-serial",
      "chardev:console",
      "-qmp",
      `unix:${folder}/qmp,server=on,wait=off`,
      ...words,
    ]);
    const emulator = execa(program, rest, {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      reject: false,
    });
    this.#emulator = emulator;
    this.#stderr = "";
    emulator.stderr.on("data", (bytes: Buffer) => (this.#stderr += bytes.toString()));
    this.#isMeantToEnd = false;
    this.#endedWith = undefined;
    this.#ended = emulator.then(({ exitCode, signal }) => {
      this.#emulator = undefined;
      if (this.#isMeantToEnd) return;
      const lastLines = (this.#console?.lines ?? []).slice(-5).map(({ text }) => text);
      this.#endedWith = `the emulator ended unexpectedly (${signal ?? `exit code ${exitCode ?? "none"}`}): ${[this.#stderr.trim(), ...lastLines].filter((line) => line !== "").join(" | ")}`;
    });
    this.#console ??= await this.#firstConsole(consolePath);
    this.#qmp = await Qmp.open(`${folder}/qmp`, socketsWithinMs, (event) => this.#saw(event)).catch(
      (thrown: unknown) => {
        throw new Error(`${thrown instanceof Error ? thrown.message : String(thrown)} ${this.#stderr}`, {
          cause: thrown,
        });
      },
    );
    const at = { low, high: performance.now() };
    this.sightings.push({ observer: "emulator", what: "power-on", at, detail: "the emulator was started" });
    return at;
  }

  /** Cuts the power: the emulator's process is killed, and data not written to its disk is lost. */
  async powerOff(): Promise<InstantMs> {
    const low = performance.now();
    if (this.#emulator === undefined) throw new Error("the emulated machine is switched off already");
    this.#isMeantToEnd = true;
    this.#emulator.kill("SIGKILL");
    await this.#ended;
    await this.#qmp?.[Symbol.asyncDispose]();
    this.#qmp = undefined;
    const at = { low, high: performance.now() };
    this.sightings.push({ observer: "emulator", what: "power-off", at, detail: "the emulator was killed" });
    return at;
  }

  /** Presses the reset button. */
  async reset(): Promise<InstantMs> {
    const low = performance.now();
    await this.qmp.execute("system_reset");
    return { low, high: performance.now() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isMeantToEnd = true;
    this.#emulator?.kill("SIGKILL");
    await this.#ended;
    await this.#qmp?.[Symbol.asyncDispose]();
    await this.#console?.[Symbol.asyncDispose]();
  }

  #saw({ name, data, at }: QmpEvent): void {
    if (name !== "RESET") return;
    const isByGateway = JSON.stringify(data).includes('"guest":true');
    this.sightings.push({
      observer: "emulator",
      what: "reset",
      at,
      detail: isByGateway ? "RESET, by the gateway itself" : "RESET, by the button",
    });
  }

  async #firstConsole(path: string): Promise<Console> {
    const startedMs = performance.now();
    for (;;) {
      try {
        return await openConsole({ kind: "unix", path });
      } catch (thrown) {
        const isLate = performance.now() - startedMs > socketsWithinMs;
        if (this.#emulator === undefined || isLate)
          throw new Error(`emulator not started: ${this.#stderr.trim() || String(thrown)}`, {
            cause: thrown,
          });
      }
      await timer(socketEveryMs);
    }
  }
}

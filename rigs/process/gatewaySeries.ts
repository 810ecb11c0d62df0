// Reference gateways one after the other in one process: each has a state of its own and starts in a tenth of the time of
// a process. They have no equipment, and one that reboots ends the process, which the next one starts again.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import type { ConsoleLine, RunningGateway } from "../gateway/gateway.ts";
import { readLines } from "../host/lines.ts";
import { temporaryFolder } from "../host/temporaryFolder.ts";
import { parseReady, type ReadyLine } from "./boardLines.ts";
import { runWords, unsynced } from "./program.ts";

const program = fileURLToPath(new URL("../../alterations/series.ts", import.meta.url));
const certifier = fileURLToPath(new URL("../../reference-impl/tls/makeSelfSigned.ts", import.meta.url));
const readyWithinMs = 30_000;

interface Child {
  readonly ask: (line: string) => void;
  readonly kill: () => void;
  readonly ended: Promise<unknown>;
}

export class GatewaySeries implements AsyncDisposable {
  readonly #adminPassword: string;
  readonly #folder: string;
  readonly #cleanUp: AsyncDisposableStack;
  #child: Child | undefined;
  #console: ConsoleLine[] = [];
  #ready: PromiseWithResolvers<ReadyLine> | undefined;
  #endedWith: string | undefined;
  #count = 0;

  private constructor(adminPassword: string, folder: string, cleanUp: AsyncDisposableStack) {
    this.#adminPassword = adminPassword;
    this.#folder = folder;
    this.#cleanUp = cleanUp;
  }

  /** All gateways of the series have this administrator and the same certificate. */
  static async open(adminPassword: string): Promise<GatewaySeries> {
    await using cleanUp = new AsyncDisposableStack();
    const folder = await temporaryFolder(cleanUp, "series");
    const { stdout } = await execa(process.execPath, [certifier, "RP1000-000001", String(Date.now())]);
    await writeFile(join(folder, "certificate.json"), stdout, { mode: 0o600 });
    return new GatewaySeries(adminPassword, folder, cleanUp.move());
  }

  /** Ends the gateway before and starts another one on an empty state; throws an Error when it does not start. */
  async next(fault: string): Promise<RunningGateway> {
    this.#console = [];
    this.#endedWith = undefined;
    this.#ready = Promise.withResolvers<ReadyLine>();
    this.#count += 1;
    const state = join(this.#folder, String(this.#count));
    const words = [
      "--state",
      state,
      unsynced,
      "--certificate",
      join(this.#folder, "certificate.json"),
      ...runWords(fault),
    ];
    this.#child ??= this.#start();
    const { ask, kill } = this.#child;
    ask(JSON.stringify(words));
    const limit = setTimeout(kill, readyWithinMs);
    const ready = await this.#ready.promise.finally(() => clearTimeout(limit));
    await rm(join(this.#folder, String(this.#count - 1)), { recursive: true, force: true });
    const console = this.#console;
    return {
      kind: "process",
      name: "reference",
      fault,
      version: ready.version,
      baseUrl: `http://127.0.0.1:${ready.httpPort}${ready.basePath ?? ""}`,
      console,
      ended: () => this.#endedWith,
      // It ends when the next one starts, or with the series.
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  #start(): Child {
    const child = execa(process.execPath, [program], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      buffer: false,
      reject: false,
      env: { RACKPROOF_ADMIN_PASSWORD: this.#adminPassword },
    });
    for (const stream of [child.stdout, child.stderr])
      readLines(stream, (text) => {
        this.#console.push({ monotonicMs: performance.now(), epochMs: Date.now(), text });
        const line = parseReady(text);
        if (line !== undefined) this.#ready?.resolve(line);
      });
    child.stdin.on("error", () => undefined);
    const ended = child.then(({ exitCode, signal }) => {
      this.#child = undefined;
      const last = this.#console.at(-1)?.text ?? "no output";
      this.#endedWith = `the gateway's process ended (${signal ?? `exit code ${exitCode ?? "none"}`}): ${last}`;
      this.#ready?.reject(new Error(this.#endedWith));
    });
    return { ask: (line) => child.stdin.write(`${line}\n`), kill: () => child.kill("SIGKILL"), ended };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child?.kill();
    await this.#child?.ended;
    await this.#cleanUp.disposeAsync();
  }
}

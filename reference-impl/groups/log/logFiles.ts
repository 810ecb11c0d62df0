// Application logs: one file per app in the state folder, rotated when large.
import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Clock, timestamp } from "../../clock.ts";

const maxFileBytes = 1024 * 1024;

export class LogFiles {
  readonly folder: string;
  readonly #clock: Clock;
  readonly #sizes = new Map<string, number>();

  constructor(stateFolder: string, clock: Clock) {
    this.folder = join(stateFolder, "log");
    this.#clock = clock;
    mkdirSync(this.folder, { recursive: true });
  }

  /** Appends a line to the app's log. */
  write(app: string, line: string): void {
    const file = join(this.folder, `${app}.log`);
    const text = `${timestamp(this.#clock.nowMs())} ${line.replaceAll("\n", "\n  ")}\n`;
    const size = (this.#sizes.get(app) ?? sizeOf(file)) + Buffer.byteLength(text);
    if (size > maxFileBytes) {
      renameSync(file, join(this.folder, `${app}.log.1`));
      this.#sizes.set(app, Buffer.byteLength(text));
    } else {
      this.#sizes.set(app, size);
    }
    appendFileSync(file, text);
  }

  /** Files of the app, or of all apps. */
  filesOf(app: string | undefined): { name: string; path: string }[] {
    return readdirSync(this.folder)
      .filter((name) => app === undefined || name === `${app}.log` || name === `${app}.log.1`)
      .map((name) => ({ name, path: join(this.folder, name) }));
  }

  clear(): void {
    for (const { path } of this.filesOf(undefined)) rmSync(path, { force: true });
    this.#sizes.clear();
  }

  /** Removes rotated files that were last written before the instant. */
  removeOlderThan(epochMs: number): void {
    for (const { path } of this.filesOf(undefined)) {
      if (statSync(path).mtimeMs < epochMs) rmSync(path, { force: true });
    }
    this.#sizes.clear();
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

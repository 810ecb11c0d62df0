// Application logs: one file per app in the state folder, rotated when large.
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Clock, timestamp } from "../../base/clock.ts";

const maxFileBytes = 1024 * 1024;
const maxLineCharacters = 16_384;

/** What the log configuration says about keeping lines. */
export interface Retention {
  readonly isEnabled: boolean;
  /** All files together; the oldest lines are removed first. */
  readonly maxBytes: number;
  /** Lines older than this go; undefined keeps them. */
  readonly maxAgeMs: number | undefined;
}

export class LogFiles {
  readonly folder: string;
  readonly #clock: Clock;
  readonly #sizes = new Map<string, number>();
  #retention: Retention = { isEnabled: true, maxBytes: Number.POSITIVE_INFINITY, maxAgeMs: undefined };

  constructor(stateFolder: string, clock: Clock) {
    this.folder = join(stateFolder, "log");
    this.#clock = clock;
    mkdirSync(this.folder, { recursive: true });
  }

  /** Appends a line to the app's log, unless logging is off. On a full disk the line is lost and the gateway continues. */
  write(app: string, line: string): void {
    if (!this.#retention.isEnabled) return;
    const short = line.slice(0, maxLineCharacters).replaceAll("\n", "\n  ");
    const text = `${timestamp(this.#clock.nowMs())} ${short}\n`;
    const file = join(this.folder, `${app}.log`);
    try {
      const before = this.#sizes.get(app) ?? sizeOf(file);
      const isFull = before > 0 && before + Buffer.byteLength(text) > maxFileBytes;
      if (isFull) renameSync(file, `${file}.1`);
      this.#sizes.set(app, (isFull ? 0 : before) + Buffer.byteLength(text));
      appendFileSync(file, text);
    } catch {
      this.#sizes.delete(app);
    }
  }

  /** The files of the app, or of all apps, as they are now. */
  contents(app?: string): { name: string; content: Buffer }[] {
    return this.#names()
      .filter((name) => app === undefined || name === `${app}.log` || name === `${app}.log.1`)
      .map((name) => ({ name, content: readFileSync(join(this.folder, name)) }));
  }

  /** Applies the rule to the present files and from now on. */
  retain(retention: Retention): void {
    this.#retention = retention;
    this.sweep();
  }

  /** Removes lines and files beyond the retention. */
  sweep(): void {
    const { maxAgeMs, maxBytes } = this.#retention;
    if (maxAgeMs !== undefined) this.#dropOlderThan(timestamp(Math.max(0, this.#clock.nowMs() - maxAgeMs)));
    const files = this.#names()
      .map((name) => ({ ...facts(join(this.folder, name)), isRotated: name.endsWith(".1") }))
      // File times are coarse: of two that are equal, the rotated file is the older one.
      .toSorted((a, b) => a.writtenMs - b.writtenMs || Number(b.isRotated) - Number(a.isRotated));
    let surplusBytes = files.reduce((sum, { size }) => sum + size, 0) - maxBytes;
    for (const { path, size } of files) {
      if (surplusBytes <= 0) break;
      dropOldest(path, size, surplusBytes);
      surplusBytes -= size;
    }
    this.#sizes.clear();
  }

  clear(): void {
    for (const name of this.#names()) rmSync(join(this.folder, name), { force: true });
    this.#sizes.clear();
  }

  #names(): string[] {
    return readdirSync(this.folder);
  }

  #dropOlderThan(oldest: string): void {
    for (const name of this.#names()) {
      const path = join(this.folder, name);
      const text = readFileSync(path, "utf8");
      // Every entry begins with its time; lines that continue an entry are indented.
      const kept = text
        .split(/\n(?! )/)
        .filter((entry) => entry.slice(0, oldest.length) >= oldest)
        .join("\n");
      if (kept === "") rmSync(path, { force: true });
      else if (kept.length < text.length) rewrite(path, kept);
    }
  }
}

/** Removes the oldest lines of the file, at least `surplusBytes` of them, or the whole file. */
function dropOldest(path: string, size: number, surplusBytes: number): void {
  const bytes = surplusBytes < size ? readFileSync(path) : Buffer.alloc(0);
  const start = bytes.indexOf("\n", surplusBytes) + 1;
  if (start === 0 || start >= bytes.length) rmSync(path, { force: true });
  else rewrite(path, bytes.subarray(start));
}

/** Rewrites the file with its former times, because age decides which file is removed first. */
function rewrite(path: string, content: string | Buffer): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, content);
  utimesSync(path, atime, mtime);
}

function facts(path: string): { path: string; size: number; writtenMs: number } {
  const { size, mtimeMs } = statSync(path);
  return { path, size, writtenMs: mtimeMs };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

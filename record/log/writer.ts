// Writes a run's log while the run goes: lines are only appended, chained by hashes, and signed from time to time.
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginning, hashOf, headText, lineOf, logFile, Salts, sealContents } from "./chain.ts";
import type { LogEntry, LogHeader } from "./entry.ts";
import type { LogKey } from "./key.ts";

type Unsealed<E> = E extends { digests: unknown } ? Omit<E, "digests"> : E;
/** An entry as it is given to the log; the log adds the digests of its contents. */
export type NewEntry = Unsealed<Exclude<LogEntry, { kind: "head" | "header" }>>;
type NewHeader = Omit<LogHeader, "digests" | "key" | "kind" | "format" | "run">;

/** A log may lose what was observed this long before the machine fails. */
const flushEveryMs = 200;
const signEveryMs = 5000;
const largestBufferChars = 1 << 20;

export class LogWriter implements Disposable {
  readonly #file: number;
  readonly #key: LogKey;
  readonly #run: string;
  readonly #epochMs: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly #salts = new Salts();
  #hash = beginning;
  #buffer: string[] = [];
  #bufferChars = 0;
  #signedMs: number;
  #isClosed = false;

  /** Begins the log of the folder with the header and its contents. `run`: 32 random hexadecimal digits. */
  constructor(
    folder: string,
    key: LogKey,
    {
      run,
      header,
      contents = {},
      epochMs,
    }: {
      readonly run: string;
      readonly header: NewHeader;
      readonly contents?: Readonly<Record<string, string>>;
      readonly epochMs: () => number;
    },
  ) {
    mkdirSync(folder, { recursive: true });
    this.#file = openSync(join(folder, logFile), "w");
    this.#key = key;
    this.#run = run;
    this.#epochMs = epochMs;
    this.#signedMs = epochMs();
    const { x, id, isOneTime } = key;
    this.#seal(
      { kind: "header", format: "rackproof/log@1", run, ...header, key: { x, id, isOneTime } },
      contents,
    );
    this.#sign();
    this.#flush();
    this.#timer = setInterval(() => this.#flush(), flushEveryMs);
    this.#timer.unref();
  }

  add(entry: NewEntry, contents: Readonly<Record<string, string>> = {}): void {
    if (this.#isClosed) return;
    this.#seal(entry, contents);
    if (this.#epochMs() - this.#signedMs > signEveryMs) this.#sign();
    if (this.#bufferChars > largestBufferChars) this.#flush();
  }

  /** Writes the end with the digests of the run's files; later entries are ignored. */
  end(end: { readonly complete: boolean; readonly files: Readonly<Record<string, string>> }): void {
    if (this.#isClosed) return;
    this.#seal({ kind: "end", at: this.#now(), complete: end.complete, files: { ...end.files } }, {});
    this.#sign();
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    clearInterval(this.#timer);
    this.#flush();
    this.#isClosed = true;
    closeSync(this.#file);
  }

  #now(): string {
    return new Date(this.#epochMs()).toISOString();
  }

  #seal(entry: object, texts: Readonly<Record<string, string>>): void {
    const { digests, contents } = sealContents(texts, this.#salts);
    const isBare = Object.keys(digests).length === 0;
    this.#append(JSON.stringify(isBare ? entry : { ...entry, digests }), contents);
  }

  #sign(): void {
    const at = this.#now();
    this.#signedMs = this.#epochMs();
    const signature = this.#key.sign(headText(this.#run, this.#hash, at));
    this.#append(JSON.stringify({ kind: "head", at, signature }), {});
  }

  #append(entryText: string, contents: Parameters<typeof lineOf>[2]): void {
    this.#hash = hashOf(this.#hash, entryText);
    const line = lineOf(this.#hash, entryText, contents);
    this.#buffer.push(line);
    this.#bufferChars += line.length;
  }

  #flush(): void {
    if (this.#buffer.length === 0) return;
    writeFileSync(this.#file, this.#buffer.join(""));
    this.#buffer = [];
    this.#bufferChars = 0;
  }
}

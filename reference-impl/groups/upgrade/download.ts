// One attempt at a download: continues a part by a range request, reports progress, can be stopped.
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Transform } from "node:stream";

export interface DownloadOptions {
  readonly url: string;
  /** File of the part; bytes in it are not requested again. */
  readonly file: string;
  readonly signal: AbortSignal;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Without a byte for so long the attempt ends; 0 for never, and without probes of the connection. */
  readonly idleMs?: number;
  readonly onProgress: (receivedBytes: number, totalBytes: number) => void;
}

/** One attempt; throws with the reason when the file is not complete. */
export type Download = (options: DownloadOptions) => Promise<void>;

const maxBytes = 64 * 1024 ** 3;
const defaultIdleMs = 30_000;

/** Resolves when the file is complete; otherwise throws with the reason and keeps the part. */
export async function downloadOnce(options: DownloadOptions): Promise<void> {
  const present = (await stat(options.file).catch(() => undefined))?.size ?? 0;
  const { idleMs = defaultIdleMs } = options;
  // Loaded with the first download, because a boot without it is shorter.
  const { Agent, request } = await import("undici");
  const agent = new Agent({
    connect: { ...options.tls, timeout: 10_000, keepAlive: idleMs > 0 },
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
  });
  try {
    const answer = await request(options.url, {
      dispatcher: agent,
      signal: options.signal,
      headers: present > 0 ? { range: `bytes=${present}-` } : {},
    });
    const { statusCode, headers } = answer;
    if (statusCode === 416 && present > 0 && wholeLength(headers) === present) {
      await answer.body.dump();
      return;
    }
    if (statusCode !== 200 && statusCode !== 206) {
      await answer.body.dump();
      throw new Error(`the server answered ${statusCode}`);
    }
    const isContinued = statusCode === 206 && rangeStart(headers) === present;
    if (statusCode === 206 && !isContinued) {
      await answer.body.dump();
      throw new Error("the server answered another range than requested");
    }
    let received = isContinued ? present : 0;
    const length = Number(headers["content-length"] ?? Number.NaN);
    const total = Number.isFinite(length) ? received + length : 0;
    if (total > maxBytes) throw new Error(`the file is larger than ${maxBytes} bytes`);
    options.onProgress(received, total);
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        received += chunk.length;
        options.onProgress(received, total);
        done(received > maxBytes ? new Error("the file is too large") : null, chunk);
      },
    });
    await pipeline(
      answer.body,
      meter,
      createWriteStream(options.file, { flags: isContinued ? "a" : "w", mode: 0o600 }),
      { signal: options.signal },
    );
    if (total > 0 && received !== total)
      throw new Error(`the connection ended after ${received} of ${total} bytes`);
  } finally {
    await agent.destroy();
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function rangeStart(headers: Headers): number {
  return Number(/^bytes (\d+)-/.exec(String(headers["content-range"]))?.[1] ?? Number.NaN);
}

function wholeLength(headers: Headers): number {
  return Number(/\/(\d+)$/.exec(String(headers["content-range"]))?.[1] ?? Number.NaN);
}

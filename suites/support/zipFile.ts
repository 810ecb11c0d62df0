import { buffer } from "node:stream/consumers";
import { crc32, inflateRawSync } from "node:zlib";
import { fromBuffer, type Entry, type ZipFile } from "yauzl";

/** Compression method 8 of the format. */
const deflate = 8;

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
}

/** The files of a zip; undefined for other bytes. */
export async function readZip(bytes: Buffer): Promise<ZipEntry[] | undefined> {
  try {
    const zip = await open(bytes);
    const entries: ZipEntry[] = [];
    await new Promise<void>((resolve, reject) => {
      zip.on("error", reject);
      zip.on("end", resolve);
      zip.on("entry", (entry: Entry) => {
        content(zip, entry).then((read) => {
          entries.push({ name: entry.fileName, content: read });
          zip.readEntry();
        }, reject);
      });
      zip.readEntry();
    });
    return entries;
  } catch {
    return undefined;
  }
}

function open(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => (error === null ? resolve(zip) : reject(error)));
  });
}

async function content(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.fileName.endsWith("/")) return Buffer.alloc(0);
  const isDeflated = entry.compressionMethod === deflate;
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    const opened = (error: Error | null, found: NodeJS.ReadableStream): void =>
      error === null ? resolve(found) : reject(error);
    // Inflated here at once: work of the thread pool takes time that a replay does not have.
    if (isDeflated)
      zip.openReadStream(entry, { decompress: false, decrypt: null, start: null, end: null }, opened);
    else zip.openReadStream(entry, opened);
  });
  const stored = await buffer(stream);
  const inflated = isDeflated ? inflateRawSync(stored) : stored;
  if (inflated.length !== entry.uncompressedSize) throw new Error("the size of the file is wrong");
  if (crc32(inflated) !== entry.crc32) throw new Error("the checksum of the file is wrong");
  return inflated;
}

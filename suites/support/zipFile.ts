import { buffer } from "node:stream/consumers";
import { fromBuffer, type Entry, type ZipFile } from "yauzl";

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
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(error)));
  });
  return buffer(stream);
}

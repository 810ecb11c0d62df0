import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { extract, pack } from "tar-stream";

export interface TarEntry {
  readonly name: string;
  readonly content: Buffer;
}

const maxExpandedBytes = 64 * 1024 * 1024;

/** The plain files of a tar.gz in order; undefined for other bytes. */
export async function readTarGz(bytes: Buffer): Promise<TarEntry[] | undefined> {
  try {
    const tar = extract();
    Readable.from([gunzipSync(bytes, { maxOutputLength: maxExpandedBytes })]).pipe(tar);
    const entries: TarEntry[] = [];
    for await (const entry of tar) {
      const content = await buffer(entry);
      if (entry.header.type === "file") entries.push({ name: entry.header.name, content });
    }
    return entries.length === 0 ? undefined : entries;
  } catch {
    return undefined;
  }
}

export async function makeTarGz(entries: readonly TarEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, content } of entries) tar.entry({ name }, content);
  tar.finalize();
  return gzipSync(await buffer(tar));
}

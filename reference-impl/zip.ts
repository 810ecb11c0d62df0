import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** A zip of the given files, in memory: logs and events are bounded by their retention. */
export async function zipOf(
  entries: readonly { readonly name: string; readonly content: Buffer | { readonly path: string } }[],
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, content } of entries) {
    if (Buffer.isBuffer(content)) zip.addBuffer(content, name);
    else zip.addFile(content.path, name);
  }
  zip.end();
  return buffer(zip.outputStream);
}

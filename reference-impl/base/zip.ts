import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** A zip of the given files, in memory: logs and events are bounded by their retention. */
export async function zipOf(
  entries: readonly { readonly name: string; readonly content: Buffer }[],
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, content } of entries) zip.addBuffer(content, name);
  zip.end();
  return buffer(zip.outputStream);
}

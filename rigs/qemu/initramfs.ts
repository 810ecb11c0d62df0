// The archive that a kernel unpacks into memory at boot: cpio in its "newc" form, which every kernel reads.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { finished } from "node:stream/promises";

const magic = "070701";
const alignment = 4;
const trailer = "TRAILER!!!";

/** Writes everything below `root` into the file, all of it owned by root. */
export async function writeInitramfs(root: string, file: string): Promise<void> {
  const out = createWriteStream(file);
  const write = async (bytes: Buffer): Promise<void> => {
    if (!out.write(bytes)) await once(out, "drain");
  };
  let inode = 1;
  for (const path of [root, ...(await below(root))]) {
    const name = relative(root, path) || ".";
    const { mode, isLink, content } = await contentOf(path);
    await write(header({ name, mode, inode: inode++, sizeBytes: content.length }));
    await write(padded(content));
    if (isLink && content.length === 0) throw new Error(`the link ${name} is empty`);
  }
  await write(header({ name: trailer, mode: 0, inode: 0, sizeBytes: 0 }));
  out.end();
  await finished(out);
}

async function below(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? [path, ...(await below(path))] : [path];
      }),
  );
  return nested.flat();
}

async function contentOf(path: string): Promise<{ mode: number; isLink: boolean; content: Buffer }> {
  const stat = await lstat(path);
  if (stat.isDirectory()) return { mode: stat.mode, isLink: false, content: Buffer.alloc(0) };
  if (stat.isSymbolicLink())
    return { mode: stat.mode, isLink: true, content: Buffer.from(await readlink(path)) };
  return { mode: stat.mode, isLink: false, content: await readFile(path) };
}

interface Entry {
  readonly name: string;
  readonly mode: number;
  readonly inode: number;
  readonly sizeBytes: number;
}

/** 13 fields of eight hexadecimal digits, the name with a zero after it, and padding. */
function header({ name, mode, inode, sizeBytes }: Entry): Buffer {
  const fields = [inode, mode, 0, 0, 1, 0, sizeBytes, 0, 0, 0, 0, Buffer.byteLength(name) + 1, 0];
  const text = magic + fields.map((field) => field.toString(16).padStart(8, "0")).join("");
  return padded(Buffer.from(`${text}${name}\0`));
}

function padded(bytes: Buffer): Buffer {
  const missing = (alignment - (bytes.length % alignment)) % alignment;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

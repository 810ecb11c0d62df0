import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of all files below the folder; files may come and go meanwhile. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async (entry) =>
      entry.isFile()
        ? stat(join(entry.parentPath, entry.name)).then(
            ({ size }) => size,
            () => 0,
          )
        : 0,
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

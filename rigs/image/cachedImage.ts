// Images are made once for what they are made of, and put in place whole: two runs that build at once do no harm.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "./cacheFolder.ts";

const keptOfAKind = 3;
/** A build that was killed leaves its folder; no build takes as long as this. */
const abandonedAfterMs = 3_600_000;

/** Answers the folder of the image, which `build` fills when there is none with this content hash. */
export async function cachedImage(
  kind: string,
  contentHash: string,
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const shelf = join(cacheFolder(), kind);
  const place = join(shelf, contentHash);
  if (existsSync(place)) return place;
  await mkdir(shelf, { recursive: true });
  const folder = await mkdtemp(join(shelf, "building-"));
  try {
    await build(folder);
    // Another run may have been faster; its image is as good.
    await rename(folder, place).catch((fault: unknown) => {
      if (!existsSync(place)) throw fault;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await dropOld(shelf, contentHash);
  return place;
}

async function dropOld(shelf: string, latest: string): Promise<void> {
  const nowMs = Date.now();
  const entries = await Promise.all(
    (await readdir(shelf)).map(async (name) => ({
      name,
      madeMs: await stat(join(shelf, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => nowMs,
      ),
    })),
  );
  const isBuilding = (name: string): boolean => name.startsWith("building-");
  const images = entries
    .filter(({ name }) => !isBuilding(name) && name !== latest)
    .toSorted((a, b) => b.madeMs - a.madeMs);
  const abandoned = entries.filter(
    ({ name, madeMs }) => isBuilding(name) && nowMs - madeMs > abandonedAfterMs,
  );
  for (const { name } of [...images.slice(keptOfAKind - 1), ...abandoned])
    await rm(join(shelf, name), { recursive: true, force: true });
}

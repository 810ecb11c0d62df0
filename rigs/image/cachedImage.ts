// Images are made once for what they are made of, and put in place whole: two runs that build at once do no harm.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "./cacheFolder.ts";

const keptOfAKind = 3;
/** A build that was killed leaves its folder; no build takes as long as this. */
const abandonedAfterMs = 3_600_000;

/** Folder inside an image with one file for each process that uses it, named by its id. */
const usersFolder = ".used-by";

/**
 * Answers the folder of the image, which `build` fills when there is none with this content hash. It stays for as long as
 * this process lives: a gateway boots from it again and again.
 */
export async function cachedImage(
  kind: string,
  contentHash: string,
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const shelf = join(cacheFolder(), kind);
  const place = join(shelf, contentHash);
  if (await isUsable(place)) return place;
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
  if (!(await isUsable(place)))
    throw new Error(`${place}: expected the image that was built there, found none`);
  await dropOld(shelf);
  return place;
}

/** Marks the image as used by this process; false where there is none. */
async function isUsable(place: string): Promise<boolean> {
  const users = join(place, usersFolder);
  try {
    // Not recursive: an image that another run drops at this moment must not come back empty.
    if (!existsSync(users)) await mkdir(users).catch(unless("EEXIST"));
    await writeFile(join(users, String(process.pid)), "");
    for (const pid of await readdir(users))
      if (!isAlive(Number(pid))) await rm(join(users, pid), { force: true });
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return false;
    // Where this process may not write, it drops nothing either.
    if (codeOf(thrown) !== "EACCES" && codeOf(thrown) !== "EROFS") throw thrown;
  }
  return existsSync(place);
}

async function isUsed(place: string): Promise<boolean> {
  const users = await readdir(join(place, usersFolder)).catch(() => []);
  return users.some((pid) => isAlive(Number(pid)));
}

async function dropOld(shelf: string): Promise<void> {
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
  const images = entries.filter(({ name }) => !isBuilding(name)).toSorted((a, b) => b.madeMs - a.madeMs);
  const abandoned = entries.filter(
    ({ name, madeMs }) => isBuilding(name) && nowMs - madeMs > abandonedAfterMs,
  );
  for (const { name } of [...images.slice(keptOfAKind), ...abandoned])
    if (!(await isUsed(join(shelf, name)))) await rm(join(shelf, name), { recursive: true, force: true });
}

/** Whether a process with the id runs, also one of another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === "EPERM";
  }
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}

function unless(code: string): (thrown: unknown) => void {
  return (thrown) => {
    if (codeOf(thrown) !== code) throw thrown;
  };
}

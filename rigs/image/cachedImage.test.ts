import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { execa } from "execa";
import { cachedImage } from "./cachedImage.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-cache-"));
  vi.stubEnv("RACKPROOF_CACHE", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const build = (place: string): Promise<void> => writeFile(join(place, "program"), "");
const module = JSON.stringify(new URL("cachedImage.ts", import.meta.url).href);
/** A process that uses the image, and ends or stays. */
const user = (hash: string, stays: boolean) =>
  execa({ stdin: "pipe", env: { RACKPROOF_CACHE: folder } })(process.execPath, [
    "--input-type=module",
    "--eval",
    `const { cachedImage } = await import(${module});
     const { writeFile } = await import("node:fs/promises");
     await cachedImage("kind", "${hash}", (place) => writeFile(place + "/program", ""));
     console.log("uses it");
     ${stays ? "process.stdin.resume();" : ""}`,
  ]);

test(
  "an image stays while a process uses it, and is dropped after three newer ones",
  { timeout: 30_000 },
  async () => {
    const staying = user("used", true);
    await new Promise((done) => staying.stdout.once("data", done));
    await user("left", false);
    for (const hash of ["a", "b", "c"]) await cachedImage("kind", hash, build);
    expect(existsSync(join(folder, "kind", "used", "program"))).toBe(true);
    expect(existsSync(join(folder, "kind", "left"))).toBe(false);
    await user("used", false);
    await cachedImage("kind", "used", build);
    const pids = await readdir(join(folder, "kind", "used", ".used-by"));
    expect(pids.toSorted()).toEqual([String(process.pid), String(staying.pid)].toSorted());
    staying.stdin.end();
    await staying;
  },
);

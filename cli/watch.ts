// `rackproof watch`: shows the progress of a run or a night as a page on this machine.
import { access, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { liveFile } from "../workflows/live/liveLog.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { startWatchServer } from "./support/watchServer.ts";
import { UsageError } from "../record/index.ts";

/** Serves the page until interrupted; without a folder, the newest of `runs` and `nights`. */
export async function watch(
  given: string | undefined,
  { listen }: { readonly listen: string },
): Promise<number> {
  const folder = given ?? (await newest(["runs", "nights"]));
  if (folder === undefined || !(await exists(join(folder, liveFile)))) {
    throw new UsageError(
      "WATCH_FOLDER",
      `watch ${folder ?? ""}: expected the folder of a run or a night, found no ${liveFile} in it`,
    );
  }
  using interrupted = onInterrupt();
  await using server = await startWatchServer(folder, listen);
  process.stdout.write(`${folder} is shown at ${server.url}; press Ctrl-C to stop\n`);
  await new Promise<void>((resolve) =>
    interrupted.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  return 0;
}

async function newest(parents: readonly string[]): Promise<string | undefined> {
  const found: { readonly folder: string; readonly changedMs: number }[] = [];
  for (const parent of parents) {
    for (const name of await readdir(parent).catch(() => [])) {
      const folder = join(parent, name);
      const facts = await stat(join(folder, liveFile)).catch(() => undefined);
      if (facts !== undefined) found.push({ folder, changedMs: facts.mtimeMs });
    }
  }
  return found.toSorted((a, b) => b.changedMs - a.changedMs)[0]?.folder;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

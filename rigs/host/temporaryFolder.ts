// A folder for the time of a rig. One that a killed process could not remove is removed by a later command.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordLeftover } from "./leftovers.ts";

/** Makes the folder, which disposing `cleanUp` removes. */
export async function temporaryFolder(cleanUp: AsyncDisposableStack, purpose: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `rackproof-${purpose}-`));
  const leftover = await recordLeftover({ kind: "folder", path: folder });
  cleanUp.defer(async () => {
    await rm(folder, { recursive: true, force: true });
    await leftover.settle();
  });
  return folder;
}

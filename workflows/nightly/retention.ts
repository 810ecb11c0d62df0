// Removes the folders of old nights: only those that a night of this history made and that are still recognisable.
import { lstat, readFile, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { History } from "../history/history.ts";

/** The file that marks the folder of a night. */
export const nightFile = "night.json";
export const nightFormat = "rackproof/night@1";
const Marker = Type.Object({ format: Type.Literal(nightFormat), folder: Type.String() });
const problems = checker(Marker);
const nightName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d+)?$/;

/** Removes all but the newest `keep` nights below the folder; answers the removed folders, and the others with the reason. */
export async function removeOldNights(nights: string, history: History, keep: number): Promise<string[]> {
  const said: string[] = [];
  for (const { id, folder } of history.keptFolders().slice(keep)) {
    const path = join(nights, folder);
    const doubt = await whyNotOurs(nights, folder);
    if (doubt === "gone") {
      history.folderIsGone(id);
    } else if (doubt === undefined) {
      await rm(path, { recursive: true });
      history.folderIsGone(id);
      said.push(`removed ${path}`);
    } else {
      said.push(`not removed: ${path}: ${doubt}`);
    }
  }
  return said;
}

/** Undefined when the folder was made by a night, directly in the folder of all nights. */
async function whyNotOurs(nights: string, folder: string): Promise<string | undefined> {
  if (!nightName.test(folder)) return "its name is not that of a night";
  const path = join(nights, folder);
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined) return "gone";
  if (!facts.isDirectory()) return "not a folder";
  if (dirname(await realpath(path)) !== (await realpath(nights))) return "outside the folder of all nights";
  try {
    const value: unknown = JSON.parse(await readFile(join(path, nightFile), "utf8"));
    if (problems(value).length === 0 && (value as { folder: string }).folder === folder) return undefined;
  } catch {
    // Reported below: without the file the folder cannot be identified as that of a night.
  }
  return `no ${nightFile} in it that identifies a night`;
}

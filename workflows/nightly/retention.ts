// Removes the folders of old nights: only those that a night of this history made, and that still look like one.
import { lstat, readFile, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import Type from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { History } from "../history/history.ts";

/** The file by which a night's folder is known. */
export const nightFile = "night.json";
export const nightFormat = "rackproof/night@1";
const Marker = Type.Object({ format: Type.Literal(nightFormat), folder: Type.String() });
const problems = checker(Marker);
const nightName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d+)?$/;

/** Removes all but the newest `keep` nights below the folder; answers what it did, and what it left alone and why. */
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
      said.push(`left ${path} alone: ${doubt}`);
    }
  }
  return said;
}

/** Nothing when the folder is one that a night made, directly in the folder of all nights. */
async function whyNotOurs(nights: string, folder: string): Promise<string | undefined> {
  if (!nightName.test(folder)) return "its name is not that of a night";
  const path = join(nights, folder);
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined) return "gone";
  if (!facts.isDirectory()) return "it is no folder";
  if (dirname(await realpath(path)) !== (await realpath(nights))) return "it is elsewhere";
  try {
    const value: unknown = JSON.parse(await readFile(join(path, nightFile), "utf8"));
    if (problems(value).length === 0 && (value as { folder: string }).folder === folder) return undefined;
  } catch {
    // Told below: a folder without the file is not known to be a night's.
  }
  return `it has no ${nightFile} that says it is a night`;
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checker } from "../../interface/schema/validate.ts";
import { LiveEvent } from "./events.ts";
import { liveFile } from "./liveLog.ts";

const problems = checker(LiveEvent);

/** One line as an event; undefined for an invalid line, such as the last one of a killed program. */
export function parseEvent(line: string): LiveEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return problems(value).length === 0 ? (value as LiveEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** All events of a folder so far; none without such a file. */
export async function readLive(folder: string): Promise<LiveEvent[]> {
  const text = await readFile(join(folder, liveFile), "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => parseEvent(line) ?? []);
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checker } from "../../interface/schema/validate.ts";
import { LiveEvent } from "./events.ts";
import { liveFile } from "./liveLog.ts";

const problems = checker(LiveEvent);

/** One line as an event; nothing for a line that is none, such as the half one of a program that was killed. */
export function parseEvent(line: string): LiveEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return problems(value).length === 0 ? (value as LiveEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** All events of a folder so far; none when it has no such file. */
export async function readLive(folder: string): Promise<LiveEvent[]> {
  const text = await readFile(join(folder, liveFile), "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => parseEvent(line) ?? []);
}

import { readFile } from "node:fs/promises";
import { UsageError } from "../../harness/index.ts";

/** Reads a file that an option or argument names; throws a UsageError with the remedy. */
export async function readText(file: string, option: string, remedy: string): Promise<string> {
  return readFile(file, "utf8").catch(() => {
    throw new UsageError("FILE_UNREADABLE", `${option} ${file}: the file cannot be read`, remedy);
  });
}

import { access } from "node:fs/promises";
import { join } from "node:path";
import { logFile } from "../../record/index.ts";

/** Whether the run wrote a log; the first release did not. */
export async function hasLog(folder: string): Promise<boolean> {
  return access(join(folder, logFile)).then(
    () => true,
    () => false,
  );
}

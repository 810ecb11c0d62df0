import { homedir } from "node:os";
import { join } from "node:path";

/** Folder of images between runs: `RACKPROOF_CACHE`, else `rackproof` in the user's cache folder. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = environment["RACKPROOF_CACHE"];
  if (named !== undefined && named !== "") return named;
  return join(environment["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "rackproof");
}

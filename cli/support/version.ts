import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version?: unknown;
};

/** Version of the suite, from package.json. */
export const suiteVersion = String(manifest.version);

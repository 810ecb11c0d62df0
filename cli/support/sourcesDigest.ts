// Digest of the program that runs: names and contents of all its source files.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const rooms = [
  "alterations",
  "cli",
  "harness",
  "interface",
  "observation",
  "record",
  "reference-impl",
  "reports",
  "rigs",
  "suites",
  "workflows",
];

export function sourcesSha256(): string {
  const digest = createHash("sha256");
  for (const room of rooms) {
    const names = readdirSync(join(root, room), { recursive: true, encoding: "utf8" });
    for (const name of names.toSorted()) {
      if (!/\.(?:ts|js|json)$/.test(name) || name.includes(".test.")) continue;
      digest.update(`${room}/${name}\n`).update(readFileSync(join(root, room, name)));
    }
  }
  return digest.digest("hex");
}

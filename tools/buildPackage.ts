// Makes `dist/`, which the published package carries: every file as it lies in the source, TypeScript without its
// types, because Node strips none below node_modules.
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { rooms } from "./importDirection.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const target = join(root, "dist");
const folders = [...rooms, "contract"];
// What is imported, or started as a program of its own.
const names = /(\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\()"([^"\n]+)\.ts"/g;

function isLeftOut(file: string): boolean {
  return file.endsWith(".test.ts") || file.endsWith(".d.ts") || file.split("/").includes("testing");
}

await rm(target, { recursive: true, force: true });
let count = 0;
for (const folder of folders) {
  for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name);
    const file = source.slice(root.length);
    if (!entry.isFile() || isLeftOut(file)) continue;
    const place = join(target, file);
    await mkdir(dirname(place), { recursive: true });
    count += 1;
    if (!file.endsWith(".ts")) await cp(source, place);
    else {
      const code = stripTypeScriptTypes(await readFile(source, "utf8"));
      await writeFile(place.replace(/\.ts$/, ".js"), code.replaceAll(names, '$1"$2.js"'));
    }
  }
}
// The types of what users import: they refer to nothing else, so that no other file needs to be resolved.
const entry = "cli/vitest/index.ts";
const how =
  "--ignoreConfig --declaration --emitDeclarationOnly --noCheck --noResolve --allowImportingTsExtensions";
const language = "--module nodenext --target es2024";
await execa("tsc", [...`${how} ${language}`.split(" "), "--rootDir", root, "--outDir", target, entry], {
  cwd: root,
  preferLocal: true,
});
// Reports show the disputes, which lie among the guides.
await cp(join(root, "docs/disputes"), join(target, "docs/disputes"), { recursive: true });
// The program reads its version beside the rooms.
await cp(join(root, "package.json"), join(target, "package.json"));
process.stdout.write(`dist: ${count} files\n`);

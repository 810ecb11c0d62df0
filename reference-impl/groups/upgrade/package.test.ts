import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installFolder, unpackPackage } from "./package.ts";

interface Entry {
  readonly name: string;
  readonly text?: string;
  readonly type?: "symlink";
  readonly linkname?: string;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

async function packageOf(entries: readonly Entry[], manifest: object): Promise<string> {
  const tar = pack();
  tar.entry({ name: "manifest.json" }, JSON.stringify(manifest));
  for (const { text = "", ...header } of entries) tar.entry(header, text);
  tar.finalize();
  const file = join(folder, "package.tar.gz");
  await writeFile(file, gzipSync(await buffer(tar)));
  return file;
}

const manifest = {
  name: "software",
  version: "2.0.0",
  model: "RP-1000",
  files: [{ path: "bin/run", sha256: sha256("new") }],
};
const good = [{ name: "files/bin/run", text: "new" }];

test("a complete package is unpacked and replaces the installed software", async () => {
  const target = join(folder, "unpacked");
  const read = await unpackPackage(await packageOf(good, manifest), target, "RP-1000");
  expect(read.version).toBe("2.0.0");
  expect(await installFolder(target, join(folder, "software"), true)).toEqual({ rolledBack: false });
  expect(await readFile(join(folder, "software/bin/run"), "utf8")).toBe("new");
});

test.each([
  [
    "a wrong checksum",
    good,
    { ...manifest, files: [{ path: "bin/run", sha256: sha256("old") }] },
    /checksum/,
  ],
  ["a missing file", [], manifest, /missing/],
  ["another model", good, { ...manifest, model: "OTHER" }, /is for OTHER/],
  ["a path that climbs out", [{ name: "files/../../evil", text: "x" }], manifest, /no accepted name/],
  ["an absolute path", [{ name: "/etc/evil", text: "x" }], manifest, /no accepted name/],
  [
    "a link",
    [{ name: "files/link", type: "symlink" as const, linkname: "/etc/passwd" }],
    manifest,
    /not a plain file/,
  ],
])("%s is rejected and leaves no file", async (_what, entries, description, message) => {
  const target = join(folder, "unpacked");
  await expect(unpackPackage(await packageOf(entries, description), target, "RP-1000")).rejects.toThrow(
    message,
  );
  expect(await readdir(folder)).toEqual(["package.tar.gz"]);
});

test("a file that is not an archive is rejected", async () => {
  const file = join(folder, "package.tar.gz");
  await writeFile(file, "no archive");
  await expect(unpackPackage(file, join(folder, "unpacked"), "RP-1000")).rejects.toThrow(
    /incorrect header check/,
  );
});

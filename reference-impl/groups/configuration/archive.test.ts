import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { expect, test } from "vitest";
import { packArchive, unpackArchive } from "./archive.ts";
import { decrypt, encrypt } from "./encryption.ts";

interface Entry {
  readonly name: string;
  readonly text?: string;
  readonly type?: "symlink";
  readonly linkname?: string;
}

const manifest = { format: "core-configuration@1", model: "RP-1000", tpeversion: "2.3.0" } as const;

async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { text = "{}", ...header } of entries) tar.entry(header, header.type === undefined ? text : "");
  tar.finalize();
  return gzipSync(await buffer(tar));
}
const withManifest = { name: "manifest.json", text: JSON.stringify(manifest) };

test("a packed and encrypted configuration is restored, including long integers", async () => {
  const documents = new Map<string, unknown>([
    ["system/general", { serial: 18_446_744_073_709_551_615n, name: "é" }],
  ]);
  const sealed = await encrypt(await packArchive({ manifest, documents }), "Pass-word#1");
  const archive = await unpackArchive(await decrypt(sealed, "Pass-word#1"));
  expect(archive.manifest).toEqual(manifest);
  expect([...archive.documents]).toEqual([...documents]);
});

test("a wrong password or a single changed byte is rejected", async () => {
  const sealed = await encrypt(Buffer.from("content"), "Pass-word#1");
  await expect(decrypt(sealed, "Pass-word#2")).rejects.toMatchObject({ status: 400, code: 10_001 });
  for (const at of [10, 30, 40, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await expect(decrypt(changed, "Pass-word#1")).rejects.toMatchObject({ code: 10_001 });
  }
});

test.each([
  ["a path that climbs out", [withManifest, { name: "../evil.json" }]],
  ["an absolute path", [withManifest, { name: "/system/general.json" }]],
  [
    "a link",
    [withManifest, { name: "system/general.json", type: "symlink" as const, linkname: "/etc/passwd" }],
  ],
  [
    "the same section twice",
    [withManifest, { name: "system/general.json" }, { name: "system/general.json" }],
  ],
  ["no manifest", [{ name: "system/general.json" }]],
  ["a section that is no JSON", [withManifest, { name: "system/general.json", text: "{" }]],
  [
    "too many entries",
    [withManifest, ...Array.from({ length: 300 }, (_, i) => ({ name: `system/s${i}.json` }))],
  ],
])("an archive with %s is rejected with the published code", async (_what, entries) => {
  await expect(unpackArchive(await archiveOf(entries))).rejects.toMatchObject({ status: 400, code: 10_001 });
});

test("an archive that expands beyond the limit is rejected", async () => {
  const bomb = await archiveOf([
    withManifest,
    { name: "system/general.json", text: JSON.stringify("0".repeat(40 * 1024 * 1024)) },
  ]);
  expect(bomb.length).toBeLessThan(100_000);
  await expect(unpackArchive(bomb)).rejects.toMatchObject({ status: 400, code: 10_001 });
});

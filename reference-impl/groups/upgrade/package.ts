// The package format: a tar.gz with manifest.json (name, version, model, SHA-256 of each file) and the files under files/.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import Type, { type Static } from "typebox";
import { checker } from "../../../interface/schema/validate.ts";

const Manifest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  version: Type.String({ pattern: "^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$" }),
  model: Type.String(),
  files: Type.Array(Type.Object({ path: Type.String(), sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }) })),
});
export type Manifest = Static<typeof Manifest>;

const maxExpandedBytes = 256 * 1024 * 1024;
const maxEntries = 1024;
const fileName = /^files\/[A-Za-z0-9._-]{1,100}(\/[A-Za-z0-9._-]{1,100}){0,6}$/;

/** Unpacks and verifies a package into a fresh folder; throws with the reason, and leaves no file, when the package is not complete. */
export async function unpackPackage(file: string, folder: string, model: string): Promise<Manifest> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    return await unpack(file, folder, model);
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

async function unpack(file: string, folder: string, model: string): Promise<Manifest> {
  const hashes = new Map<string, string>();
  let manifest: Manifest | undefined;
  let expanded = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      expanded += chunk.length;
      done(
        expanded > maxExpandedBytes
          ? new Error(`the package expands to more than ${maxExpandedBytes} bytes`)
          : null,
        chunk,
      );
    },
  });
  const tar = extract();
  // A failure of the pipeline also ends the loop below, which reports it.
  const feeding = pipeline(createReadStream(file), createGunzip(), meter, tar).catch((error: unknown) =>
    tar.destroy(error as Error),
  );
  let entries = 0;
  for await (const entry of tar) {
    const { name, type } = entry.header;
    entries += 1;
    if (entries > maxEntries) throw new Error(`the package has more than ${maxEntries} entries`);
    if (type !== "file") throw new Error(`the entry ${JSON.stringify(name)} is not a plain file`);
    if (name === "manifest.json") manifest = parseManifest((await buffer(entry)).toString("utf8"));
    else if (!fileName.test(name) || name.includes(".."))
      throw new Error(`the entry ${JSON.stringify(name)} has no accepted name`);
    else
      hashes.set(name.slice("files/".length), await store(entry, join(folder, name.slice("files/".length))));
  }
  await feeding;
  if (manifest === undefined) throw new Error("the package has no manifest");
  if (manifest.model !== model)
    throw new Error(`the package is for ${manifest.model}, this gateway is ${model}`);
  for (const { path, sha256 } of manifest.files) {
    if (hashes.get(path) !== sha256) throw new Error(`the file ${path} is missing or its checksum is wrong`);
  }
  return manifest;
}

function parseManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text);
  const problem = checker(Manifest)(value)[0];
  if (problem !== undefined)
    throw new Error(`the manifest${problem.pointer}: expected ${problem.expected}, found ${problem.found}`);
  return value as Manifest;
}

async function store(entry: AsyncIterable<unknown>, path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const hash = createHash("sha256");
  const tee = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(Readable.from(entry), tee, createWriteStream(path, { mode: 0o600 }));
  return hash.digest("hex");
}

/**
 * Puts an unpacked package in the place of the installed software. With a snapshot the former software is stored and
 * restored when the exchange fails.
 */
export async function installFolder(
  unpacked: string,
  installed: string,
  withSnapshot: boolean,
): Promise<{ rolledBack: boolean }> {
  const snapshot = `${installed}.snapshot`;
  await rm(snapshot, { recursive: true, force: true });
  if (withSnapshot) await cp(installed, snapshot, { recursive: true }).catch(() => undefined);
  try {
    await rm(installed, { recursive: true, force: true });
    await rename(unpacked, installed);
    return { rolledBack: false };
  } catch (thrown) {
    if (!withSnapshot) throw thrown;
    await rm(installed, { recursive: true, force: true });
    await rename(snapshot, installed);
    return { rolledBack: true };
  }
}

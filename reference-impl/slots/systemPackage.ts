// The signed package of a whole system: a line that names the format, the manifest as one line of JSON, its Ed25519
// signature in base64 on a third line, then the payload, a tar.gz with the files of the slot.
import { createHash, createPublicKey, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";

const formatLine = "rackproof-system-package 1";
const maxHeaderBytes = 16 * 1024;
const maxPayloadBytes = 16 * 1024 * 1024;
const maxExpandedBytes = 24 * 1024 * 1024;
const maxEntries = 64;
const entryName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const publicKey =
  // Key of the development packages of the reference gateway, for which anybody can make packages.
  "MCowBQYDK2VwAyEAgfT+lKhKyX9h2O+P3U4EGkFcf2x1KWxGVFthPEisQRY=";

const Manifest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  version: Type.String({ pattern: "^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$" }),
  model: Type.String(),
  payloadBytes: Type.Integer({ minimum: 1 }),
  payloadSha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type SystemManifest = Static<typeof Manifest>;

interface Head {
  readonly manifest: SystemManifest;
  /** What is signed. */
  readonly manifestText: string;
  readonly signature: string;
  readonly payloadAt: number;
  readonly fileBytes: number;
}

/** The checks of a package; each throws an Error with the reason for which the package is rejected. */
export interface PackageChecks {
  readonly signature: (manifestText: string, signature: string) => void;
  readonly model: (manifest: SystemManifest, ownModel: string) => void;
  readonly size: (manifest: SystemManifest, foundBytes: number) => void;
  readonly payload: (manifest: SystemManifest, foundSha256: string) => void;
  /** An entry of the payload with its number. */
  readonly entry: (header: Header, number: number) => void;
  readonly expanded: (bytes: number) => void;
}

export const packageChecks: PackageChecks = {
  signature(manifestText, signature) {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    if (!verify(null, Buffer.from(manifestText), key, Buffer.from(signature, "base64")))
      throw new Error("the package has no valid signature");
  },
  model({ model }, ownModel) {
    if (model !== ownModel) throw new Error(`the package is for ${model}, this gateway is ${ownModel}`);
  },
  size({ payloadBytes }, foundBytes) {
    if (payloadBytes > maxPayloadBytes)
      throw new Error(`the package has ${payloadBytes} bytes, more than ${maxPayloadBytes}`);
    if (payloadBytes !== foundBytes)
      throw new Error(`the package has ${foundBytes} of ${payloadBytes} bytes`);
  },
  payload({ payloadSha256 }, foundSha256) {
    if (payloadSha256 !== foundSha256) throw new Error("the checksum of the package is wrong");
  },
  entry({ name, type }, number) {
    if (number > maxEntries) throw new Error(`the package has more than ${maxEntries} entries`);
    if (type !== "file") throw new Error(`the entry ${JSON.stringify(name)} is not a plain file`);
    if (!entryName.test(name) || name.includes(".."))
      throw new Error(`the entry ${JSON.stringify(name)} has no accepted name`);
  },
  expanded(bytes) {
    if (bytes > maxExpandedBytes)
      throw new Error(`the package expands to more than ${maxExpandedBytes} bytes`);
  },
};

/** Whether the file claims to be of this format. */
export async function isSystemPackage(file: string): Promise<boolean> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(formatLine.length), 0, formatLine.length, 0);
  return buffer.toString("latin1", 0, bytesRead) === formatLine;
}

async function readHead(file: string): Promise<Head> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0);
  const [format, manifestText, signature, ...rest] = buffer.toString("latin1", 0, bytesRead).split("\n", 4);
  if (format !== formatLine || manifestText === undefined || signature === undefined || rest.length === 0)
    throw new Error("the package has no complete header");
  const payloadAt = format.length + manifestText.length + signature.length + 3;
  const text = Buffer.from(manifestText, "latin1").toString("utf8");
  const value: unknown = JSON.parse(text);
  const problem = checker(Manifest)(value)[0];
  if (problem !== undefined)
    throw new Error(`the manifest${problem.pointer}: expected ${problem.expected}, found ${problem.found}`);
  const { size } = await handle.stat();
  return { manifest: value as SystemManifest, manifestText: text, signature, payloadAt, fileBytes: size };
}

export interface ReadOptions {
  readonly checks: PackageChecks;
  readonly ownModel: string;
  readonly signal: AbortSignal;
}

/** Checks everything but the archive's entries; throws with the reason, having written nothing. */
export async function verifyPackage(file: string, options: ReadOptions): Promise<SystemManifest> {
  const { checks, ownModel, signal } = options;
  const { manifest, manifestText, signature, payloadAt, fileBytes } = await readHead(file);
  checks.signature(manifestText, signature);
  checks.model(manifest, ownModel);
  checks.size(manifest, fileBytes - payloadAt);
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { start: payloadAt })) {
    signal.throwIfAborted();
    hash.update(chunk as Buffer);
  }
  checks.payload(manifest, hash.digest("hex"));
  return manifest;
}

/** Passes each file of the payload to `write` as its chunks come; throws with the reason at the first wrong entry. */
export async function readPayload(
  file: string,
  { checks, signal }: ReadOptions,
  write: (name: string, chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const { payloadAt } = await readHead(file);
  let expanded = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      expanded += chunk.length;
      try {
        checks.expanded(expanded);
        done(null, chunk);
      } catch (thrown) {
        done(thrown as Error);
      }
    },
  });
  const tar = extract();
  // A failure of the pipeline also ends the loop below, which reports it.
  const feeding = pipeline(createReadStream(file, { start: payloadAt }), createGunzip(), meter, tar, {
    signal,
  }).catch((error: unknown) => tar.destroy(error as Error));
  let number = 0;
  for await (const entry of tar) {
    checks.entry(entry.header, ++number);
    await write(entry.header.name, entry as AsyncIterable<Buffer>);
  }
  await feeding;
}

// Packages of the reference gateway's system, made by the suite: proper ones, and ones that no gateway may install.
import { createHash, createPrivateKey, sign, type KeyObject } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack, type Header } from "tar-stream";

/** A key that everybody may know: it signs packages for gateways to develop against. */
const developmentKey = keyFrom("rackproof reference gateway: development key for packages");
const strangeKey = keyFrom("a key that no gateway accepts");
const dataBytes = 768 * 1024;

type Entry = Partial<Header> & { readonly name: string; readonly content?: Buffer };

export interface PackageWish {
  readonly model: string;
  readonly version: string;
  /** What the system does when it starts; default nothing. */
  readonly start?: string;
  /** Files besides those of a proper system. */
  readonly more?: readonly Entry[];
  readonly signature?: "own" | "strange" | "none";
  /** Members of the manifest that are other than true, before it is signed. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** What happens to the file after it was signed. */
  readonly spoil?: (file: Buffer) => Buffer;
}

export async function makeSystemPackage(wish: PackageWish): Promise<Buffer> {
  const { model, version, start = "", more = [], signature = "own", claims = {}, spoil } = wish;
  const system = `export const version = ${JSON.stringify(version)};\nexport async function start() { ${start} }\n`;
  const tar = pack();
  const entries: readonly Entry[] = [
    { name: "system.mjs", content: Buffer.from(system) },
    { name: "data.bin", content: noise(dataBytes, version) },
    ...more,
  ];
  for (const { content = Buffer.alloc(0), ...header } of entries) tar.entry(header, content);
  tar.finalize();
  const payload = gzipSync(await buffer(tar), { level: 1 });
  const manifest = JSON.stringify({
    name: "system",
    version,
    model,
    payloadBytes: payload.length,
    payloadSha256: createHash("sha256").update(payload).digest("hex"),
    ...claims,
  });
  const signed = signature === "none" ? "" : signatureOf(manifest, signature);
  const head = `rackproof-system-package 1\n${manifest}\n${signed}\n`;
  const file = Buffer.concat([Buffer.from(head), payload]);
  return spoil?.(file) ?? file;
}

function signatureOf(manifest: string, by: "own" | "strange"): string {
  const key = by === "own" ? developmentKey : strangeKey;
  return sign(null, Buffer.from(manifest), key).toString("base64");
}

function keyFrom(seed: string): KeyObject {
  const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
  const der = Buffer.concat([prefix, createHash("sha256").update(seed).digest()]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

/** Bytes that do not compress, the same for the same seed. */
function noise(length: number, seed: string): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < length; at += 64) parts.push(createHash("sha512").update(`${seed} ${at}`).digest());
  return Buffer.concat(parts).subarray(0, length);
}

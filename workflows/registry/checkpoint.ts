// The signed head of a registry: a checkpoint (c2sp.org/tlog-checkpoint) as a signed note (c2sp.org/signed-note), Ed25519.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { Head } from "./merkle.ts";

export interface Checkpoint extends Head {
  /** Name of the registry. */
  readonly origin: string;
  readonly builtAt: string;
  /** SHA-256 of revocations.json, in hexadecimal: no revocation can be removed from a published list. */
  readonly revocationsSha256: string;
}

const ed25519 = 1;
const keyHashBytes = 4;
const rawKeyBytes = 32;
const builtLine = /^built (\S+)$/;
const revocationsLine = /^revocations ([0-9a-f]{64})$/;

/** Whether the text can name a registry: it is a line of the note, and the name of its key. */
export function isOrigin(text: string): boolean {
  return /^[^\s+]+$/u.test(text);
}

/** The text of the signed checkpoint. */
export function sealCheckpoint(checkpoint: Checkpoint, privatePem: string): string {
  const { origin, size, root, builtAt, revocationsSha256 } = checkpoint;
  const body = `${origin}\n${size}\n${Buffer.from(root).toString("base64")}\nbuilt ${builtAt}\nrevocations ${revocationsSha256}\n`;
  const privateKey = createPrivateKey(privatePem);
  const signature = sign(null, Buffer.from(body), privateKey);
  const hash = noteKeyHash(origin, createPublicKey(privateKey));
  return `${body}\n— ${origin} ${Buffer.concat([hash, signature]).toString("base64")}\n`;
}

/** The checkpoint, when it has a signature of the key in PEM; otherwise undefined. */
export function openCheckpoint(text: string, publicPem: string): Checkpoint | undefined {
  const checkpoint = readCheckpoint(text);
  return checkpoint !== undefined && isSignedNote(text, checkpoint.origin, createPublicKey(publicPem))
    ? checkpoint
    : undefined;
}

/** The content of a checkpoint, whoever signed it. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const body = text.split("\n\n— ")[0] ?? "";
  const [origin = "", count = "", root = "", built = "", revocations = ""] = body.split("\n");
  const builtAt = builtLine.exec(built)?.[1];
  const revocationsSha256 = revocationsLine.exec(revocations)?.[1];
  if (!isOrigin(origin) || !/^(0|[1-9]\d{0,14})$/.test(count)) return undefined;
  if (builtAt === undefined || revocationsSha256 === undefined) return undefined;
  return { origin, size: Number(count), root: Buffer.from(root, "base64"), builtAt, revocationsSha256 };
}

/** Whether the note has a signature with the named key. */
export function isSignedNote(text: string, name: string, key: KeyObject): boolean {
  const split = text.lastIndexOf("\n\n");
  if (split < 0) return false;
  const body = Buffer.from(text.slice(0, split + 1));
  const hash = noteKeyHash(name, key);
  return text
    .slice(split + 2)
    .split("\n")
    .filter((line) => line.startsWith(`— ${name} `))
    .map((line) => Buffer.from(line.slice(name.length + 3), "base64"))
    .some(
      (bytes) =>
        hash.equals(bytes.subarray(0, keyHashBytes)) && verify(null, body, key, bytes.subarray(keyHashBytes)),
    );
}

function noteKeyHash(name: string, key: KeyObject): Buffer {
  const raw = key.export({ type: "spki", format: "der" }).subarray(-rawKeyBytes);
  return createHash("sha256")
    .update(`${name}\n`)
    .update(Buffer.of(ed25519))
    .update(raw)
    .digest()
    .subarray(0, keyHashBytes);
}

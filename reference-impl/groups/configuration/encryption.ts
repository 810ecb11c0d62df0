// Encryption of an exported file: scrypt makes the key from the password, AES-256-GCM encrypts and authenticates the content.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { badInput } from "../../base/refusal.ts";
import { cannotExtract } from "./archive.ts";

const magic = Buffer.from("RPCFGv1\n");
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);

export function isEncrypted(bytes: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}

export async function encrypt(plain: Buffer, password: string): Promise<Buffer> {
  const salt = randomBytes(saltBytes);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", await deriveKey(password, salt, 32), nonce);
  cipher.setAAD(magic);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([magic, salt, nonce, cipher.getAuthTag(), sealed]);
}

/** Throws a Refusal with the published code when the password is wrong or a byte was changed. */
export async function decrypt(bytes: Buffer, password: string): Promise<Buffer> {
  const start = magic.length;
  const body = start + saltBytes + nonceBytes + tagBytes;
  if (!isEncrypted(bytes) || bytes.length < body)
    throw badInput("file: it is not an encrypted configuration", { code: cannotExtract });
  const salt = bytes.subarray(start, start + saltBytes);
  const nonce = bytes.subarray(start + saltBytes, body - tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", await deriveKey(password, salt, 32), nonce);
  decipher.setAAD(magic);
  decipher.setAuthTag(bytes.subarray(body - tagBytes, body));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]);
  } catch {
    throw badInput("password: it is wrong, or the file was changed", { code: cannotExtract });
  }
}

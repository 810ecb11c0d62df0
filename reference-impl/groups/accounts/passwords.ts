// Passwords are stored as argon2id hashes; a check takes some tens of milliseconds on another thread.
import * as crypto from "node:crypto";
import { promisify } from "node:util";

interface Argon2Parameters {
  readonly message: string;
  readonly nonce: Buffer;
  readonly parallelism: number;
  readonly tagLength: number;
  readonly memory: number;
  readonly passes: number;
}
const argon2 = promisify(
  (
    crypto as unknown as {
      argon2: (a: string, p: Argon2Parameters, done: (e: Error | null, tag: Buffer) => void) => void;
    }
  ).argon2,
);

// 19 MiB and two passes, the minimum of current guidance; more would only slow the suite down.
const memoryKib = 19_456;
const passes = 2;

const hash = (password: string, nonce: Buffer): Promise<Buffer> =>
  argon2("argon2id", { message: password, nonce, parallelism: 1, tagLength: 32, memory: memoryKib, passes });

/** A salted hash as text. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = crypto.randomBytes(16);
  return `${nonce.toString("base64url")}.${(await hash(password, nonce)).toString("base64url")}`;
}

/** Whether the password is the one that was hashed. */
export async function isPassword(password: string, hashed: string): Promise<boolean> {
  const [nonce = "", tag = ""] = hashed.split(".");
  const expected = Buffer.from(tag, "base64url");
  const actual = await hash(password, Buffer.from(nonce, "base64url"));
  return expected.length === actual.length && crypto.timingSafeEqual(expected, actual);
}

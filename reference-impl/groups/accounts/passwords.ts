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

/** How much a hash costs; it is part of the stored text, so that hashes of another cost stay valid. */
export interface Cost {
  readonly memoryKib: number;
  readonly passes: number;
}

// One of the equal minimums of current guidance, and the one with the least memory; more would only slow the suite down.
export const fullCost: Cost = { memoryKib: 7168, passes: 5 };
/** For passwords that nobody uses again: the hashes were a fifth of what a run over an embedded gateway costs. */
export const lightCost: Cost = { memoryKib: 64, passes: 1 };
const costBefore: Cost = { memoryKib: 19_456, passes: 2 };

const hash = (password: string, nonce: Buffer, { memoryKib, passes }: Cost): Promise<Buffer> =>
  argon2("argon2id", { message: password, nonce, parallelism: 1, tagLength: 32, memory: memoryKib, passes });

/** A salted hash as text. */
export async function hashPassword(password: string, cost: Cost): Promise<string> {
  const nonce = crypto.randomBytes(16);
  const tag = await hash(password, nonce, cost);
  return `${nonce.toString("base64url")}.${tag.toString("base64url")}.${cost.memoryKib}.${cost.passes}`;
}

/** Whether the password is the one that was hashed. */
export async function isPassword(password: string, hashed: string): Promise<boolean> {
  const [nonce = "", tag = "", memoryKib, passes] = hashed.split(".");
  const expected = Buffer.from(tag, "base64url");
  const then =
    memoryKib === undefined ? costBefore : { memoryKib: Number(memoryKib), passes: Number(passes) };
  const actual = await hash(password, Buffer.from(nonce, "base64url"), then);
  return expected.length === actual.length && crypto.timingSafeEqual(expected, actual);
}

// How the lines of a log hang together. A line is three fields with tabs between: hash, entry, contents.
// The hash covers the line before and the entry; the entry covers its contents by salted digests, so that contents can
// be taken out later and the chain still verifies.
import { createHash, randomFillSync } from "node:crypto";

export const logFile = "evidence.log";
/** The hash before the first line. */
export const beginning = "0".repeat(64);

const saltBytes = 12;
const saltsAtOnce = 512;

/** Random salts: asking the system for each alone takes longer than the digest. */
export class Salts {
  readonly #pool = Buffer.alloc(saltBytes * saltsAtOnce);
  #used = saltsAtOnce;

  next(): string {
    if (this.#used === saltsAtOnce) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const at = saltBytes * this.#used++;
    return this.#pool.toString("base64url", at, at + saltBytes);
  }
}

/** A content with its salt, which keeps short contents from being guessed by their digests. */
export type Contents = Readonly<Record<string, readonly [salt: string, text: string]>>;

export function hashOf(before: string, entryText: string): string {
  return createHash("sha256").update(before).update("\n").update(entryText).digest("hex");
}

export function contentDigest(salt: string, text: string): string {
  return createHash("sha256").update(salt).update("\n").update(text).digest("hex");
}

/** Digests and salted contents of the texts. */
export function sealContents(
  texts: Readonly<Record<string, string>>,
  salts: Salts,
): {
  readonly digests: Record<string, string>;
  readonly contents: Contents;
} {
  const digests: Record<string, string> = {};
  const contents: Record<string, readonly [string, string]> = {};
  for (const [name, text] of Object.entries(texts)) {
    const salt = salts.next();
    digests[name] = contentDigest(salt, text);
    contents[name] = [salt, text];
  }
  return { digests, contents };
}

export function lineOf(hash: string, entryText: string, contents: Contents): string {
  const shown = Object.keys(contents).length === 0 ? "" : JSON.stringify(contents);
  return `${hash}\t${entryText}\t${shown}\n`;
}

/** What a head signs: the run, and the hash of the line before. */
export function headText(run: string, hash: string, at: string): string {
  return `rackproof log head\n${run}\n${hash}\n${at}\n`;
}

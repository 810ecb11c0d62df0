// Long texts of a log in a shorter form: lines of a stream repeat most of their characters.
import { deflateRawSync, inflateRawSync } from "node:zlib";

const leastChars = 1024;
/** More than a piece of a stream has; a changed text cannot fill the memory. */
const mostBytes = 64 * 1024 * 1024;

/** The text in the shorter form, or as it is where that is short enough. */
export function packText(text: string): { readonly text: string; readonly isPacked: boolean } {
  if (text.length < leastChars) return { text, isPacked: false };
  return { text: deflateRawSync(text, { level: 1 }).toString("base64"), isPacked: true };
}

/** The text of a packed one, in bytes. Throws when it is none. */
export function unpackText(packed: string): Buffer {
  return inflateRawSync(Buffer.from(packed, "base64"), { maxOutputLength: mostBytes });
}

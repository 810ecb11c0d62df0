import { gunzipSync } from "node:zlib";
import type { ZipEntry } from "../support/zipFile.ts";

/** Below this size two logs may be equal because both are empty or nearly empty. */
export const telltaleBytes = 40;

/** Instants in a log: a download may show them in any time zone, and may begin its lines with the present one. */
const instants = /\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}[\d.,]*(?:[Zz]|[+-]\d{2}:?\d{2})?/gu;

/** What closes a file of JSON, and no longer stands there when lines were added. */
const closing = /[\s\]}]+$/u;

/** The bytes of the file as characters, without instants. */
function withoutInstants({ content }: ZipEntry): string {
  return unpacked(content).toString("latin1").replaceAll(instants, "").replace(closing, "");
}

/** The content of a file that is compressed once more; other bytes unchanged. */
function unpacked(content: Buffer): Buffer {
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content;
  try {
    return gunzipSync(content);
  } catch {
    return content;
  }
}

/** The last characters of every file that is long enough to tell it from another, without instants. */
export function endsOf(entries: readonly ZipEntry[] | undefined): string[] {
  return (entries ?? []).flatMap((entry) =>
    entry.content.length < telltaleBytes ? [] : [withoutInstants(entry).slice(-telltaleBytes)],
  );
}

/** Whether one of the ends is in one of the files. */
export function holdsAnEnd(entries: readonly ZipEntry[] | undefined, ends: readonly string[]): boolean {
  const texts = (entries ?? []).map(withoutInstants);
  return ends.some((end) => texts.some((text) => text.includes(end)));
}

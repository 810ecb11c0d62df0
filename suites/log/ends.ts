import type { ZipEntry } from "../support/zipFile.ts";

/** Below this size two logs may be equal because both are empty or nearly empty. */
export const telltaleBytes = 40;

/** Instants in a log: a download may show them in any time zone, and may begin its lines with the present one. */
const instants = /\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}[\d.,]*(?:[Zz]|[+-]\d{2}:?\d{2})?/gu;

/** The bytes of the file as characters, without instants. */
function withoutInstants({ content }: ZipEntry): string {
  return Buffer.from(content).toString("latin1").replaceAll(instants, "");
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

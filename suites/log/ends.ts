import type { ZipEntry } from "../support/zipFile.ts";

/** Below this size two logs may be equal because both are empty or nearly empty. */
export const telltaleBytes = 40;

/** The last bytes of every file that is long enough to tell it from another. */
export function endsOf(entries: readonly ZipEntry[] | undefined): Buffer[] {
  return (entries ?? []).flatMap(({ content }) =>
    content.length < telltaleBytes ? [] : [content.subarray(-telltaleBytes)],
  );
}

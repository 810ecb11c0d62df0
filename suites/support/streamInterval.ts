// The interval of a stream: which ones a gateway takes is not stated.
import type { CaseContext } from "../../harness/index.ts";

const intervalsMs = [25, 100, 200, 500, 1000] as const;

/** The shortest interval from `fromMs` on with which the gateway opens a stream; the longest one where it rejects all. */
export async function takenIntervalMs(
  { gateway }: Pick<CaseContext, "gateway">,
  { provider, source, tag }: { readonly provider: string; readonly source: string; readonly tag: string },
  fromMs: (typeof intervalsMs)[number] = 100,
): Promise<number> {
  for (const streamInterval of intervalsMs) {
    if (streamInterval < fromMs) continue;
    await using stream = await gateway.admin.openTagStream(
      { provider, source },
      { tags: tag, streamInterval },
    );
    if (stream.status < 400 || stream.status >= 500) return streamInterval;
  }
  return intervalsMs.at(-1) ?? fromMs;
}

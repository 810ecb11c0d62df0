// When a stream takes effect is not stated: values are written until it delivers.
import type { CaseContext, TagStream } from "../../harness/index.ts";

/** Neither the value of any other write nor one that a sum of differences ends with. */
export const firstMarker = 200_000;

const mostMs = 3000;
const everyMs = 60;

/** Writes markers until each open stream has sent two values of the tag: the first one may be that of its opening. */
export async function awaitDelivery(
  { waitFor }: CaseContext,
  streams: readonly TagStream[],
  tagName: string,
  mark: (marker: number) => Promise<unknown>,
): Promise<void> {
  const delivers = ({ received, ended, status }: TagStream): boolean =>
    ended || status !== 200 || received.filter(({ value }) => value.tagName === tagName).length > 1;
  let marker = firstMarker;
  const probe = async (): Promise<true | undefined> => {
    await mark((marker += 1));
    return streams.every(delivers) || undefined;
  };
  await waitFor("two values on every stream", probe, { deadlineMs: mostMs, everyMs }).catch(() => undefined);
}

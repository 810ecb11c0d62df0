// What a search with `ms` answers.
import type { CaseContext } from "../../harness/index.ts";

/** Time between two values, of which the search is for the first in the middle; far more than requests take. */
const apartMs = 2000;

/**
 * Whether a search with `ms` answers one value a tag, the one of that time: "history search in milliseconds" can mean this
 * as well as all values since then. Found by two writes to a virtual tag; false where the gateway has none.
 */
export async function searchesOneTime(context: CaseContext): Promise<boolean> {
  const { clock, declares, gateway, scratch, signal } = context;
  if (!declares("virtual-tags")) return false;
  const { path, tagName } = await scratch.virtualTag({ dataType: "int32" });
  const write = (dataValue: number) =>
    gateway.admin.call("writeTag", { path, json: { dataType: "int32", dataValue } });
  await write(71);
  await clock.delay(apartMs, signal);
  if (!(await write(72)).accepted) return false;
  const answer = await gateway.admin.call("monitorTags", {
    path: { provider: path.provider, source: path.source },
    query: { tags: tagName, ms: apartMs / 2 },
  });
  const values = answer.accepted ? [answer.data()].flat().map(({ dataValue }) => dataValue as unknown) : [];
  return values.length === 1 && values[0] === 71;
}

/** How far back a live tag is looked for, and how often before it is found as it moves. */
const backMs = 5000;
const mostTries = 20;

/**
 * The same for a live tag, which cannot be written: one value, unlike the one that the tag has right before and right after
 * the search.
 */
export async function searchesOneTimeOf(
  { gateway }: CaseContext,
  { provider, source, tag }: { readonly provider: string; readonly source: string; readonly tag: string },
): Promise<boolean> {
  const values = async (query: { readonly ms?: number }): Promise<unknown[]> =>
    [
      (
        await gateway.admin.call("monitorTags", {
          path: { provider, source },
          query: { tags: tag, ...query },
        })
      ).data(),
    ]
      .flat()
      .map(({ dataValue }) => dataValue as unknown);
  for (let tries = 0; tries < mostTries; tries++) {
    const [before, past, after] = [await values({}), await values({ ms: backMs }), await values({})];
    if (past.length !== 1) return false;
    if (before[0] === after[0] && past[0] !== before[0]) return true;
  }
  return false;
}

/** Why the values of a time are not looked for. */
export const oneTimeReason = "a search answers the one value of that time";

const undeclaredMs = 3000;

/** How old a value may be that a search must find. */
export const keptMs = ({ profile: { tagHistorySec } }: CaseContext): number =>
  tagHistorySec === undefined ? undeclaredMs : tagHistorySec * 1000;

const leastDepth = 8;

/** Whether a history ends after the newest of the written values: how many it has is not stated. */
export function isShallow(
  shown: readonly unknown[],
  written: readonly unknown[],
  isSame: (written: unknown, shown: unknown) => boolean,
): boolean {
  if (shown.length < leastDepth || shown.length > written.length) return false;
  return written.slice(-shown.length).every((value, index) => isSame(value, shown[index]));
}

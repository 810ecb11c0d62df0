import { allEnded } from "../../harness/index.ts";

/** Runs the action for every item, at most `limit` at a time; returns the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  action: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await action(item);
  };
  await allEnded(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

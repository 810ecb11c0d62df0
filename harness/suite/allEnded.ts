/**
 * The results once all have ended; throws what the first of them threw. With Promise.all the others would continue their
 * calls while the case is undone, and in the next one.
 */
export async function allEnded<T>(promises: readonly T[]): Promise<Awaited<T>[]> {
  const ended = await Promise.allSettled(promises);
  const failed = ended.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return ended.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

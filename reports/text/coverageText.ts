import type { Coverage } from "../../record/index.ts";

type Counts = Pick<Coverage, "all" | "observed">;

/** Share in whole percent, never rounded up to 100. */
export function share({ all, observed }: Counts): string {
  return all === 0 ? "0 %" : `${Math.floor((100 * observed) / all)} %`;
}

/** One line for pages and terminals. */
export function coverageLine(counts: Counts): string {
  const { all, observed } = counts;
  return `${observed} of ${all} cells of the interface observed (${share(counts)})`;
}

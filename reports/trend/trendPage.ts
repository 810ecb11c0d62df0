import type { Trend } from "../../harness/record/trend.ts";
export function trendPage(trend: Trend): string {
  return JSON.stringify(trend.changes);
}

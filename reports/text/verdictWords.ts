import type { RequirementRecord } from "../../record/index.ts";

export type ShownVerdict = RequirementRecord["verdict"];

/** Every verdict, the most urgent first. */
export const shownVerdicts: readonly ShownVerdict[] = [
  "fail",
  "error",
  "inconclusive",
  "advice",
  "pass",
  "not-applicable",
  "not-covered",
];

/** Word and sign of each verdict; the sign distinguishes verdicts without colour. */
export const verdictWords: Readonly<Record<ShownVerdict, { word: string; sign: string }>> = {
  fail: { word: "failed", sign: "✕" },
  error: { word: "error", sign: "!" },
  inconclusive: { word: "inconclusive", sign: "?" },
  advice: { word: "advice", sign: "i" },
  pass: { word: "passed", sign: "✓" },
  "not-applicable": { word: "not applicable", sign: "–" },
  "not-covered": { word: "not tested", sign: "○" },
};

/** Number of items with each verdict; verdicts without items are omitted. */
export function verdictCounts(
  items: Iterable<{ readonly verdict: ShownVerdict }>,
): { verdict: ShownVerdict; count: number }[] {
  const counts = new Map<ShownVerdict, number>();
  for (const { verdict } of items) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return shownVerdicts.flatMap((verdict) => {
    const count = counts.get(verdict) ?? 0;
    return count === 0 ? [] : [{ verdict, count }];
  });
}

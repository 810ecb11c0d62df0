import type { CampaignRecord } from "./campaign.ts";

/**
 * Whether conformance is open for one reason only: the run ended normally, no stated requirement was tested, and every
 * case that was run passed.
 */
export function testsNothingStated({ complete, requirements, summary, trouble }: CampaignRecord): boolean {
  const { pass, fail, inconclusive, error } = summary;
  const isStatedTested = requirements.some(
    ({ level, verdict }) => level === "stated" && verdict !== "not-covered" && verdict !== "not-applicable",
  );
  return (
    complete && trouble === undefined && !isStatedTested && pass > 0 && fail + inconclusive + error === 0
  );
}

// Reasons why stated requirements were not tested, those that concern most requirements first.
import type { CampaignRecord } from "../../record/index.ts";

export interface NotTestedGroup {
  readonly reason: string;
  readonly ids: readonly string[];
}

export function notTestedGroups({ requirements }: CampaignRecord): NotTestedGroup[] {
  const notTested = requirements.filter(
    ({ level, verdict }) => level === "stated" && verdict === "not-covered",
  );
  const groups = Map.groupBy(notTested, ({ reason }) => reason ?? "no reason recorded");
  return [...groups]
    .map(([reason, members]) => ({ reason, ids: members.map(({ id }) => id) }))
    .toSorted((a, b) => b.ids.length - a.ids.length);
}

/** The first ids of the group, and how many more. */
export function notTestedIds({ ids }: NotTestedGroup, shown: number): string {
  const left = ids.length - shown;
  return `${ids.slice(0, shown).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

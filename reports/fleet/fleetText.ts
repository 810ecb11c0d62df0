// What does not pass in a fleet, in lines for a terminal and for messages.
import type { FindingGroup } from "../../record/index.ts";
import { clip, counted, oneLine } from "../text/visibleText.ts";
import { outcomeWords } from "../trend/trendText.ts";

const longestText = 200;

/** `CORE-A-01` or `3 requirements (CORE-A-01 and others)`. */
export function listed(items: readonly string[], noun: string): string {
  const [first = ""] = items;
  return items.length <= 1 ? oneLine(first) : `${counted(items.length, noun)} (${oneLine(first)} and others)`;
}

/** A line for each failure that is new. */
export function changedGroupLines(groups: readonly FindingGroup[]): string[] {
  return groups
    .filter(({ isNew, outcome }) => isNew && outcome === "fail")
    .map(({ outcome, requirements, units, reason = "" }) => {
      const on = listed(
        units.map(({ name }) => name),
        "gateway",
      );
      return `new: ${listed(requirements, "requirement")} ${outcomeWords[outcome].word} on ${on}: ${clip(oneLine(reason), longestText)}`;
    });
}

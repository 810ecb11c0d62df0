// A load that every gateway can carry: polling catches each of its changes.
import type { CaseContext } from "../../harness/index.ts";
import { type LoadSource, loadSources } from "./sequenceLoad.ts";

/** More than polling needs; a device that counts its requests also waits for several rounds of them. */
const changeAfterPolls = 4;

/** At most so many tags of as few sources as possible, and the pace at which polling catches every change. */
export function someLoad(context: CaseContext, tags: number): { sources: LoadSource[]; everyMs: number } {
  const sources: LoadSource[] = [];
  let left = tags;
  for (const source of loadSources(context.field).toSorted((a, b) => b.points.length - a.points.length)) {
    if (left === 0) break;
    const points = source.points.slice(0, left);
    left -= points.length;
    sources.push({ ...source, points, indexes: new Map(points.map(({ tag }, index) => [tag.tag, index])) });
  }
  if (sources.length === 0)
    return context.notApplicable("the rack has no simulated field device with 32-bit or 64-bit integers");
  // Far from the poll interval: this case tests order and completeness, another one tests speed.
  const slowestPollMs = Math.max(...sources.flatMap(({ points }) => points.map((one) => one.pollIntervalMs)));
  return { sources, everyMs: changeAfterPolls * slowestPollMs };
}

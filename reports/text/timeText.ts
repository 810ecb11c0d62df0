// What the duration of a run consists of: from its last case back, each with the case whose end let it start.
import type { CampaignRecord, CaseRecord } from "../../record/index.ts";
import { campaignMs, duration } from "./durations.ts";
import { textTable } from "./textTable.ts";

type RanCase = CaseRecord & { readonly ran: NonNullable<CaseRecord["ran"]> };

const hasRun = (one: CaseRecord): one is RanCase => one.ran !== undefined;

/** The chain of cases that determined the duration, the first one first. */
export function longestChain(record: Pick<CampaignRecord, "cases">): RanCase[] {
  const byId = new Map(record.cases.filter(hasRun).map((one) => [one.id, one]));
  const chain: RanCase[] = [];
  let next = [...byId.values()].reduce<RanCase | undefined>(
    (last, one) => (last === undefined || one.ran.untilMs > last.ran.untilMs ? one : last),
    undefined,
  );
  while (next !== undefined) {
    chain.unshift(next);
    byId.delete(next.id);
    next = next.ran.after === undefined ? undefined : byId.get(next.ran.after);
  }
  return chain;
}

/**
 * Table of the cases that determined the duration of a run. `waitReason`: why the first of two cases could start only when
 * the second had ended.
 */
export function timeText(
  record: CampaignRecord,
  waitReason: (caseId: string, after: string) => string,
  width: number | undefined,
): string {
  const chain = longestChain(record);
  const [first] = chain;
  if (first === undefined) return "No case ran.\n";
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const rows = chain.map(({ id, ran }) => [
    seconds(ran.fromMs).padStart(6),
    seconds(ran.untilMs - ran.fromMs).padStart(6),
    String(ran.gateway + 1),
    id,
    ran.after === undefined ? "start and health check" : waitReason(id, ran.after),
  ]);
  const totalMs = campaignMs(record);
  const inChainMs = chain.reduce((sum, { ran }) => sum + ran.untilMs - ran.fromMs, 0);
  return `
What determined the duration: ${chain.length} of ${record.cases.filter(hasRun).length} cases, ${duration(inChainMs)} of ${duration(totalMs)}
${textTable(["Start, s", "Time, s", "Gateway", "Case", "Waited for"], rows, { width })}`;
}

// Waivers: known deviations that a person accepts, each for one piece of evidence and a limited time.
import { readFile } from "node:fs/promises";
import Type from "typebox";
import { checkDocument, readDocument } from "../../harness/index.ts";
import {
  type CampaignRecord,
  type CaseRecord,
  Waiver,
  exchangesFile,
  expiryMs,
  sha256,
} from "../../record/index.ts";
import type { Pair, Refusal } from "./completeness.ts";

const WaiverFile = Type.Object({ waivers: Type.Array(Waiver) }, { additionalProperties: false });

/** Reads a file of waivers; throws a UsageError with line and field. */
export async function readWaivers(file: string): Promise<Waiver[]> {
  const { value, fail } = checkDocument("waivers", await readDocument("waivers", file), file, WaiverFile);
  for (const [index, { expires }] of value.waivers.entries()) {
    if (Number.isNaN(expiryMs(expires))) {
      fail(`/waivers/${index}/expires`, `expires: expected a day such as 2027-03-31, found ${expires}`);
    }
  }
  return value.waivers;
}

/** SHA-256 of the evidence of a case: its exchanges, or its entry in the record without any. */
export async function evidenceOf(folder: string, record: CaseRecord): Promise<string> {
  const exchanges = await readFile(exchangesFile(folder, record.id)).catch(() => undefined);
  return sha256(exchanges ?? JSON.stringify(record));
}

/** Waivers that are not valid for this run, with the reason. */
export async function brokenWaivers(
  waivers: readonly Waiver[],
  record: CampaignRecord,
  folder: string,
  nowMs: number,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const waiver of waivers) {
    const reason = await whyBroken(waiver, record, folder, nowMs);
    if (reason !== undefined) {
      const { check, requirement } = waiver;
      refusals.push({ ...reason, reason: `the waiver for ${requirement} in ${check} ${reason.reason}` });
    }
  }
  return refusals;
}

async function whyBroken(
  waiver: Waiver,
  record: CampaignRecord,
  folder: string,
  nowMs: number,
): Promise<Refusal | undefined> {
  if (expiryMs(waiver.expires) < nowMs) {
    return { code: "WAIVER_EXPIRED", reason: `expired on ${waiver.expires}` };
  }
  const found = record.cases.find((one) => one.id === waiver.check);
  const decision = found?.decided.find((one) => one.requirement === waiver.requirement);
  if (found === undefined || decision === undefined) {
    return { code: "WAIVER_STALE", reason: "is stale: the run has no such verdict" };
  }
  if (decision.verdict === "pass") {
    return { code: "WAIVER_STALE", reason: "is stale: the check passes now. Fix: remove it" };
  }
  const evidence = await evidenceOf(folder, found);
  return evidence === waiver.evidenceSha256
    ? undefined
    : {
        code: "WAIVER_STALE",
        reason: `is stale: it names other evidence; this run has SHA-256 ${evidence}`,
      };
}

/** Whether a waiver names the pair. */
export function waives(waivers: readonly Waiver[], pair: Pair): boolean {
  return waivers.some((waiver) => waiver.check === pair.check && waiver.requirement === pair.requirement);
}

/** A file of waivers without the human part: it cannot be used before a person fills in reason and name. */
export function waiverDraft(refusals: readonly (Refusal & { readonly evidenceSha256?: string })[]): string {
  const entries = new Map(
    refusals.flatMap(({ reason, waivable, evidenceSha256 }) =>
      waivable === undefined || evidenceSha256 === undefined
        ? []
        : [[JSON.stringify(waivable), { ...waivable, reason, evidenceSha256 }] as const],
    ),
  );
  const lines = [...entries.values()].flatMap(({ check, requirement, reason, evidenceSha256 }) => [
    `  # ${reason.replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}/gu, " ")}`,
    `  - check: ${JSON.stringify(check)}`,
    `    requirement: ${JSON.stringify(requirement)}`,
    `    evidenceSha256: ${evidenceSha256}`,
    '    reason: ""',
    '    who: ""',
    '    expires: ""',
  ]);
  return `# Keep the entries that a person accepts, fill in reason, who and expires (2027-03-31), and delete the rest.\nwaivers:${lines.length === 0 ? " []" : ""}\n${lines.map((line) => `${line}\n`).join("")}`;
}

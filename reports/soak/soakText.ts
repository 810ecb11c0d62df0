// A soak in words, for the terminal.
import pc from "picocolors";
import type { SoakFinding, SoakRecord, SoakVerdict } from "../../record/index.ts";
import { duration } from "../text/durations.ts";

export const soakVerdictWords: Readonly<
  Record<SoakVerdict, { readonly sign: string; readonly word: string }>
> = {
  pass: { sign: "✓", word: "passed" },
  fail: { sign: "✗", word: "failed" },
  inconclusive: { sign: "?", word: "inconclusive" },
  "not-measured": { sign: "–", word: "not measured" },
};

/** Findings of single operations are of interest only when they are not passed. */
export function isShown({ id, verdict }: SoakFinding): boolean {
  return !id.startsWith("operation/") || verdict === "fail";
}

export function soakTitle({ verdict, complete, soakedSec }: SoakRecord): string {
  const { word } = soakVerdictWords[verdict];
  return `Soak ${word} after ${duration(soakedSec * 1000)}${complete ? "" : ", incomplete"}`;
}

export function needs({ needsMinutes }: SoakFinding): string {
  return needsMinutes === undefined
    ? ""
    : `; a soak of about ${duration(needsMinutes * 60_000)} is likely to decide it`;
}

/** The findings, and where the page is. */
export function soakText(record: SoakRecord, page: string): string {
  const colour = { pass: pc.green, fail: pc.red, inconclusive: pc.yellow, "not-measured": pc.dim };
  const lines = record.findings.filter(isShown).map((one) => {
    const { sign, word } = soakVerdictWords[one.verdict];
    return `  ${colour[one.verdict](`${sign} ${word}`)}  ${one.title}: ${one.text}${needs(one)}`;
  });
  const omitted = record.omitted.map(({ action, reason }) => `  omitted: ${action}: ${reason}`);
  const left = record.left.map((one) => `  not restored: ${one}`);
  return [
    colour[record.verdict](soakTitle(record)),
    ...lines,
    ...omitted,
    ...left,
    `  page: ${page}`,
    "",
  ].join("\n");
}

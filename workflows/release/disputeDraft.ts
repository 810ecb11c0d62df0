// Drafts a dispute about a check from a run: the evidence is filled in, the argument is left to a person.
import {
  type CampaignRecord,
  type CaseRecord,
  type CheckRecord,
  type Exchange,
  curlLine,
  maskText,
} from "../../record/index.ts";

export interface DisputeDraft {
  readonly record: CampaignRecord;
  readonly disputed: CaseRecord;
  readonly requirement: string;
  readonly exchanges: readonly Exchange[];
  readonly evidenceSha256: string;
  /** Day of the draft. */
  readonly day: string;
}

const shownChecks = 5;
const shownCharacters = 4000;

/** The file name of a dispute. */
export function disputeFileName({
  disputed,
  requirement,
}: Pick<DisputeDraft, "disputed" | "requirement">): string {
  return `${disputed.id.replaceAll(/[^\w-]+/g, ".")}-${requirement}.md`;
}

/** The text of the file; secrets are masked. */
export function disputeDraft(draft: DisputeDraft): string {
  const { record, disputed, requirement, evidenceSha256, day } = draft;
  const stated = record.requirements.find(({ id }) => id === requirement);
  const checks = disputed.checks.filter((check) => check.requirement === requirement);
  const open = checks.filter(({ verdict }) => verdict !== "pass");
  const { gateway, suite, level, seed } = record;
  return maskText(
    [
      "---",
      `case: ${JSON.stringify(disputed.id)}`,
      `requirement: ${JSON.stringify(requirement)}`,
      "state: open",
      `title: ${JSON.stringify(`${open[0]?.what ?? disputed.title}`)}`,
      `opened: ${day}`,
      `evidenceSha256: ${evidenceSha256}`,
      "---",
      "",
      `# ${requirement} in ${disputed.id}`,
      "",
      `> ${stated?.statement ?? "The record lists no requirement with this id."}`,
      "",
      ...(stated === undefined ? [] : [`Place in the interface document: ${stated.place}`, ""]),
      "## Why the check is wrong",
      "",
      "Write which sentence of the interface the check contradicts, or that no sentence demands it.",
      "",
      "## Evidence",
      "",
      `Suite ${suite.version}, level ${level}, seed ${seed}; gateway ${gateway.name} ${gateway.version}. Verdict of the case: ${disputed.verdict}${disputed.reason === undefined ? "" : `, ${disputed.reason}`}.`,
      "",
      ...(disputed.reproduce === undefined ? [] : [fenced("sh", disputed.reproduce), ""]),
      ...(open.length === 0 ? checks : open)
        .slice(0, shownChecks)
        .flatMap((check) => checkLines(check, draft.exchanges)),
    ].join("\n"),
  );
}

function checkLines(check: CheckRecord, exchanges: readonly Exchange[]): string[] {
  const exchange = exchanges.find(({ number }) => number === check.exchange);
  return [
    `### ${check.what}`,
    "",
    fenced("", `expected  ${check.expected}\nobserved  ${check.observed}`),
    "",
    ...(exchange === undefined || check.exchangeCase !== undefined
      ? []
      : [fenced("sh", curlLine(exchange)), "", fenced("", answerText(exchange)), ""]),
  ];
}

function answerText({ answer }: Exchange): string {
  if (answer === undefined) return "no answer";
  const { status, body } = answer;
  return `${status}\n\n${body.slice(0, shownCharacters)}`;
}

/** A code block whose fence is longer than any in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([found]) => found.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

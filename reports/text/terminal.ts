// The closing summary of a run: verdict, failed requirements, and how to reproduce them.
import pc from "picocolors";
import type { CampaignRecord, CheckRecord } from "../../record/index.ts";
import { campaignMs, duration } from "./durations.ts";
import {
  advisedRequirements,
  besideNote,
  type FailedRequirement,
  failedRequirements,
  type Finding,
  findingCount,
  inconclusiveGroups,
  inconclusiveTitle,
  isFolded,
  sourceOf,
  leftOpenByFailures,
} from "./findings.ts";
import { reasonOf } from "./findingText.ts";
import { headline } from "./headline.ts";
import { notTestedGroups, notTestedIds } from "./notTested.ts";
import { wrap } from "./textTable.ts";
import { transcriptTail } from "./transcriptText.ts";
import { clip, counted, oneLine } from "./visibleText.ts";
import { verdictCounts, verdictWords } from "./verdictWords.ts";

/** Destination of the summary. */
export interface SummaryStream {
  readonly columns?: number;
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const maxFailures = 20;
const maxInconclusive = 10;
const maxAdvice = 10;
const maxNotTested = 5;
const idsPerReason = 3;
const maxLinesOfValue = 2;
const linesBeforeCheck = 3;
const linesAfterCheck = 2;
const nameWidth = 9;
const widthWithoutTerminal = 100;
const widestText = 120;

/** Prints the closing summary; colours only on a terminal that supports them. */
export function printSummary(record: CampaignRecord, reportFile: string, stream: SummaryStream): void {
  const isTerminal = stream.isTTY === true;
  const width = Math.min(widestText, (isTerminal ? stream.columns : undefined) ?? widthWithoutTerminal);
  stream.write(summaryText(record, { reportFile, width, colours: isTerminal && pc.isColorSupported }));
}

export interface SummaryOptions {
  /** Path as shown; absent where the reader already has the report open. */
  readonly reportFile?: string;
  readonly width: number;
  readonly colours: boolean;
}

type Colours = ReturnType<typeof pc.createColors>;

/** The closing summary as text. */
export function summaryText(record: CampaignRecord, options: SummaryOptions): string {
  const colours = pc.createColors(options.colours);
  const failed = failedRequirements(record);
  const lines = [
    "",
    ...verdictLines(record, colours, options.width),
    ...failureLines(failed, colours, options.width),
    ...inconclusiveLines(record, colours, options.width),
    ...leftOpenLines(record, colours, options.width),
    ...adviceLines(record, colours, options.width),
    ...notTestedLines(record, colours, options.width),
    "",
    ...(options.reportFile === undefined ? [] : [`Report  ${oneLine(options.reportFile)}`]),
    `Seed    ${record.seed}`,
  ];
  return `${lines.join("\n")}\n`;
}

function verdictLines(record: CampaignRecord, colours: Colours, width: number): string[] {
  const { title, reasons } = headline(record);
  const { gateway } = record;
  const paint = {
    conformant: (text: string) => colours.green(`${verdictWords.pass.sign} ${text}`),
    "non-conformant": (text: string) => colours.red(`${verdictWords.fail.sign} ${text}`),
    inconclusive: (text: string) => colours.yellow(`${verdictWords.inconclusive.sign} ${text}`),
  }[record.summary.verdict];
  const isTroubled = record.trouble !== undefined;
  const notRun = isTroubled ? record.cases.filter(isFolded).length : 0;
  const ran = isTroubled ? record.cases.filter((one) => !isFolded(one)) : record.cases;
  const counts = [
    ...verdictCounts(ran).map(({ verdict, count }) => `${count} ${verdictWords[verdict].word}`),
    ...(notRun === 0 ? [] : [`${notRun} not run`]),
  ];
  const what = `${record.suite.interface} on ${gateway.name} ${gateway.version} (${gateway.kind}), ${duration(campaignMs(record))}`;
  return [
    colours.bold(paint(title)),
    ...reasons.flatMap((reason) => indented(reason, 2, width)),
    ...indented(`${counted(record.cases.length, "case")}: ${counts.join(", ")}`, 2, width),
    ...indented(what, 2, width).map(colours.dim),
  ];
}

function failureLines(failed: readonly FailedRequirement[], colours: Colours, width: number): string[] {
  const lines = failed.slice(0, maxFailures).flatMap((one) => requirementLines(one, colours, width));
  const more = failed.length - maxFailures;
  if (more > 0) {
    const rest = findingCount(failed.slice(maxFailures));
    lines.push("", `  and ${counted(more, "more requirement")} (${counted(rest, "finding")}) in the report`);
  }
  return lines;
}

function requirementLines(one: FailedRequirement, colours: Colours, width: number): string[] {
  const first = one.findings[0];
  if (first === undefined) return [];
  const note = besideNote(one.requirement);
  const beside = note === "" ? "" : colours.dim(` (${note})`);
  const more = one.findings.length - 1;
  return [
    "",
    `${colours.red(verdictWords.fail.sign)} ${colours.bold(oneLine(one.id))}${beside}`,
    ...indented(one.requirement?.statement ?? "", 2, width),
    ...(one.requirement === undefined ? [] : value("place", one.requirement.place, colours, width)),
    ...findingLines(first, colours, width),
    ...(more === 0 ? [] : [colours.dim(`  and ${counted(more, "more finding")} of this requirement`)]),
  ];
}

function findingLines({ case: one, check }: Finding, colours: Colours, width: number): string[] {
  const lines =
    check === undefined
      ? value("reason", reasonOf(one), colours, width)
      : [
          ...value("checked", check.what, colours, width),
          ...value("expected", check.expected, colours, width),
          ...value("observed", check.observed, colours, width),
          ...streamLines(check, colours, width),
        ];
  return [
    ...lines,
    ...(one.reproduce === undefined
      ? commandLine("case", one.id, colours)
      : commandLine("reproduce", one.reproduce, colours)),
    ...(one.curl === undefined ? [] : commandLine("curl", one.curl, colours)),
  ];
}

/** The lines of the stream around a check on one; each is cut to the width. */
function streamLines({ transcript }: CheckRecord, colours: Colours, width: number): string[] {
  if (transcript === undefined) return [];
  return transcriptTail(transcript, linesBeforeCheck, linesAfterCheck).map(
    (line, index) =>
      `  ${colours.dim((index === 0 ? "stream" : "").padEnd(nameWidth))}  ${clip(line, width - nameWidth - 4)}`,
  );
}

/** Never wrapped, which allows copying it. */
function commandLine(name: string, text: string, colours: Colours): string[] {
  return [`  ${colours.dim(name.padEnd(nameWidth))}  ${colours.cyan(oneLine(text))}`];
}

function inconclusiveLines(record: CampaignRecord, colours: Colours, width: number): string[] {
  const groups = inconclusiveGroups(record);
  if (groups.length === 0) return [];
  const lines = groups.slice(0, maxInconclusive).flatMap(({ verdict, reason, cases }) => {
    const { sign, word } = verdictWords[verdict];
    const first = oneLine(cases[0]?.id ?? "");
    const more = cases.length === 1 ? "" : ` and ${counted(cases.length - 1, "more case")}`;
    return [
      `${colours.yellow(sign)} ${first}${more} ${colours.dim(word)}`,
      ...indented(reason, 2, width).slice(0, maxLinesOfValue),
    ];
  });
  const left = groups.length - maxInconclusive;
  if (left > 0) lines.push(`  and ${counted(left, "more reason")} in the report`);
  return ["", colours.bold(inconclusiveTitle(record)), ...lines];
}

/** Requirements without a verdict that no inconclusive case explains. */
function leftOpenLines(record: CampaignRecord, colours: Colours, width: number): string[] {
  const lines = leftOpenByFailures(record).flatMap(({ case: one, requirements }) =>
    indented(`${oneLine(one.id)}, which failed before: ${requirements.map(oneLine).join(", ")}`, 2, width),
  );
  return lines.length === 0 ? [] : ["", colours.bold("Without a verdict because of a failure"), ...lines];
}

function adviceLines(record: CampaignRecord, colours: Colours, width: number): string[] {
  const advised = advisedRequirements(record);
  if (advised.length === 0) return [];
  const lines = advised
    .slice(0, maxAdvice)
    .flatMap(({ id, requirement, findings }) => [
      `${colours.cyan(verdictWords.advice.sign)} ${oneLine(id)} ${colours.dim(oneLine(sourceOf(requirement)))}`,
      ...indented(requirement?.statement ?? "", 2, width),
      ...(["what", "expected", "observed"] as const).flatMap((part) =>
        value(part === "what" ? "checked" : part, findings[0]?.check?.[part] ?? "", colours, width),
      ),
    ]);
  const left = advised.length - maxAdvice;
  if (left > 0) lines.push(`  and ${counted(left, "more requirement")} in the report`);
  return ["", colours.bold("Advice"), ...lines];
}

function notTestedLines(record: CampaignRecord, colours: Colours, width: number): string[] {
  const groups = record.trouble === undefined ? notTestedGroups(record) : [];
  if (groups.length === 0) return [];
  const lines = groups.slice(0, maxNotTested).flatMap((group) =>
    indented(`${group.reason}: ${notTestedIds(group, idsPerReason)}`, 2, width)
      .slice(0, maxLinesOfValue)
      .map(colours.dim),
  );
  const left = groups.length - maxNotTested;
  if (left > 0) lines.push(colours.dim(`  and ${counted(left, "more reason")} in the report`));
  return ["", colours.bold("Not tested"), ...lines];
}

function value(name: string, text: string, colours: Colours, width: number): string[] {
  const all = wrap(oneLine(text), Math.max(20, width - nameWidth - 4));
  const shown = all.slice(0, maxLinesOfValue);
  const lastShown = shown[maxLinesOfValue - 1];
  if (all.length > maxLinesOfValue && lastShown !== undefined) {
    shown[maxLinesOfValue - 1] = `${lastShown.slice(0, width - nameWidth - 5)}…`;
  }
  return shown.map((line, index) => `  ${colours.dim((index === 0 ? name : "").padEnd(nameWidth))}  ${line}`);
}

function indented(text: string, spaces: number, width: number): string[] {
  if (text === "") return [];
  return wrap(oneLine(text), Math.max(20, width - spaces)).map((line) => " ".repeat(spaces) + line);
}

// The last thing a run prints: the verdict, what failed and how to see it again.
import pc from "picocolors";
import type { CampaignRecord } from "../../record/index.ts";
import { campaignMs, duration } from "./durations.ts";
import {
  type BrokenRequirement,
  brokenRequirements,
  type Finding,
  findingCount,
  undecidedGroups,
} from "./findings.ts";
import { reasonOf } from "./findingText.ts";
import { headline } from "./headline.ts";
import { wrap } from "./textTable.ts";
import { counted, oneLine } from "./visibleText.ts";
import { verdictCounts, verdictWords } from "./verdictWords.ts";

/** Where the summary goes. */
export interface SummaryStream {
  readonly columns?: number;
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const maxFailures = 20;
const maxUndecided = 10;
const maxLinesOfValue = 2;
const widthWithoutTerminal = 100;
const widestText = 120;

/** Prints the closing summary; colours only on a terminal that wants them. */
export function printSummary(record: CampaignRecord, reportFile: string, stream: SummaryStream): void {
  const isTerminal = stream.isTTY === true;
  const width = Math.min(widestText, (isTerminal ? stream.columns : undefined) ?? widthWithoutTerminal);
  stream.write(summaryText(record, { reportFile, width, colours: isTerminal && pc.isColorSupported }));
}

export interface SummaryOptions {
  /** As it is shown; absent where the reader already has it open. */
  readonly reportFile?: string;
  readonly width: number;
  readonly colours: boolean;
}

type Colours = ReturnType<typeof pc.createColors>;

/** The closing summary as text. */
export function summaryText(record: CampaignRecord, options: SummaryOptions): string {
  const colours = pc.createColors(options.colours);
  const broken = brokenRequirements(record);
  const lines = [
    "",
    ...verdictLines(record, colours, options.width),
    ...failureLines(broken, colours, options.width),
    ...undecidedLines(record, colours, options.width),
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
  const counts = verdictCounts(record.cases).map(
    ({ verdict, count }) => `${count} ${verdictWords[verdict].word}`,
  );
  const what = `${record.suite.interface} on ${gateway.name} ${gateway.version} (${gateway.kind}), ${duration(campaignMs(record))}`;
  return [
    colours.bold(paint(title)),
    ...reasons.flatMap((reason) => indented(reason, 2, width)),
    ...indented(`${counted(record.cases.length, "case")}: ${counts.join(", ")}`, 2, width),
    ...indented(what, 2, width).map(colours.dim),
  ];
}

function failureLines(broken: readonly BrokenRequirement[], colours: Colours, width: number): string[] {
  const lines = broken.slice(0, maxFailures).flatMap((one) => brokenLines(one, colours, width));
  const more = broken.length - maxFailures;
  if (more > 0) {
    const rest = findingCount(broken.slice(maxFailures));
    lines.push("", `  and ${counted(more, "more requirement")} (${counted(rest, "finding")}) in the report`);
  }
  return lines;
}

function brokenLines(one: BrokenRequirement, colours: Colours, width: number): string[] {
  const first = one.findings[0];
  if (first === undefined) return [];
  const level = one.requirement?.level ?? "unknown";
  const beside = level === "stated" ? "" : colours.dim(` (${level}, does not decide conformance)`);
  const more = one.findings.length - 1;
  return [
    "",
    `${colours.red(verdictWords.fail.sign)} ${colours.bold(oneLine(one.id))}${beside}`,
    ...indented(one.requirement?.statement ?? "", 2, width),
    ...findingLines(first, colours, width),
    ...(more === 0 ? [] : [colours.dim(`  and ${counted(more, "more finding")} of the same requirement`)]),
  ];
}

function findingLines({ case: one, check }: Finding, colours: Colours, width: number): string[] {
  const lines =
    check === undefined
      ? value("reason", reasonOf(one), colours, width)
      : [
          ...value("what", check.what, colours, width),
          ...value("expected", check.expected, colours, width),
          ...value("observed", check.observed, colours, width),
        ];
  if (one.reproduce === undefined) return [...lines, `  ${colours.dim("case    ")}  ${oneLine(one.id)}`];
  // Never wrapped: it is there to be copied.
  return [...lines, `  ${colours.dim("again   ")}  ${colours.cyan(oneLine(one.reproduce))}`];
}

function undecidedLines(record: CampaignRecord, colours: Colours, width: number): string[] {
  const groups = undecidedGroups(record);
  if (groups.length === 0) return [];
  const lines = groups.slice(0, maxUndecided).flatMap(({ verdict, reason, cases }) => {
    const { sign, word } = verdictWords[verdict];
    const first = oneLine(cases[0]?.id ?? "");
    const more = cases.length === 1 ? "" : ` and ${counted(cases.length - 1, "more case")}`;
    return [
      `${colours.yellow(sign)} ${first}${more} ${colours.dim(word)}`,
      ...indented(reason, 2, width).slice(0, maxLinesOfValue),
    ];
  });
  const left = groups.length - maxUndecided;
  if (left > 0) lines.push(`  and ${counted(left, "more reason")} in the report`);
  return ["", colours.bold("Not decided"), ...lines];
}

function value(name: string, text: string, colours: Colours, width: number): string[] {
  const all = wrap(oneLine(text), Math.max(20, width - 12));
  const shown = all.slice(0, maxLinesOfValue);
  const lastShown = shown[maxLinesOfValue - 1];
  if (all.length > maxLinesOfValue && lastShown !== undefined) {
    shown[maxLinesOfValue - 1] = `${lastShown.slice(0, width - 13)}…`;
  }
  return shown.map((line, index) => `  ${colours.dim((index === 0 ? name : "").padEnd(8))}  ${line}`);
}

function indented(text: string, spaces: number, width: number): string[] {
  if (text === "") return [];
  return wrap(oneLine(text), Math.max(20, width - spaces)).map((line) => " ".repeat(spaces) + line);
}

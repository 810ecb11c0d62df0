// summary.md: the run on one screen, for the job page of a build server.
import { join } from "node:path";
import { type CampaignRecord, writeWhole } from "../record/index.ts";
import { requirementLevels } from "../interface/vocabulary/levels.ts";
import { campaignMs, duration } from "./text/durations.ts";
import {
  advisedRequirements,
  besideNote,
  type FailedRequirement,
  failedRequirements,
  inconclusiveGroups,
  inconclusiveTitle,
  sourceOf,
} from "./text/findings.ts";
import { reasonOf } from "./text/findingText.ts";
import { headline } from "./text/headline.ts";
import { markdownTable, markdownText } from "./text/markdownText.ts";
import { measurementText } from "./text/measurementText.ts";
import { notTestedGroups, notTestedIds } from "./text/notTested.ts";
import { type Reporter, reportFiles } from "./text/reporter.ts";
import { transcriptLines } from "./text/transcriptText.ts";
import { shownVerdicts, type ShownVerdict, verdictWords } from "./text/verdictWords.ts";
import { clip, counted, visibleText } from "./text/visibleText.ts";

const sign = { conformant: "✅", "non-conformant": "❌", inconclusive: "❔" } as const;
const mostFailed = 15;
const mostInconclusive = 15;
const mostAdvice = 15;
const mostMeasurements = 40;
const mostNotTested = 30;
const idsPerReason = 10;
const valueCharacters = 300;

export const jobSummaryReporter: Reporter = {
  name: reportFiles.summary,
  purpose: "Page of a build server's job; appended to the file that GITHUB_STEP_SUMMARY names",
  write: ({ record, folder }) => writeWhole(join(folder, reportFiles.summary), jobSummary(record)),
};

/** The summary in the Markdown of GitHub and GitLab. */
function jobSummary(record: CampaignRecord): string {
  const { title, reasons } = headline(record);
  const { gateway, suite } = record;
  const failed = failedRequirements(record);
  return [
    `## ${sign[record.summary.verdict]} ${markdownText(title)}`,
    "",
    markdownText(
      `${suite.interface} on ${gateway.name} ${gateway.version} (${gateway.kind}), level ${record.level}, ${duration(campaignMs(record))}, seed ${record.seed}`,
    ),
    "",
    ...reasons.map((reason) => `- ${markdownText(reason)}`),
    "",
    totals(record),
    "",
    ...section(
      `${counted(failed.length, "requirement")} failed`,
      failed.length,
      [...failed.slice(0, mostFailed).flatMap(failedLines), ...signIn(record)],
      mostFailed,
    ),
    ...inconclusive(record),
    ...advice(record),
    ...notTested(record),
    ...measurements(record),
  ].join("\n");
}

function section(title: string, count: number, lines: readonly string[], most: number): string[] {
  if (count === 0) return [];
  const left = count - most;
  return [`### ${title}`, "", ...lines, ...(left > 0 ? [`${left} more in the report.`, ""] : [])];
}

function totals(record: CampaignRecord): string {
  const rows: [string, readonly { readonly verdict: ShownVerdict }[]][] = [
    ...requirementLevels.map((level): [string, CampaignRecord["requirements"]] => [
      `${level} requirements`,
      record.requirements.filter((one) => one.level === level),
    ]),
    ["cases", record.cases],
  ];
  const verdicts = shownVerdicts.filter((verdict) =>
    rows.some(([, items]) => items.some((item) => item.verdict === verdict)),
  );
  return markdownTable(
    ["", ...verdicts.map((verdict) => verdictWords[verdict].word)],
    rows.map(([name, items]) => [
      name,
      ...verdicts.map((verdict) => String(items.filter((item) => item.verdict === verdict).length)),
    ]),
  );
}

/** The line that sets TOKEN, which the curl lines use. */
function signIn({ signIn: line }: CampaignRecord): string[] {
  return line === undefined
    ? []
    : [
        "<details><summary>Sign in before you use a curl line</summary>",
        "",
        ...shellBlock(line),
        "</details>",
        "",
      ];
}

function failedLines({ id, requirement, findings }: FailedRequirement): string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const { case: one, check } = first;
  const note = besideNote(requirement);
  const beside = note === "" ? "" : ` (${note})`;
  const found =
    check === undefined
      ? [reasonOf(one)]
      : [`checked: ${check.what}`, `expected: ${check.expected}`, `observed: ${check.observed}`];
  const stream = check?.transcript === undefined ? [] : transcriptLines(check.transcript);
  const commands = [one.reproduce, one.curl].filter((line) => line !== undefined);
  const left = findings.length - 1;
  return [
    `**${markdownText(id)}**${markdownText(beside)} ${markdownText(requirement?.statement ?? "")}`,
    "",
    ...(requirement === undefined ? [] : [`- place: ${markdownText(requirement.place)}`]),
    ...found.map((line) => `- ${markdownText(clip(line, valueCharacters))}`),
    `- case: ${markdownText(one.id)}${left === 0 ? "" : `, and ${counted(left, "more finding")}`}`,
    "",
    ...(commands.length === 0
      ? []
      : ["<details><summary>Reproduce</summary>", "", ...commands.flatMap(shellBlock), "</details>", ""]),
    ...(stream.length === 0
      ? []
      : [
          "<details><summary>Stream around the check</summary>",
          "",
          ...textBlock(stream, "text"),
          "</details>",
          "",
        ]),
  ];
}

/** A block that no value can end: its fence is longer than any run of backticks in it. */
function textBlock(lines: readonly string[], language: "sh" | "text"): string[] {
  const text = lines.join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, visibleText(text), fence, ""];
}

const shellBlock = (line: string): string[] => textBlock([line], "sh");

function inconclusive(record: CampaignRecord): string[] {
  const groups = inconclusiveGroups(record);
  const lines = groups.slice(0, mostInconclusive).map(({ verdict, reason, cases }) => {
    const more = cases.length === 1 ? "" : ` and ${counted(cases.length - 1, "more case")}`;
    return `- ${verdict}: ${markdownText(`${cases[0]?.id ?? ""}${more}: ${clip(reason, valueCharacters)}`)}`;
  });
  return section(inconclusiveTitle(record), groups.length, [...lines, ""], mostInconclusive);
}

function advice(record: CampaignRecord): string[] {
  const advised = advisedRequirements(record);
  const lines = advised.slice(0, mostAdvice).map(({ id, requirement, findings }) => {
    const observed = clip(findings[0]?.check?.observed ?? "", valueCharacters);
    return `- **${markdownText(id)}** ${markdownText(`${requirement?.statement ?? ""} Observed: ${observed}. Source: ${sourceOf(requirement)}`)}`;
  });
  return section(
    `Advice on ${counted(advised.length, "requirement")}`,
    advised.length,
    [...lines, ""],
    mostAdvice,
  );
}

function notTested(record: CampaignRecord): string[] {
  const groups = record.trouble === undefined ? notTestedGroups(record) : [];
  if (groups.length === 0) return [];
  const lines = groups
    .slice(0, mostNotTested)
    .map((group) => `- ${markdownText(`${group.reason}: ${notTestedIds(group, idsPerReason)}`)}`);
  const left = groups.length - mostNotTested;
  return [
    "<details><summary>Stated requirements not tested</summary>",
    "",
    ...lines,
    ...(left > 0 ? [`- ${counted(left, "more reason")} in the report`] : []),
    "",
    "</details>",
    "",
  ];
}

function measurements(record: CampaignRecord): string[] {
  const rows = record.cases.flatMap((one) =>
    one.measurements
      .filter(({ limitLow, limitHigh }) => limitLow !== undefined || limitHigh !== undefined)
      .map((measurement) => {
        const { measured, allowed, relation } = measurementText(measurement);
        return [one.id, measurement.name, measured, allowed, relation];
      }),
  );
  if (rows.length === 0) return [];
  const worstFirst = rows.toSorted((a, b) => Number(a[4] === "inside") - Number(b[4] === "inside"));
  return [
    `<details><summary>${counted(rows.length, "measurement")} with limits</summary>`,
    "",
    markdownTable(
      ["Case", "Quantity", "Measured", "Limits", "Result"],
      worstFirst.slice(0, mostMeasurements),
    ),
    "",
    "</details>",
    "",
  ];
}

// summary.md: the run on one screen, for the page that a build server shows of a job.
import { join } from "node:path";
import { type CampaignRecord, writeWhole } from "../record/index.ts";
import { campaignMs, duration } from "./text/durations.ts";
import { type BrokenRequirement, brokenRequirements, undecidedGroups } from "./text/findings.ts";
import { reasonOf } from "./text/findingText.ts";
import { headline } from "./text/headline.ts";
import { markdownTable, markdownText } from "./text/markdownText.ts";
import { measurementText } from "./text/measurementText.ts";
import { type Reporter, reportFiles } from "./text/reporter.ts";
import { shownVerdicts, type ShownVerdict, verdictWords } from "./text/verdictWords.ts";
import { clip, counted, visibleText } from "./text/visibleText.ts";

const sign = { conformant: "✅", "non-conformant": "❌", inconclusive: "❔" } as const;
const mostBroken = 15;
const mostUndecided = 15;
const mostMeasurements = 40;
const valueCharacters = 300;

export const jobSummaryReporter: Reporter = {
  name: reportFiles.summary,
  purpose: "Page of a build server's job; appended to the file that GITHUB_STEP_SUMMARY names",
  write: ({ record, folder }) => writeWhole(join(folder, reportFiles.summary), jobSummary(record)),
};

/** The summary as Markdown of the flavour that GitHub and GitLab show. */
function jobSummary(record: CampaignRecord): string {
  const { title, reasons } = headline(record);
  const { gateway, suite } = record;
  const broken = brokenRequirements(record);
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
    ...section("Not kept", broken.length, broken.slice(0, mostBroken).flatMap(brokenLines), mostBroken),
    ...undecided(record),
    ...measurements(record),
  ].join("\n");
}

function section(title: string, count: number, lines: readonly string[], most: number): string[] {
  if (count === 0) return [];
  const left = count - most;
  return [`### ${title}`, "", ...lines, ...(left > 0 ? [`And ${left} more in the report.`, ""] : [])];
}

function totals(record: CampaignRecord): string {
  const levels = ["stated", "published", "declared"] as const;
  const rows: [string, readonly { readonly verdict: ShownVerdict }[]][] = [
    ...levels.map((level): [string, CampaignRecord["requirements"]] => [
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

function brokenLines({ id, requirement, findings }: BrokenRequirement): string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const { case: one, check } = first;
  const beside =
    requirement?.level === "stated" ? "" : ` (${requirement?.level ?? "unknown"}, does not decide)`;
  const found =
    check === undefined
      ? [reasonOf(one)]
      : [check.what, `expected: ${check.expected}`, `observed: ${check.observed}`];
  const commands = [one.reproduce, one.curl].filter((line) => line !== undefined);
  const left = findings.length - 1;
  return [
    `**${markdownText(id)}**${markdownText(beside)} ${markdownText(requirement?.statement ?? "")}`,
    "",
    ...found.map((line) => `- ${markdownText(clip(line, valueCharacters))}`),
    `- case ${markdownText(one.id)}${left === 0 ? "" : `, and ${counted(left, "more finding")}`}`,
    "",
    ...(commands.length === 0
      ? []
      : ["<details><summary>See it again</summary>", "", ...commands.flatMap(shellBlock), "</details>", ""]),
  ];
}

/** A block that no value can end: its fence is longer than any row of backticks within. */
function shellBlock(line: string): string[] {
  const longest = Math.max(2, ...[...line.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}sh`, visibleText(line), fence, ""];
}

function undecided(record: CampaignRecord): string[] {
  const groups = undecidedGroups(record);
  const lines = groups.slice(0, mostUndecided).map(({ verdict, reason, cases }) => {
    const more = cases.length === 1 ? "" : ` and ${counted(cases.length - 1, "more case")}`;
    return `- ${verdict}: ${markdownText(`${cases[0]?.id ?? ""}${more}: ${clip(reason, valueCharacters)}`)}`;
  });
  return section("Not decided", groups.length, [...lines, ""], mostUndecided);
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
    markdownTable(["Case", "Quantity", "Measured", "Allowed", "Lies"], worstFirst.slice(0, mostMeasurements)),
    "",
    "</details>",
    "",
  ];
}

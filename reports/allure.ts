// allure-results/ for Allure 2 and 3: one result for each case, with its checks as steps and its exchanges attached.
import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ContentType, LabelName, Stage, Status, type StepResult, type TestResult } from "allure-js-commons";
import { FileSystemWriter, ReporterRuntime } from "allure-js-commons/sdk/reporter";
import { groups } from "../interface/vocabulary/groups.ts";
import type { CampaignRecord, CaseRecord, CheckRecord, Verdict } from "../record/index.ts";
import { caseText, reasonOf } from "./text/findingText.ts";
import { type Reporter, type ReportInput, reportFiles } from "./text/reporter.ts";
import { clip, oneLine, visibleText } from "./text/visibleText.ts";

const stepNameCharacters = 200;
const statuses: Readonly<Record<Verdict, Status>> = {
  pass: Status.PASSED,
  fail: Status.FAILED,
  error: Status.BROKEN,
  inconclusive: Status.SKIPPED,
  advice: Status.PASSED,
  "not-applicable": Status.SKIPPED,
};

/** Without the library's flush to the disk after each of some six hundred files: a report can be written again. */
class UnflushedWriter extends FileSystemWriter {
  readonly #folder: string;

  constructor(folder: string) {
    super({ resultsDir: folder });
    this.#folder = folder;
  }

  override writeResult(result: TestResult): void {
    writeFileSync(join(this.#folder, `${result.uuid}-result.json`), JSON.stringify(result));
  }

  override writeAttachment(name: string, content: Buffer): void {
    writeFileSync(join(this.#folder, name), content);
  }
}

export const allureReporter: Reporter = {
  name: reportFiles.allure,
  purpose: "Allure 2 and 3: one result for each case",
  async write(input) {
    const resultsDir = join(input.folder, reportFiles.allure);
    // Allure would count earlier results as retries.
    await rm(resultsDir, { recursive: true, force: true });
    const { record } = input;
    const runtime = new ReporterRuntime({
      writer: new UnflushedWriter(resultsDir),
      environmentInfo: environment(record),
      categories: [
        { name: "Requirement failed", matchedStatuses: [Status.FAILED] },
        { name: "Error of the harness or the rig", matchedStatuses: [Status.BROKEN] },
        { name: "Inconclusive", messageRegex: "^inconclusive: .*", matchedStatuses: [Status.SKIPPED] },
        { name: "Not applicable", messageRegex: "^not applicable: .*", matchedStatuses: [Status.SKIPPED] },
      ],
    });
    runtime.writeEnvironmentInfo();
    runtime.writeCategoriesDefinitions();
    const startOf = startTimes(input);
    for (const one of record.cases) writeCase(runtime, input, one, startOf(one));
  },
};

function environment(record: CampaignRecord): Record<string, string> {
  const { gateway, profile, suite, machine } = record;
  return {
    gateway: visibleText(`${gateway.name} ${gateway.version} (${gateway.kind})`),
    baseUrl: visibleText(gateway.baseUrl),
    profile: `${profile.name} sha256:${profile.sha256}`,
    interface: suite.interface,
    suite: suite.version,
    level: record.level,
    seed: String(record.seed),
    machine: `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.os}`,
  };
}

function writeCase(runtime: ReporterRuntime, input: ReportInput, one: CaseRecord, startMs: number): void {
  const uuid = runtime.startTest({
    name: visibleText(one.title),
    fullName: one.id,
    testCaseId: one.id,
    historyId: `${input.record.gateway.name} ${one.id}`,
    start: startMs,
    stage: Stage.FINISHED,
    status: statuses[one.verdict],
    statusDetails: statusDetails(one, input.record),
    description: visibleText(caseText(one, input.record.requirements)),
    labels: labelsOf(input.record, one),
    parameters: [{ name: "seed", value: String(one.seed), excluded: true }],
    steps: one.checks.map((check) => stepOf(check, startMs)),
  });
  const exchanges = input.exchangesOf(one.id);
  if (exchanges.length > 0) {
    const body = Buffer.from(JSON.stringify(exchanges, null, 1));
    runtime.writeAttachment(uuid, null, "exchanges", body, { contentType: ContentType.JSON });
  }
  runtime.stopTest(uuid, { duration: one.durationMs });
  runtime.writeTest(uuid);
}

function statusDetails(
  one: CaseRecord,
  { requirements }: CampaignRecord,
): { message?: string; trace?: string } {
  if (one.verdict === "pass") return {};
  const trace = visibleText(caseText(one, requirements));
  if (one.verdict === "inconclusive") return { message: `inconclusive: ${reasonOf(one)}`, trace };
  if (one.verdict === "not-applicable") return { message: `not applicable: ${reasonOf(one)}` };
  return { message: reasonOf(one), trace };
}

function labelsOf(record: CampaignRecord, one: CaseRecord): { name: string; value: string }[] {
  const group = Object.entries(groups).find(([id]) => id === one.group)?.[1];
  return [
    { name: LabelName.PARENT_SUITE, value: record.suite.interface },
    { name: LabelName.SUITE, value: group?.title ?? one.group },
    { name: LabelName.EPIC, value: record.suite.interface },
    { name: LabelName.FEATURE, value: group?.title ?? one.group },
    { name: "group", value: one.group },
    { name: LabelName.HOST, value: visibleText(record.gateway.name) },
    ...one.requirements.flatMap((id) => [
      { name: "requirement", value: id },
      { name: LabelName.TAG, value: id },
    ]),
  ];
}

function stepOf(check: CheckRecord, startMs: number): StepResult {
  return {
    name: clip(oneLine(`${check.requirement}: ${check.what}`), stepNameCharacters),
    status: statuses[check.verdict],
    stage: Stage.FINISHED,
    statusDetails:
      check.verdict === "pass"
        ? {}
        : { message: visibleText(`expected ${check.expected}\nobserved ${check.observed}`) },
    steps: [],
    attachments: [],
    parameters: [
      { name: "expected", value: visibleText(check.expected) },
      { name: "observed", value: visibleText(check.observed) },
    ],
    start: startMs,
    stop: startMs,
  };
}

/** Start of each case: the start of the campaign plus the time from its first exchange to that of the case. */
function startTimes({ record, exchangesOf }: ReportInput): (one: CaseRecord) => number {
  const firstMs = new Map<string, number>();
  for (const { id } of record.cases) {
    const first = exchangesOf(id)[0];
    if (first !== undefined) firstMs.set(id, first.startedMs);
  }
  const originMs = Math.min(...firstMs.values());
  const startedAtMs = Date.parse(record.startedAt);
  const campaignStartMs = Number.isNaN(startedAtMs) ? 0 : startedAtMs;
  return ({ id }) => Math.round(campaignStartMs + ((firstMs.get(id) ?? originMs) - originMs || 0));
}

// Allure results, one file a case, for those who collect their reports with Allure.
import { randomUUID, createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type Attachment,
  LabelName,
  Stage,
  Status,
  type StepResult,
  type TestResult,
} from "allure-js-commons";
import { FileSystemWriter } from "allure-js-commons/sdk/reporter";
import type { CampaignRecord, CaseRecord } from "../harness/record/campaign.ts";
import type { Verdict } from "../harness/record/verdict.ts";
import type { Reporter } from "./reporter.ts";

const statuses: Readonly<Record<Verdict, Status>> = {
  pass: Status.PASSED,
  fail: Status.FAILED,
  error: Status.BROKEN,
  inconclusive: Status.SKIPPED,
  "not-applicable": Status.SKIPPED,
};

export const allureReporter: Reporter = {
  name: "allure-results",
  async write({ record, exchangesOf, folder }) {
    const resultsDir = join(folder, "allure-results");
    await rm(resultsDir, { recursive: true, force: true });
    const writer = new FileSystemWriter({ resultsDir });
    let startMs = Date.parse(record.startedAt);
    for (const one of record.cases) {
      const exchanges = exchangesOf(one.id);
      const attachments: Attachment[] = [];
      if (exchanges.length > 0) {
        const source = `${randomUUID()}-attachment.json`;
        writer.writeAttachment(source, Buffer.from(JSON.stringify(exchanges, null, 1)));
        attachments.push({ name: "exchanges", type: "application/json", source });
      }
      writer.writeResult(toResult(record, one, startMs, attachments));
      startMs += one.durationMs;
    }
    writer.writeEnvironmentInfo({
      gateway: record.gateway.name,
      kind: record.gateway.kind,
      profile: record.profile.name,
      seed: String(record.seed),
    });
  },
};

function toResult(
  record: CampaignRecord,
  one: CaseRecord,
  start: number,
  attachments: Attachment[],
): TestResult {
  return {
    uuid: randomUUID(),
    historyId: createHash("md5").update(`${record.gateway.kind} ${one.id}`).digest("hex"),
    testCaseId: one.id,
    fullName: one.id,
    name: one.title,
    status: statuses[one.verdict],
    statusDetails: {
      message: one.reason ?? "",
      trace: [one.reproduce, one.curl].filter((line) => line !== undefined).join("\n"),
    },
    stage: Stage.FINISHED,
    start,
    stop: start + one.durationMs,
    labels: [
      { name: LabelName.SUITE, value: one.group },
      { name: LabelName.FEATURE, value: one.id.split("/")[0] ?? one.group },
      ...one.requirements.map((requirement) => ({ name: LabelName.TAG, value: requirement })),
    ],
    links: [],
    parameters: [{ name: "seed", value: String(one.seed), excluded: true }],
    steps: one.checks.map((check): StepResult => ({
      name: `${check.requirement}: ${check.what}`,
      status: statuses[check.verdict],
      statusDetails: { message: `expected ${check.expected}, observed ${check.observed}` },
      stage: Stage.FINISHED,
      steps: [],
      attachments: [],
      parameters: [],
    })),
    attachments,
  };
}

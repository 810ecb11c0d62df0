// junit.xml for build servers: one suite for each group, one test case for each case.
import { join } from "node:path";
import { type CampaignRecord, type CaseRecord, writeWhole } from "../record/index.ts";
import { campaignMs } from "./text/durations.ts";
import { caseText, reasonOf } from "./text/findingText.ts";
import { type Reporter, reportFiles } from "./text/reporter.ts";
import { visibleText } from "./text/visibleText.ts";

export const junitReporter: Reporter = {
  name: reportFiles.junit,
  purpose: "Build servers: one suite for each group, one test case for each case",
  write: ({ record, folder }) => writeWhole(join(folder, reportFiles.junit), junitXml(record)),
};

/** The record as JUnit XML: fail is a failure, error an error, inconclusive and not applicable are skipped. */
function junitXml(record: CampaignRecord): string {
  const groups = Map.groupBy(record.cases, (one) => one.group);
  const suites = [...groups].map(([group, cases]) => suiteXml(record, group, cases));
  const totals = attributes({
    name: `${record.suite.interface} on ${record.gateway.name}`,
    ...countsOf(record.cases),
    time: seconds(campaignMs(record)),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites.join("")}</testsuites>\n`;
}

function suiteXml(record: CampaignRecord, group: string, cases: readonly CaseRecord[]): string {
  const head = attributes({
    name: group,
    ...countsOf(cases),
    time: seconds(cases.reduce((sum, one) => sum + one.durationMs, 0)),
    timestamp: record.startedAt,
  });
  const properties = propertiesXml({
    seed: String(record.seed),
    level: record.level,
    interface: record.suite.interface,
    suite: record.suite.version,
    gateway: record.gateway.name,
    "gateway.kind": record.gateway.kind,
    "gateway.version": record.gateway.version,
    "gateway.baseUrl": record.gateway.baseUrl,
    ...(record.gateway.fault === undefined ? {} : { "gateway.fault": record.gateway.fault }),
    profile: record.profile.name,
    "profile.sha256": record.profile.sha256,
    verdict: record.summary.verdict,
    complete: String(record.complete),
  });
  return `  <testsuite${head}>\n${properties}${cases.map((one) => caseXml(one, record)).join("")}  </testsuite>\n`;
}

function propertiesXml(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(
    ([name, value]) => `      <property${attributes({ name, value })}/>\n`,
  );
  return `    <properties>\n${lines.join("")}    </properties>\n`;
}

function caseXml(one: CaseRecord, record: CampaignRecord): string {
  const head = attributes({
    classname: `rackproof.${one.group}`,
    name: one.id,
    time: seconds(one.durationMs),
  });
  return `    <testcase${head}>\n${outcomeXml(one, record)}    </testcase>\n`;
}

function outcomeXml(one: CaseRecord, { requirements }: CampaignRecord): string {
  const text = escapeXml(caseText(one, requirements));
  const type = one.reasonCode ?? one.verdict;
  switch (one.verdict) {
    case "pass":
    case "advice":
      return `      <system-out>${text}</system-out>\n`;
    case "fail":
      return `      <failure${attributes({ message: reasonOf(one), type })}>${text}</failure>\n`;
    case "error":
      return `      <error${attributes({ message: reasonOf(one), type })}>${text}</error>\n`;
    case "inconclusive":
    case "not-applicable": {
      const message = `${one.verdict === "inconclusive" ? "inconclusive" : "not applicable"}: ${reasonOf(one)}`;
      return `      <skipped${attributes({ message })}/>\n      <system-out>${text}</system-out>\n`;
    }
  }
}

function countsOf(cases: readonly CaseRecord[]): Readonly<Record<string, number>> {
  const count = (...verdicts: CaseRecord["verdict"][]): number =>
    cases.filter((one) => verdicts.includes(one.verdict)).length;
  return {
    tests: cases.length,
    failures: count("fail"),
    errors: count("error"),
    skipped: count("inconclusive", "not-applicable"),
  };
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${escapeXml(String(value)).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;")}"`,
    )
    .join("");
}

/** Text for an element or an attribute of XML 1.0. */
function escapeXml(text: string): string {
  return visibleText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

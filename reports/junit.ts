// JUnit XML, as continuous integration reads it: one suite a group, one case a case.
import { join } from "node:path";
import type { CampaignRecord, CaseRecord } from "../harness/record/campaign.ts";
import { writeWhole } from "../harness/record/store.ts";
import type { Reporter } from "./reporter.ts";

export const junitReporter: Reporter = {
  name: "junit.xml",
  write: ({ record, folder }) => writeWhole(join(folder, "junit.xml"), junitXml(record)),
};

export function junitXml(record: CampaignRecord): string {
  const byGroup = Map.groupBy(record.cases, (one) => one.group);
  const suites = [...byGroup].map(([group, cases]) => suiteXml(record, group, cases));
  const counts = attributes(countsOf(record.cases));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Core 2.3.0"${counts}>\n${suites.join("")}</testsuites>\n`;
}

function suiteXml(record: CampaignRecord, group: string, cases: readonly CaseRecord[]): string {
  const properties = {
    seed: record.seed,
    gateway: record.gateway.name,
    kind: record.gateway.kind,
    profile: record.profile.name,
  };
  const list = Object.entries(properties).map(([name, value]) => `<property${attributes({ name, value })}/>`);
  const head = attributes({
    name: group,
    ...countsOf(cases),
    time: seconds(cases.reduce((sum, one) => sum + one.durationMs, 0)),
  });
  return ` <testsuite${head}>\n  <properties>${list.join("")}</properties>\n${cases.map(caseXml).join("")} </testsuite>\n`;
}

function caseXml(one: CaseRecord): string {
  const head = attributes({
    name: one.title,
    classname: one.id.replaceAll("/", "."),
    time: seconds(one.durationMs),
  });
  const message = attributes({ message: one.reason ?? "", type: one.reasonCode ?? one.verdict });
  const text = escape(
    [one.reason, ...one.requirements, one.reproduce, one.curl]
      .filter((line) => line !== undefined)
      .join("\n"),
  );
  switch (one.verdict) {
    case "pass":
      return `  <testcase${head}/>\n`;
    case "fail":
      return `  <testcase${head}><failure${message}>${text}</failure></testcase>\n`;
    case "error":
      return `  <testcase${head}><error${message}>${text}</error></testcase>\n`;
    case "inconclusive":
    case "not-applicable":
      return `  <testcase${head}><skipped${attributes({ message: `${one.verdict}: ${one.reason ?? ""}` })}/></testcase>\n`;
  }
}

function countsOf(cases: readonly CaseRecord[]): Record<string, number> {
  const count = (...verdicts: string[]): number =>
    cases.filter((one) => verdicts.includes(one.verdict)).length;
  return {
    tests: cases.length,
    failures: count("fail"),
    errors: count("error"),
    skipped: count("inconclusive", "not-applicable"),
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join("");
}

/** XML 1.0 has no place for most control characters, escaped or not; they are shown as a replacement. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

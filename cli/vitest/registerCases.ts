// Registers cases as Vitest tests; one campaign runs those that Vitest selected, and each test awaits its case's record.
/* oxlint-disable vitest/valid-title, vitest/expect-expect, no-empty-pattern -- titles and checks are those of the cases; Vitest demands a pattern */
import { afterAll, beforeAll, describe, test } from "vitest";
import { inOrder, select, shapeCases } from "../../harness/index.ts";
import { requirements } from "../../interface/requirements/index.ts";
import type { CaseRecord } from "../../record/index.ts";
import { caseText, reasonOf } from "../../reports/text/findingText.ts";
import { suite } from "../../suites/index.ts";
import { AwaitedCampaign } from "./awaitedCampaign.ts";
import type { ConformanceOptions } from "./index.ts";

/** The campaign has its own time limits. */
const unlimited = 0;

/** Throws a UsageError for a selection that matches no case. */
export function registerCases(options: ConformanceOptions): void {
  const selected = select(suite, options.select ?? "");
  // The order of the campaign, in which a test seldom waits for a case that runs later.
  const ordered = inOrder(selected);
  const tests = [
    ...ordered.filter(({ load }) => load !== true),
    ...ordered.filter(({ load }) => load === true),
    ...shapeCases.map(({ id, operation }) => ({
      id,
      title: `Answers of ${operation} have the stated shape`,
    })),
  ];
  describe(options.name ?? "Core 2.3.0", () => {
    const names = new Map(tests.map(({ id, title }) => [`${id}: ${title}`, id]));
    let campaign: AwaitedCampaign | undefined;

    beforeAll(async ({}, group) => {
      const chosen = group.tasks.flatMap((task) => (task.mode === "run" ? (names.get(task.name) ?? []) : []));
      const cases = selected.filter(({ id }) => chosen.includes(id));
      // Shape tests alone need the responses of other cases.
      campaign = await AwaitedCampaign.start(options, cases.length === 0 ? selected : cases, chosen);
    }, unlimited);

    afterAll(() => campaign?.end(), unlimited);

    for (const [name, id] of names) {
      test(name, { timeout: unlimited }, async (context) => {
        const record = await campaign?.recordOf(id, context.signal);
        if (record === undefined) return context.skip("no answer of this operation was observed in this run");
        const { verdict, durationMs } = record;
        context.task.meta.rackproof = { case: id, requirements: record.requirements, verdict, durationMs };
        if (verdict === "not-applicable") context.skip(record.reason ?? "not applicable");
        if (verdict === "advice") await context.annotate(caseText(record, requirements), "advice");
        else if (verdict !== "pass") throw notPassed(record);
      });
    }
  });
}

const errorNames: Readonly<Partial<Record<CaseRecord["verdict"], string>>> = {
  fail: "Failed",
  inconclusive: "Inconclusive",
  error: "Error of the harness or the rig",
};

/** An error with the text of the report and without a stack, which would show rackproof's own code. */
function notPassed(record: CaseRecord): Error {
  const error = new Error(`${reasonOf(record)}\n\n${caseText(record, requirements)}`);
  error.name = errorNames[record.verdict] ?? error.name;
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

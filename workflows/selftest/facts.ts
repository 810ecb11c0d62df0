// The calls and checks of each case on the fault-free gateway, and those missing against the baseline.
import { readFile, writeFile } from "node:fs/promises";
import { checker } from "../../interface/schema/validate.ts";
import { type CampaignRecord, type CaseFacts, SuiteFacts } from "../../record/index.ts";

/** Facts of a campaign on the fault-free gateway; `operationsOf`: the calls of each case. */
export function factsOf(
  record: CampaignRecord,
  operationsOf: (caseId: string) => readonly string[],
): SuiteFacts {
  const cases = record.cases.map(({ id, durationMs, checks }): CaseFacts => ({
    id,
    durationMs: Math.round(durationMs),
    operations: [...new Set(operationsOf(id))],
    checks: [
      ...new Set(
        checks.filter(({ verdict }) => verdict !== "not-applicable").map(({ requirement }) => requirement),
      ),
    ],
  }));
  return { level: record.level, cases: cases.toSorted((a, b) => a.id.localeCompare(b.id)) };
}

/** Reads stored facts; throws an Error that names the mistake of the file. */
export async function readFacts(file: URL): Promise<SuiteFacts> {
  const facts: unknown = JSON.parse(await readFile(file, "utf8"));
  const problem = checker(SuiteFacts)(facts)[0];
  if (problem !== undefined)
    throw new Error(
      `${file.pathname}${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  return facts as SuiteFacts;
}

/** Stores facts as the next baseline, a case a line, for readable differences. */
export async function writeFacts(file: URL, { level, cases }: SuiteFacts): Promise<void> {
  const lines = cases.map((one) => `  ${JSON.stringify(one)}`).join(",\n");
  await writeFile(file, `{ "level": ${JSON.stringify(level)}, "cases": [\n${lines}\n] }\n`);
}

/** Checks of the baseline that are no longer made: no change of the suite removes one unnoticed. */
export function fallenSilent(before: SuiteFacts, now: SuiteFacts): string[] {
  const present = new Map(now.cases.map((facts) => [facts.id, facts]));
  return before.cases.flatMap(({ id, checks }) => {
    const facts = present.get(id);
    if (facts === undefined) return checks.length === 0 ? [] : [`${id} is no longer run`];
    return checks
      .filter((requirement) => !facts.checks.includes(requirement))
      .map((requirement) => `${id} no longer checks ${requirement}`);
  });
}

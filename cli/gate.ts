// `rackproof gate`: decides whether a firmware may be released: one exit code and one page of reasons.
import { join } from "node:path";
import { gateMarkdown } from "../reports/gate/gateMarkdown.ts";
import { gatePage } from "../reports/gate/gatePage.ts";
import { gateSubject, gateTitle } from "../reports/gate/gateText.ts";
import { oneLine } from "../reports/text/visibleText.ts";
import { gate } from "../workflows/gate/gate.ts";
import { readGatePolicy, withDefaults } from "../workflows/gate/policy.ts";
import { type GateResult, writeWhole } from "../record/index.ts";
import { readExpectedFailures } from "../workflows/expectedFailures/expectedFailures.ts";
import { expectedNow } from "./support/expectedNow.ts";
import { knownCases } from "./support/knownCases.ts";
import { readStoredRun } from "./support/storedRun.ts";

export interface GateOptions {
  readonly baseline?: readonly string[];
  readonly policy?: string;
  readonly expectedFailures?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Returns the exit code: 0 release, 1 hold, 3 inconclusive. */
export async function gateRuns(runs: readonly string[], options: GateOptions): Promise<number> {
  const candidate = await Promise.all(runs.map(readStoredRun));
  // A record of another release may contain cases that this one no longer has.
  const cases = [...knownCases, ...candidate.flatMap((record) => record.cases)];
  const policy =
    options.policy === undefined ? withDefaults({}) : await readGatePolicy(options.policy, cases);
  const listed =
    options.expectedFailures === undefined ? [] : await readExpectedFailures(options.expectedFailures, cases);
  const baseline = await Promise.all((options.baseline ?? []).map(readStoredRun));
  const expectedFailures = expectedNow([...policy.expectedFailures, ...listed]);
  const result = gate(candidate, baseline, { ...policy, expectedFailures });
  const folder = options.out ?? runs[0] ?? ".";
  const page = join(folder, "gate.html");
  await writeWhole(page, gatePage(result));
  await writeWhole(join(folder, "gate.md"), gateMarkdown(result));
  process.stdout.write(options.json === true ? `${JSON.stringify(result)}\n` : gateLines(result, page));
  return { release: 0, hold: 1, undecided: 3 }[result.verdict];
}

function gateLines(result: GateResult, page: string): string {
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${oneLine(line)}`)];
  return [
    gateTitle(result),
    oneLine(gateSubject(result)),
    ...part(
      "Reasons",
      result.reasons.map((one) => one.text),
    ),
    ...part(
      "Inconclusive",
      result.open.map((one) => one.text),
    ),
    ...part("Notes", result.notes),
    "",
    page,
    "",
  ].join("\n");
}

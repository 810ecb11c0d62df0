// Compares the verdicts of two runs, requirement by requirement and case by case: for runs of one suite on gateways that
// ought to behave alike, such as emulated ones with different processors. Exit code 1 when a verdict differs.
import { readCampaign } from "../record/index.ts";

const [first, second] = process.argv.slice(2);
if (first === undefined || second === undefined)
  throw new Error("usage: node tools/compareVerdicts.ts <folder of a run> <folder of another run>");

interface Judged {
  readonly id: string;
  readonly verdict: string;
}

/** Prints how many verdicts of each kind agree, and every one that differs; answers the number of these. */
function compare(what: string, left: readonly Judged[], right: readonly Judged[]): number {
  const others = new Map(right.map(({ id, verdict }) => [id, verdict]));
  const ids = new Set([...left, ...right].map(({ id }) => id));
  const verdicts = new Map(left.map(({ id, verdict }) => [id, verdict]));
  const rows = [...ids].map((id) => ({
    id,
    here: verdicts.get(id) ?? "absent",
    there: others.get(id) ?? "absent",
  }));
  const same = Map.groupBy(
    rows.filter(({ here, there }) => here === there),
    ({ here }) => here,
  );
  const different = rows.filter(({ here, there }) => here !== there);
  console.log(`${what}: ${rows.length}`);
  for (const [verdict, { length }] of same) console.log(`  ${verdict.padEnd(16)} in both: ${length}`);
  for (const { id, here, there } of different) console.log(`  ${id}: ${here} | ${there}`);
  console.log(`  different: ${different.length}`);
  return different.length;
}

const [a, b] = [await readCampaign(first), await readCampaign(second)];
const differences =
  compare("requirements", a.requirements, b.requirements) + compare("cases", a.cases, b.cases);
process.exitCode = differences === 0 ? 0 : 1;

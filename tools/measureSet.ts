// Writes what a frozen set detects and observes: from a self-test over all faults, and a run of the set's cases over the
// reference gateway. The certificate shows the summary.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readCampaign, type SelfTestRecord } from "../record/index.ts";
import { readFrozenSet } from "../workflows/release/requirementSet.ts";
import { measureSet, setQualityFile } from "../workflows/release/setQuality.ts";

const [name = "", selfTestFolder, runFolder] = process.argv.slice(2);
const frozen = readFrozenSet(name);
if (frozen === undefined || selfTestFolder === undefined)
  throw new Error("usage: node tools/measureSet.ts <set> <folder of a self-test> <folder of a run>");
if (runFolder === undefined) {
  // The run that is needed: the cases of the set, by the program that starts it.
  console.log(`rackproof run process --select '${frozen.set.cases.map(({ id }) => id).join(",")}'`);
} else {
  const selfTest = JSON.parse(
    await readFile(join(selfTestFolder, "selftest.json"), "utf8"),
  ) as SelfTestRecord;
  const { matrix, ...head } = measureSet(frozen, selfTest, await readCampaign(runFolder));
  // A fault a line, for readable differences.
  const rows = matrix.map((row) => `  ${JSON.stringify(row)}`).join(",\n");
  await writeFile(
    setQualityFile(name),
    `${JSON.stringify(head, null, 1).slice(0, -2)},\n "matrix": [\n${rows}\n ]\n}\n`,
  );
  const { detected, injected, coverage } = head.summary;
  console.log(
    `set ${name}: ${detected} of ${injected} faults, ${coverage.observed} of ${coverage.all} cells`,
  );
}

// `--select`: case ids, requirement ids, group names and tags; commas join, `!` leaves out, `*` stands for anything.
import { fitsPattern } from "../document/wildcard.ts";
import { UsageError } from "../errors.ts";
import type { TestCase } from "../suite/case.ts";

/** The cases that the expression names; all of them for an empty one. Throws UsageError for a word that fits none. */
export function select(cases: readonly TestCase[], expression: string): TestCase[] {
  const words = expression
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const wanted = words.filter((word) => !word.startsWith("!"));
  const unwanted = words.filter((word) => word.startsWith("!")).map((word) => word.slice(1));
  for (const word of [...wanted, ...unwanted]) {
    if (!cases.some((testCase) => fits(testCase, word))) {
      throw new UsageError(
        "SELECT_NOTHING",
        `--select ${word}: no case, requirement, group or tag of this name; "rackproof list cases" shows what there is`,
      );
    }
  }
  return cases.filter(
    (testCase) =>
      (wanted.length === 0 || wanted.some((word) => fits(testCase, word))) &&
      !unwanted.some((word) => fits(testCase, word)),
  );
}

function fits(testCase: TestCase, word: string): boolean {
  const names = [
    testCase.id,
    testCase.group,
    testCase.effect,
    testCase.id.split("/")[0] ?? "",
    ...testCase.requirements,
    ...(testCase.tags ?? []),
  ];
  return names.some((name) => fitsPattern(name, word));
}

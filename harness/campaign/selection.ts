// `--select`: case ids, requirement ids, group names and tags; commas join, `!` excludes, `*` matches any characters.
import { nearest } from "../document/nearest.ts";
import { fitsPattern } from "../document/wildcard.ts";
import { UsageError } from "../../record/index.ts";
import type { TestCase } from "../suite/case.ts";

/** The cases that the expression names; all of them for an empty one. Throws UsageError for a word that matches none. */
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
        `--select ${word}: unknown case, requirement, group or tag${suggestion(word, cases)}`,
      );
    }
  }
  return cases.filter(
    (testCase) =>
      (wanted.length === 0 || wanted.some((word) => fits(testCase, word))) &&
      !unwanted.some((word) => fits(testCase, word)),
  );
}

function suggestion(word: string, cases: readonly TestCase[]): string {
  const similar = nearest(word, [...new Set(cases.flatMap(namesOf))]);
  return similar === undefined ? "" : `; did you mean ${similar}?`;
}

function fits(testCase: TestCase, word: string): boolean {
  return namesOf(testCase).some((name) => fitsPattern(name, word));
}

function namesOf(testCase: TestCase): string[] {
  return [
    testCase.id,
    testCase.group,
    testCase.effect,
    testCase.id.split("/")[0] ?? "",
    ...testCase.requirements,
    ...(testCase.tags ?? []),
  ];
}

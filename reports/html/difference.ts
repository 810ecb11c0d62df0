// Where two texts differ, for expected and observed side by side.
import { diffChars, diffWordsWithSpace } from "diff";
import { html, type Html } from "../markup/template.ts";

/** A difference in longer texts takes long to find and helps nobody. */
const mostCharacters = 2000;
/** Single values up to this length, both together, are compared by their characters. */
const longestWords = 120;
const mostEdits = 60;
/** Two texts with less in common are two statements, and marking nearly all of them shows nothing. */
const leastInCommon = 0.4;

/** Both texts, with what only one of them has marked; unmarked where they have too little in common. */
export function marked(expected: string, observed: string): { expected: Insertable; observed: Insertable } {
  if (expected === observed || expected.length + observed.length > mostCharacters)
    return { expected, observed };
  const parts = partsOf(expected, observed);
  if (parts === undefined) return { expected, observed };
  const common = parts
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0);
  if (common < leastInCommon * Math.max(expected.length, observed.length)) return { expected, observed };
  return {
    expected: parts.flatMap(({ added, removed, value }) =>
      added ? [] : [removed ? html`<del>${value}</del>` : value],
    ),
    observed: parts.flatMap(({ added, removed, value }) =>
      removed ? [] : [added ? html`<ins>${value}</ins>` : value],
    ),
  };
}

/** Undefined when there are more differences than anybody would look at. */
function partsOf(expected: string, observed: string) {
  const isShortWord = !/\s/.test(expected + observed) && expected.length + observed.length <= longestWords;
  return isShortWord
    ? diffChars(expected, observed, { maxEditLength: mostEdits })
    : diffWordsWithSpace(expected, observed, { maxEditLength: mostEdits });
}

type Insertable = string | readonly (string | Html)[];

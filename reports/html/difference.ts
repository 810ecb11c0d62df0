// Marks the differences between expected and observed texts.
import { diffChars, diffWordsWithSpace } from "diff";
import { html, type Html } from "../markup/template.ts";

/** Longer texts are not compared: it takes long and the result is unreadable. */
const mostCharacters = 2000;
/** Single values up to this total length are compared by characters. */
const longestWords = 120;
const mostEdits = 60;
/** Texts with less in common are not marked: nearly all of both would be marked. */
const leastInCommon = 0.4;

/** Both texts with their differences marked; unmarked where they have too little in common. */
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

/** Undefined when there are too many differences to read. */
function partsOf(expected: string, observed: string) {
  const isShortWord = !/\s/.test(expected + observed) && expected.length + observed.length <= longestWords;
  return isShortWord
    ? diffChars(expected, observed, { maxEditLength: mostEdits })
    : diffWordsWithSpace(expected, observed, { maxEditLength: mostEdits });
}

type Insertable = string | readonly (string | Html)[];

/** The candidate that is most similar to a mistyped word; undefined when none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  // More edits than this, and the candidate is another word.
  const limit = Math.max(2, Math.floor(word.length / 3));
  let best: string | undefined;
  let fewest = limit + 1;
  for (const candidate of candidates) {
    const count = edits(word.toLowerCase(), candidate.toLowerCase());
    if (count < fewest) [best, fewest] = [candidate, count];
  }
  return best;
}

/** Levenshtein distance: insertions, deletions and replacements that turn one word into the other. */
function edits(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 0; row < from.length; row++) {
    const current = [row + 1];
    for (let column = 1; column <= to.length; column++) {
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (from[row] === to[column - 1] ? 0 : 1),
        ),
      );
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

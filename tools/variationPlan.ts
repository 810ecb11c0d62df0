// Which variations are shown together: every one of them once, in combinations that leave each other visible.
import { seededRandom } from "../harness/suite/random.ts";
import { clashOf, type VariationId } from "../alterations/variations/index.ts";

const isAbsence = (id: VariationId): boolean => id.startsWith("without-");

/** Shares the variations out by the seed: each is in one combination of at most `most`, and none excludes another. */
export function combine(ids: readonly VariationId[], seed: number, most: number): VariationId[][] {
  const random = seededRandom(seed, "variations");
  const count = Math.ceil(ids.length / most);
  // What is absent hides what other variations change about it, so that absences are shared out evenly.
  const mostAbsent = Math.ceil(ids.filter(isAbsence).length / count);
  const combinations: VariationId[][] = Array.from({ length: count }, () => []);
  for (const id of random.shuffle(ids)) {
    const open = combinations.filter((combination) => fits(combination, id, mostAbsent));
    const smallest = open.toSorted((a, b) => a.length - b.length)[0];
    if (smallest === undefined) combinations.push([id]);
    else smallest.push(id);
  }
  return combinations;
}

function fits(combination: readonly VariationId[], id: VariationId, mostAbsent: number): boolean {
  if (isAbsence(id) && combination.filter(isAbsence).length >= mostAbsent) return false;
  return clashOf([...combination, id]) === undefined;
}

// Sequences by seed: the same seed, the same sequence.
import fc from "fast-check";
import { refusals } from "../../interface/behaviour/refusals.ts";
import type { Profile } from "../../harness/index.ts";
import { accountRecipes } from "./accountRecipes.ts";
import { isUsable } from "./connectedGateway.ts";
import { eventRecipes } from "./eventRecipes.ts";
import { type Choices, type Common, Memory, type Recipe } from "./recipe.ts";
import { settingRecipes } from "./settingRecipes.ts";
import type { Step } from "./step.ts";
import { tagRecipes } from "./tagRecipes.ts";

/** Percentage of steps with one wrong input. */
const percentRefused = 6;

/** Recipes by area; a sequence draws from some of the areas, which combines related steps more often. */
export type Recipes = readonly (readonly Recipe[])[];

/** All recipes for sequences on two gateways with these profiles. */
export function recipesFor(common: Common, profiles: readonly Profile[]): Recipes {
  const isShared = ({ operation, needs = [] }: Recipe): boolean =>
    [operation, ...needs].every((id) => profiles.every((profile) => isUsable(id, profile)));
  const areas = [accountRecipes(common), settingRecipes(common), eventRecipes, tagRecipes];
  return areas.map((area) => area.filter(isShared)).filter((area) => area.length > 0);
}

/** Uniform numbers: here they represent choices. */
const evenly = (min: number, max: number): fc.Arbitrary<number> => fc.noBias(fc.integer({ min, max }));

/** A sequence of up to `length` steps, then one reading of everything that the steps touched. */
export function generateSequence(areas: Recipes, seed: number, length: number): Step[] {
  const sequence = fc.gen().map((generate) => {
    const choose: Choices = {
      integer: (min, max) => generate(evenly, min, max),
      pick: (items) => items[generate(evenly, 0, items.length - 1)] as (typeof items)[number],
      some: (items) => items.filter(() => generate(fc.boolean)),
      chance: (percent) => generate(evenly, 0, 99) < percent,
    };
    const memory = new Memory();
    const chosen = choose.some(areas);
    const recipes = (chosen.length === 0 ? areas : chosen).flat();
    const steps = Array.from({ length }, () => makeStep(recipes, choose, memory));
    return [...steps, ...lastLook(recipes, steps)];
  });
  return fc.sample(sequence, { seed, numRuns: 1 })[0] ?? [];
}

function makeStep(recipes: readonly Recipe[], choose: Choices, memory: Memory): Step {
  const ready = recipes.filter((recipe) => recipe.isReady?.(memory) ?? true);
  let place = choose.integer(0, ready.reduce((sum, { weight }) => sum + weight, 0) - 1);
  const chosen = ready.find(({ weight }) => (place -= weight) < 0) ?? ready[0];
  if (chosen === undefined) throw new Error("the gateways have no operation in common");
  return choose.chance(percentRefused) ? makeWrong(chosen, choose, memory) : chosen.make(choose, memory);
}

/** A step with one thing wrong, where the interface states that it is rejected. */
function makeWrong(recipe: Recipe, choose: Choices, memory: Memory): Step {
  const step = recipe.make(choose, memory);
  const fitting = refusals.filter(({ operation }) => operation === step.operation);
  if (fitting.length === 0 || step.by !== undefined) return step;
  const { part, field, requirement, ...rest } = choose.pick(fitting);
  const { [field]: _right, ...others } = step[part] ?? {};
  return {
    ...step,
    [part]: { ...others, ...("value" in rest ? { [field]: rest.value } : {}) },
    refusedBy: requirement,
  };
}

/** Recipes that need no thing and change none show the effect of all earlier steps. */
function lastLook(recipes: readonly Recipe[], steps: readonly Step[]): Step[] {
  const used = new Set(steps.map(({ operation }) => operation));
  return recipes.flatMap((recipe) =>
    recipe.lastLookAfter?.some((operation) => used.has(operation)) === true && recipe.isReady === undefined
      ? [{ operation: recipe.operation }]
      : [],
  );
}

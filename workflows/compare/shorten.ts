// Reduces a long sequence with a difference to the shortest that still shows it.
import { isOperationId, operation } from "../../interface/operations/index.ts";
import { asReference, labelsNeeded, type Step } from "./step.ts";

/** Answers whether the steps still show the difference. */
export type StillShows = (steps: readonly Step[]) => Promise<boolean>;

/**
 * Removes steps, then inputs, while the difference remains: in the result no single step and no single optional input
 * can be omitted. Ends after `mostTries` attempts with the shortest so far.
 */
export async function shorten(
  steps: readonly Step[],
  stillShows: StillShows,
  mostTries: number,
): Promise<Step[]> {
  let triesLeft = mostTries;
  const attempt = async (candidate: readonly Step[]): Promise<boolean> => {
    if (triesLeft <= 0 || candidate.length === 0) return false;
    triesLeft -= 1;
    return stillShows(candidate);
  };
  let shortest = await withoutGroups([...steps], attempt);
  shortest = await withoutSteps(shortest, attempt);
  shortest = await withoutInputs(shortest, attempt);
  // A step may become useless when the inputs that named its result are removed.
  return withoutSteps(shortest, attempt);
}

/** Most differences concern few groups of operations: whole groups are removed first. */
async function withoutGroups(steps: Step[], attempt: StillShows): Promise<Step[]> {
  let kept = steps;
  for (const group of new Set(steps.map(groupOf))) {
    const candidate = runnable(kept.filter((step) => groupOf(step) !== group));
    if (candidate.length < kept.length && (await attempt(candidate))) kept = candidate;
  }
  return kept;
}

function groupOf({ operation: id }: Step): string {
  return isOperationId(id) ? operation(id).group : "extension";
}

async function withoutSteps(steps: Step[], attempt: StillShows): Promise<Step[]> {
  let kept = runnable(steps);
  let size = Math.max(1, Math.floor(kept.length / 2));
  for (;;) {
    const before = kept.length;
    // From the back: later steps depend on earlier ones, not the other way round.
    for (let end = kept.length; end > 0; end -= size) {
      const start = Math.max(0, end - size);
      const candidate = runnable([...kept.slice(0, start), ...kept.slice(end)]);
      if (candidate.length < kept.length && (await attempt(candidate))) {
        kept = candidate;
        end = Math.min(end, kept.length + size);
      }
    }
    if (size > 1) size = Math.floor(size / 2);
    else if (kept.length === before) return kept;
  }
}

/** The steps without those that name a thing which no earlier step made. */
function runnable(steps: readonly Step[]): Step[] {
  const made = new Set<string>();
  return steps.filter((step) => {
    if ([...labelsNeeded(step)].some((label) => !made.has(label))) return false;
    if (step.as !== undefined) made.add(step.as);
    return true;
  });
}

async function withoutInputs(steps: readonly Step[], attempt: StillShows): Promise<Step[]> {
  let kept = [...steps];
  for (let index = kept.length - 1; index >= 0; index--) {
    const step = kept[index];
    for (const simpler of step === undefined ? [] : simplerSteps(step)) {
      const present = kept[index];
      if (present === undefined) break;
      const merged = simpler(present);
      if (merged === undefined) continue;
      const candidate = kept.with(index, merged);
      if (await attempt(candidate)) kept = candidate;
    }
  }
  return kept;
}

/** Ways to make a step smaller; each is applied to the result of the earlier ones. */
function simplerSteps(step: Step): ((present: Step) => Step | undefined)[] {
  return (["json", "query"] as const).flatMap((part) =>
    Object.entries(step[part] ?? {}).flatMap(([field, value]) => {
      const ways: ((present: Step) => Step | undefined)[] = [];
      // Inputs with names of this play exclude things of other plays from the answer.
      if (!isRequired(step.operation, part, field) && !namesThisPlay(value))
        ways.push((present) => without(present, part, field));
      if (Array.isArray(value)) {
        for (const item of value) ways.push((present) => withoutItem(present, part, field, item));
      }
      return ways;
    }),
  );
}

function namesThisPlay(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesThisPlay);
  const reference = asReference(value);
  return reference !== undefined && "$name" in reference;
}

function isRequired(id: string, part: "json" | "query", field: string): boolean {
  const schema = isOperationId(id) ? operation(id)[part] : undefined;
  const required: unknown = (schema as { required?: unknown } | undefined)?.required;
  return Array.isArray(required) && required.includes(field);
}

function without(step: Step, part: "json" | "query", field: string): Step | undefined {
  const { [field]: gone, ...others } = step[part] ?? {};
  return gone === undefined ? undefined : { ...step, [part]: others };
}

function withoutItem(step: Step, part: "json" | "query", field: string, item: unknown): Step | undefined {
  const items: unknown = step[part]?.[field];
  if (!Array.isArray(items) || !items.includes(item)) return undefined;
  return { ...step, [part]: { ...step[part], [field]: items.filter((one) => one !== item) } };
}

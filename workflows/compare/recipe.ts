// What a generated sequence is made of: recipes for single steps, and what they have to know of the steps before.
import type { TagDataType } from "../../interface/resources/tags.ts";
import type { CallId } from "../../interface/binding.ts";
import type { Step } from "./step.ts";

/** Choices of one sequence; every one of them comes from the seed. */
export interface Choices {
  integer(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** Each of the items or not, in their order. */
  some<T>(items: readonly T[]): T[];
  /** True in so many of a hundred cases. */
  chance(percent: number): boolean;
}

export interface RememberedUser {
  readonly label: string;
  /** Every password that was given to the user, the present one last. */
  readonly passwords: string[];
  /** Attempts to sign in so far; a gateway may lock a name after some that failed. */
  signIns: number;
}

export interface RememberedTag {
  readonly label: string;
  dataType: TagDataType;
}

/** What the steps so far made. */
export class Memory {
  readonly roles: string[] = [];
  readonly users: RememberedUser[] = [];
  readonly sessions: string[] = [];
  readonly tags: RememberedTag[] = [];
  readonly jobs: string[] = [];
  readonly files: string[] = [];
  events = 0;
  readonly #counts = new Map<string, number>();

  /** A label that no step has yet: `user1`, `user2`... */
  fresh(kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return `${kind}${count}`;
  }
}

export interface Recipe {
  readonly operation: CallId;
  /** How often it is chosen, beside the others that are ready. */
  readonly weight: number;
  /** Other operations that both gateways must serve. */
  readonly needs?: readonly CallId[];
  /** Once one of these was in a sequence, the step is also put at its end. It must need no inputs. */
  readonly lastLookAfter?: readonly CallId[];
  isReady?(memory: Memory): boolean;
  make(choose: Choices, memory: Memory): Step;
}

/** What both gateways have that a recipe may use. */
export interface Common {
  readonly permissions: readonly string[];
  readonly services: readonly string[];
}

/** Inputs of which each is sent or not, and at least one is. */
export function someOf(choose: Choices, inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = Object.keys(inputs);
  const chosen = choose.some(names);
  const kept = chosen.length === 0 ? [choose.pick(names)] : chosen;
  return Object.fromEntries(kept.map((name) => [name, inputs[name]]));
}

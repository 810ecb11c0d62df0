// Parts of a generated sequence: recipes for single steps, and the state that they need from earlier steps.
import type { TagDataType } from "../../interface/resources/tags.ts";
import type { CallId } from "../../interface/binding.ts";
import type { Step } from "./step.ts";

/** Choices of one sequence; every one of them comes from the seed. */
export interface Choices {
  integer(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** Each of the items or not, in their order. */
  some<T>(items: readonly T[]): T[];
  /** True in this percentage of cases. */
  chance(percent: number): boolean;
}

export interface RememberedUser {
  readonly label: string;
  /** Every password that was given to the user, the present one last. */
  readonly passwords: string[];
  /** Attempts to sign in so far; a gateway may lock a name after some failures. */
  signIns: number;
}

export interface RememberedTag {
  readonly label: string;
  dataType: TagDataType;
}

/** Things made by the steps so far. */
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
  /** Relative frequency among the recipes that are ready. */
  readonly weight: number;
  /** Other operations that both gateways must serve. */
  readonly needs?: readonly CallId[];
  /** Once one of these was in a sequence, the step is also put at its end. It must need no inputs. */
  readonly lastLookAfter?: readonly CallId[];
  isReady?(memory: Memory): boolean;
  make(choose: Choices, memory: Memory): Step;
}

/** Properties of both gateways that a recipe may use. */
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

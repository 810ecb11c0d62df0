// Whether a history of one register has an order in which every read returns the last write before it, with every
// operation between its call and its answer (linearisability). The search tries the operations that may come next and
// remembers visited states, after Wing and Gong, and Lowe.
import type { History, RegisterOperation } from "./history.ts";

/** The order found, or the operations without one. */
export type Explanation =
  | { readonly isExplained: true; readonly order: History }
  | { readonly isExplained: false; readonly conflict: History };

/** Searches for an order; `initial` is the value of the register before the first operation. */
export function explain(history: History, initial: string): Explanation {
  const order = new Search(history, initial).run();
  return order === undefined
    ? { isExplained: false, conflict: smallestConflict(history, initial) }
    : { isExplained: true, order };
}

class Search {
  readonly #operations: History;
  readonly #initial: string;
  /** Dead ends: operations done and value of the register. */
  readonly #dead = new Set<string>();
  readonly #order: RegisterOperation[] = [];
  readonly #isDone: boolean[];

  constructor(history: History, initial: string) {
    this.#operations = history.toSorted((a, b) => a.calledMs - b.calledMs);
    this.#initial = initial;
    this.#isDone = this.#operations.map(() => false);
  }

  run(): History | undefined {
    return this.#from(0n, this.#initial) ? this.#order : undefined;
  }

  #from(done: bigint, value: string): boolean {
    const next = this.#mayComeNext();
    // The remaining operations had no answer and may never have happened.
    if (!this.#isAnyAnsweredLeft()) return true;
    const place = `${done.toString(36)} ${value}`;
    if (this.#dead.has(place)) return false;
    // A read of the current value may come next at once: a later place gives no further option.
    const read = next.find((index) => this.#at(index).kind === "read" && this.#at(index).value === value);
    const choices = read === undefined ? next.filter((index) => this.#at(index).kind === "write") : [read];
    for (const index of choices) {
      const operation = this.#at(index);
      this.#isDone[index] = true;
      this.#order.push(operation);
      if (this.#from(done | (1n << BigInt(index)), operation.value)) return true;
      this.#order.pop();
      this.#isDone[index] = false;
    }
    this.#dead.add(place);
    return false;
  }

  /** Operations called before the first answer of any remaining one. */
  #mayComeNext(): number[] {
    let earliestAnswerMs = Number.POSITIVE_INFINITY;
    const candidates: number[] = [];
    for (const [index, operation] of this.#operations.entries()) {
      if (this.#isDone[index] === true) continue;
      if (operation.calledMs > earliestAnswerMs) break;
      candidates.push(index);
      earliestAnswerMs = Math.min(earliestAnswerMs, operation.returnedMs);
    }
    return candidates.filter((index) => this.#at(index).calledMs <= earliestAnswerMs);
  }

  #isAnyAnsweredLeft(): boolean {
    return this.#operations.some(
      (operation, index) => this.#isDone[index] !== true && Number.isFinite(operation.returnedMs),
    );
  }

  #at(index: number): RegisterOperation {
    const operation = this.#operations[index];
    if (operation === undefined) throw new RangeError(`there is no operation ${index}`);
    return operation;
  }
}

/**
 * A part of the history without an order: reads are removed while the rest has no order, then writes whose value no
 * remaining read has returned.
 */
function smallestConflict(history: History, initial: string): History {
  let kept = [...history].toSorted((a, b) => a.calledMs - b.calledMs);
  const canDo = (without: History): boolean => new Search(without, initial).run() !== undefined;
  for (const kind of ["read", "write"] as const) {
    for (const operation of kept.toReversed()) {
      if (operation.kind !== kind) continue;
      const isSeen = kept.some((other) => other.kind === "read" && other.value === operation.value);
      if (kind === "write" && isSeen) continue;
      const without = kept.filter((other) => other !== operation);
      if (!canDo(without)) kept = without;
    }
  }
  return kept;
}

// Order and overlap of cases: mild side effects first, and only cases that cannot disturb one another at the same time.
import { sideEffects } from "../../interface/operations/operation.ts";
import type { StateDomain, TestCase } from "../suite/case.ts";

/** Effects that make a gateway unavailable for a while: such cases run alone on it. */
export function isDisruptive(testCase: TestCase): boolean {
  return (
    testCase.effect === "reboots" || testCase.effect === "resets" || testCase.effect === "changes-firmware"
  );
}

/**
 * Cases in the order of their side effects; within one, those first that take long by what they measure, then those that
 * may keep the most others waiting the longest, otherwise the order of the suite.
 */
export function inOrder(cases: readonly TestCase[]): TestCase[] {
  const heldUpMs = new Map(cases.map((one) => [one, longestHoldUpMs(one, cases)]));
  return cases.toSorted(
    (a, b) =>
      sideEffects.indexOf(a.effect) - sideEffects.indexOf(b.effect) ||
      (b.leastMs ?? 0) - (a.leastMs ?? 0) ||
      (heldUpMs.get(b) ?? 0) - (heldUpMs.get(a) ?? 0),
  );
}

/** The deadlines of the case and of all that cannot run beside it; a case without one of its own is short. */
function longestHoldUpMs(testCase: TestCase, cases: readonly TestCase[]): number {
  return cases
    .filter((other) => other === testCase || (other.effect === testCase.effect && conflict(testCase, other)))
    .reduce((sum, { deadlineMs = 0 }) => sum + deadlineMs, 0);
}

/** Hands out cases so that at no time two of them conflict on the same gateway. */
export class Lane {
  readonly #running = new Set<TestCase>();
  readonly #limit: number;

  readonly #suits: (testCase: TestCase) => boolean;

  /**
   * `limit`: how many cases may run at the same time on one gateway. `suits`: whether this gateway can run a case;
   * other cases remain in the queue.
   */
  constructor(limit: number, suits: (testCase: TestCase) => boolean = () => true) {
    this.#limit = limit;
    this.#suits = suits;
  }

  /** Takes the next case that may start now out of the queue, if there is one. */
  take(queue: TestCase[]): TestCase | undefined {
    if (this.#running.size >= this.#limit) return undefined;
    const first = queue.find((candidate) => this.#suits(candidate));
    if (first === undefined) return undefined;
    // Only cases of the same effect class may overtake, which preserves the order of side effects.
    const index = queue.findIndex(
      (candidate) => candidate.effect === first.effect && this.#suits(candidate) && this.#mayStart(candidate),
    );
    if (index < 0) return undefined;
    const [taken] = queue.splice(index, 1);
    if (taken !== undefined) this.#running.add(taken);
    return taken;
  }

  done(testCase: TestCase): void {
    this.#running.delete(testCase);
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  #mayStart(candidate: TestCase): boolean {
    for (const other of this.#running) if (conflict(candidate, other)) return false;
    return true;
  }
}

export function conflict(a: TestCase, b: TestCase): boolean {
  if (a.alone === true || b.alone === true || isDisruptive(a) || isDisruptive(b)) return true;
  if (a.effect !== b.effect) return true;
  return changesFor(a, b) || changesFor(b, a);
}

/** Whether the first changes what the second changes or relies on. */
function changesFor({ touches }: TestCase, other: TestCase): boolean {
  const concerns: readonly StateDomain[] = [...other.touches, ...(other.reliesOn ?? [])];
  return touches.some((domain) => domain === "everything" || concerns.includes(domain));
}

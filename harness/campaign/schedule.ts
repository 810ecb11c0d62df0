// What runs when: one schedule for all gateways of a run, so that no case disturbs another.
import type { TestCase } from "../suite/case.ts";
import { conflict, inOrder, isDisruptive, sharedState } from "./plan.ts";

/** Kinds of cases that a gateway takes one after the other; the last kind only when every gateway is idle. */
type Phase = "quiet" | "disruptive" | "alone" | "load";

/** Not counted are cases that mostly wait, by their least time. */
const concurrentCases = 4;
const mostlyWaitsMs = 5000;

/** One gateway of the run, as far as the schedule is concerned. */
export interface Site {
  /** 0: the first gateway, to which the rig is wired. */
  readonly number: number;
  /** Whether it has the equipment that the case needs. */
  suits(testCase: TestCase): boolean;
}

function phaseOf(testCase: TestCase): Phase {
  if (testCase.load === true) return "load";
  if (isDisruptive(testCase)) return "disruptive";
  return testCase.alone === true ? "alone" : "quiet";
}

/**
 * The first gateway, which has the rig, begins with the quiet cases, the others with those that reboot or reset and mostly
 * wait; each continues with the rest.
 */
function phasesOf({ number }: Site): readonly Phase[] {
  return number === 0 ? ["quiet", "disruptive", "alone"] : ["disruptive", "alone", "quiet"];
}

/** Hands out cases so that no two of them conflict on the same gateway and nothing runs beside a load. */
export class Schedule {
  readonly #waiting: TestCase[];
  readonly #running = new Map<TestCase, Site>();

  constructor(cases: readonly TestCase[]) {
    this.#waiting = inOrder(cases);
  }

  /** Cases that have not started, in their order. */
  get waiting(): readonly TestCase[] {
    return this.#waiting;
  }

  /** Takes the next case that may start now on the gateway, if there is one. `sites`: all that can take cases. */
  take(site: Site, sites: readonly Site[]): TestCase | undefined {
    const next = this.#next(site) ?? this.#nextLoad(site, sites);
    if (next === undefined) return undefined;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.set(next, site);
    return next;
  }

  done(testCase: TestCase): void {
    this.#running.delete(testCase);
  }

  #next(site: Site): TestCase | undefined {
    const running = [...this.#running].flatMap(([testCase, at]) => (at === site ? testCase : []));
    const busy = running.filter(({ leastMs = 0 }) => leastMs < mostlyWaitsMs);
    if (busy.length >= concurrentCases || this.#isLoaded()) return undefined;
    const suited = this.#waiting.filter((candidate) => site.suits(candidate));
    for (const phase of phasesOf(site)) {
      const candidates = suited.filter((candidate) => phaseOf(candidate) === phase);
      const [first] = candidates;
      // Only cases of the same side effect may overtake, which preserves the order of side effects.
      if (first !== undefined)
        return candidates.find(
          (candidate) =>
            candidate.effect === first.effect && !running.some((other) => conflict(candidate, other)),
        );
    }
    return undefined;
  }

  #nextLoad(site: Site, sites: readonly Site[]): TestCase | undefined {
    const mayStart = (candidate: TestCase): boolean =>
      phaseOf(candidate) !== "load" && sites.some((other) => other.suits(candidate));
    if (this.#running.size > 0 || this.#waiting.some(mayStart)) return undefined;
    return this.#waiting.find((candidate) => phaseOf(candidate) === "load" && site.suits(candidate));
  }

  #isLoaded(): boolean {
    return [...this.#running.keys()].some((testCase) => phaseOf(testCase) === "load");
  }
}

/** Why a case could start only when the other had ended: a noun phrase. */
export function waitReason(testCase: TestCase, after: TestCase): string {
  const phases = [phaseOf(testCase), phaseOf(after)];
  if (phases.includes("load")) return "a load of the machine";
  if (phases.includes("disruptive")) return "a reboot or reset";
  if (phases.includes("alone")) return "a case that needs a gateway alone";
  if (testCase.effect !== after.effect)
    return `order of side effects: ${testCase.effect} after ${after.effect}`;
  const shared = sharedState(testCase, after);
  return shared.length === 0
    ? `at most ${concurrentCases} cases on a gateway`
    : `shared state: ${shared.join(", ")}`;
}

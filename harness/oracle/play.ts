// Plays one sequence on two gateways, step by step on one after the other, and compares what they answer.
import { Unmet } from "../suite/outcome.ts";
import type { Baseline, Contestant } from "./contestant.ts";
import { type Difference, differences, type SideName } from "./difference.ts";
import { Side, type SideOutcome } from "./side.ts";
import type { Step } from "./step.ts";
import { undo } from "./undo.ts";

/** What came of one step. */
export interface PlayedStep {
  readonly step: Step;
  readonly a: SideOutcome;
  readonly b: SideOutcome;
  readonly differences: readonly Difference[];
}

export interface Played {
  /** The steps that were sent; a step that names something which a gateway does not have is left out. */
  readonly steps: readonly PlayedStep[];
}

/** Two gateways and what is known of them. */
export class Pair {
  readonly #a: Contestant;
  readonly #b: Contestant;
  readonly #baselines: readonly [Baseline, Baseline];
  /** Makes the names of each play its own. */
  readonly #token: string;
  #plays = 0;
  #worlds: readonly [Baseline["world"], Baseline["world"]];
  /** Steps that were sent to both so far. */
  stepsTaken = 0;

  constructor(a: Contestant, b: Contestant, baselines: readonly [Baseline, Baseline], token: string) {
    this.#a = a;
    this.#b = b;
    this.#baselines = baselines;
    this.#token = token;
    this.#worlds = [baselines[0].world.copy(), baselines[1].world.copy()];
  }

  /** Plays the steps and takes back what they did. Throws Unmet when a gateway does not answer any more. */
  async play(steps: readonly Step[]): Promise<Played> {
    this.#plays += 1;
    const play = `${this.#token}${this.#plays.toString(36)}`;
    const a = new Side(this.#a.gateway, this.#a.profile, this.#worlds[0], play);
    const b = new Side(this.#b.gateway, this.#b.profile, this.#worlds[1], play);
    const played: PlayedStep[] = [];
    try {
      for (const [at, step] of steps.entries()) {
        const [ofA, ofB] = [a.resolve(step), b.resolve(step)];
        if (ofA === undefined || ofB === undefined) continue;
        const outcomes = { a: await a.perform(step, ofA, at), b: await b.perform(step, ofB, at) };
        this.stepsTaken += 1;
        assertAnswered("A", this.#a, outcomes.a);
        assertAnswered("B", this.#b, outcomes.b);
        played.push({ step, ...outcomes, differences: differences(outcomes.a.judged, outcomes.b.judged) });
      }
    } finally {
      this.#worlds = [await undo(a, this.#baselines[0]), await undo(b, this.#baselines[1])];
    }
    return { steps: played };
  }
}

function assertAnswered(name: SideName, { title }: Contestant, { answer }: SideOutcome): void {
  if (answer.status === 0)
    throw new Unmet(
      `${name} (${title}) gave no answer to ${answer.operation}: ${answer.summary()}`,
      "no-answer",
    );
}

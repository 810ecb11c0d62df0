// Plays one sequence on two gateways: each step goes to both, and the next one when both have answered.
import { Unmet } from "../../record/index.ts";
import type { Baseline, ConnectedGateway } from "./connectedGateway.ts";
import { brokenByBoth, type Difference, differences, type SideName } from "./difference.ts";
import { Names } from "./names.ts";
import { Side, type SideOutcome } from "./side.ts";
import type { Step } from "./step.ts";
import { undo } from "./undo.ts";

/** The result of one step. */
export interface PlayedStep {
  readonly step: Step;
  readonly a: SideOutcome;
  readonly b: SideOutcome;
  readonly differences: readonly Difference[];
}

export interface Played {
  /** The steps that were sent; a step that names a thing which a gateway does not have is skipped. */
  readonly steps: readonly PlayedStep[];
  /** Requirements that both violated in the same way. */
  readonly brokenByBoth: readonly string[];
}

/** Two gateways and the model of each. */
export class Pair {
  readonly #a: ConnectedGateway;
  readonly #b: ConnectedGateway;
  readonly #baselines: readonly [Baseline, Baseline];
  /** Makes the names of each play unique. */
  readonly #token: string;
  readonly #leftovers = [new Set<string>(), new Set<string>()] as const;
  #plays = 0;
  #worlds: readonly [Baseline["world"], Baseline["world"]];
  /** Steps that were sent to both so far. */
  stepsTaken = 0;

  constructor(
    a: ConnectedGateway,
    b: ConnectedGateway,
    baselines: readonly [Baseline, Baseline],
    token: string,
  ) {
    this.#a = a;
    this.#b = b;
    this.#baselines = baselines;
    this.#token = token;
    this.#worlds = [baselines[0].world, baselines[1].world];
  }

  /** Plays the steps and reverts their effects. Throws Unmet when a gateway stops answering. */
  async play(steps: readonly Step[], signal?: AbortSignal): Promise<Played> {
    this.#plays += 1;
    const play = `${this.#token}${this.#plays.toString(36)}`;
    const [leftByA, leftByB] = this.#leftovers;
    const [beforeA, beforeB] = this.#worlds;
    const a = new Side(this.#a, beforeA.copy(), new Names(this.#a.profile, play, leftByA));
    const b = new Side(this.#b, beforeB.copy(), new Names(this.#b.profile, play, leftByB));
    const played: PlayedStep[] = [];
    try {
      for (const [at, step] of steps.entries()) {
        if (signal?.aborted === true) break;
        const [ofA, ofB] = [a.resolve(step), b.resolve(step)];
        if (ofA === undefined || ofB === undefined) continue;
        // At the same time: the gateways are independent, and most of the time is waiting.
        const [byA, byB] = await Promise.all([a.perform(step, ofA, at), b.perform(step, ofB, at)]);
        const outcomes = { a: byA, b: byB };
        this.stepsTaken += 1;
        assertAnswered("A", this.#a, outcomes.a);
        assertAnswered("B", this.#b, outcomes.b);
        played.push({ step, ...outcomes, differences: differences(outcomes.a.judged, outcomes.b.judged) });
      }
    } finally {
      const [baselineA, baselineB] = this.#baselines;
      this.#worlds = await Promise.all([undo(a, baselineA, beforeA), undo(b, baselineB, beforeB)]);
    }
    return {
      steps: played,
      brokenByBoth: played.flatMap(({ a: { judged }, b: { judged: other } }) => brokenByBoth(judged, other)),
    };
  }
}

function assertAnswered(name: SideName, { title }: ConnectedGateway, { answer }: SideOutcome): void {
  if (answer.status === 0)
    throw new Unmet(
      `${name} (${title}): no answer to ${answer.exchange.operation}: ${answer.summary()}`,
      "no-answer",
    );
}

// The steps of a gateway from "off" to "ready"; only the missing ones are executed.
import type { Console } from "../console/console.ts";
import type { PowerControl } from "../gateway/gateway.ts";
import type { LifeSigns } from "../power/power.ts";

/** In the order in which they are reached. `signed-in` is on the console; skipped without one. */
const bootStates = ["off", "booting", "up", "signed-in", "ready"] as const;
export type BootState = (typeof bootStates)[number];

interface ConsoleLogin {
  readonly user: string;
  readonly password: string;
}

export interface BootSurroundings {
  readonly life: LifeSigns;
  readonly power?: Pick<PowerControl, "cut" | "restore">;
  readonly console?: Console;
  readonly login?: ConsoleLogin;
  /** Answers undefined when the gateway's interface answers correctly, else the problem. */
  readonly notReady: () => Promise<string | undefined>;
  readonly deadlinesMs?: Partial<Record<BootState, number>>;
}

const defaultDeadlinesMs: Readonly<Record<BootState, number>> = {
  off: 10_000,
  booting: 10_000,
  up: 120_000,
  "signed-in": 30_000,
  ready: 60_000,
};
const lookEveryMs = 100;
const firstLookMs = 1500;

/** A step that was not finished within its time. */
class BootError extends Error {
  override readonly name = "BootError";
  readonly state: BootState;

  constructor(state: BootState, message: string, options?: ErrorOptions) {
    super(message, options);
    this.state = state;
  }
}

export class BootStrategy {
  readonly #surroundings: BootSurroundings;
  /** The state reached last; undefined before the first check and after a failure. */
  #known: BootState | undefined;

  constructor(surroundings: BootSurroundings) {
    this.#surroundings = surroundings;
  }

  /** The known state of the gateway. */
  get state(): BootState | undefined {
    return this.#known;
  }

  /** Drops the known state: the gateway was changed by others, or did not behave as expected. */
  invalidate(): void {
    this.#known = undefined;
  }

  /**
   * Moves the gateway to the state; answers the steps that were needed. Throws an Error that names the step, its
   * deadline, the last observation and the last lines of the console; the state is unknown afterwards.
   */
  async bringTo(wanted: BootState): Promise<BootState[]> {
    const done: BootState[] = [];
    try {
      this.#known ??= await this.#look();
      const at = (state: BootState): number => bootStates.indexOf(state);
      if (at(wanted) < at(this.#known)) {
        if (wanted !== "off")
          throw new BootError(wanted, `the gateway is ${this.#known} already; only off can follow`);
        await this.#step("off");
        done.push("off");
      }
      while (at(this.#known) < at(wanted)) {
        const next = bootStates[at(this.#known) + 1] ?? wanted;
        await this.#step(next);
        done.push(next);
      }
      return done;
    } catch (thrown) {
      this.#known = undefined;
      throw thrown;
    }
  }

  /** A gateway that answers is up; one that does not is assumed off when the rig controls its power. */
  async #look(): Promise<BootState> {
    const { life, power } = this.#surroundings;
    if (await life.isAlive(firstLookMs)) return "up";
    return power === undefined ? "booting" : "off";
  }

  async #step(state: BootState): Promise<void> {
    const deadlineMs = this.#surroundings.deadlinesMs?.[state] ?? defaultDeadlinesMs[state];
    try {
      await this.#steps[state](deadlineMs);
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new BootError(
        state,
        `gateway not ${state} within ${deadlineMs} ms: ${why}${this.#consoleWords()}`,
        { cause: thrown },
      );
    }
    this.#known = state;
  }

  readonly #steps: Readonly<Record<BootState, (deadlineMs: number) => Promise<void>>> = {
    off: async () => {
      const { power } = this.#surroundings;
      if (power === undefined) throw new Error("the rack has no power switch for it");
      await power.cut();
    },
    booting: async () => {
      await this.#surroundings.power?.restore();
    },
    up: async (deadlineMs) => {
      if (!(await this.#surroundings.life.isAlive(deadlineMs))) throw new Error("no answer at its address");
    },
    "signed-in": async (deadlineMs) => {
      const { console, login } = this.#surroundings;
      if (console !== undefined && login !== undefined) await console.login(login, deadlineMs);
    },
    ready: async (deadlineMs) => {
      const startedMs = performance.now();
      for (;;) {
        const wrong = await this.#surroundings.notReady();
        if (wrong === undefined) return;
        if (performance.now() - startedMs > deadlineMs) throw new Error(wrong);
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
    },
  };

  #consoleWords(): string {
    const { console } = this.#surroundings;
    return console === undefined ? "" : `; last lines of the console: ${console.lastLines()}`;
  }
}

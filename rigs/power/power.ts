// Power with proof: the switch is set and read, and then the gateway must confirm it.
import { setTimeout as timer } from "node:timers/promises";
import type { PowerControl } from "../gateway/gateway.ts";
import type { InstantMs } from "../host/instant.ts";
import { NobodyActed, type Switch } from "./driver.ts";

/** Why power was not cut or restored. None of these proves a fault of the gateway. */
type PowerOutcome = "switch-unreachable" | "switch-unconfirmed" | "gateway-silent" | "nobody-acted";

export class PowerError extends Error {
  override readonly name = "PowerError";
  readonly outcome: PowerOutcome;

  constructor(outcome: PowerOutcome, message: string, options?: ErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

/** Whether the gateway shows signs of life: on the network, on the console, or by a new boot time. */
export interface LifeSigns {
  /** Answers true for a sign of life within the time. */
  isAlive(withinMs: number): Promise<boolean>;
  /** Answers true after the required time without a sign of life. */
  isDead(withinMs: number): Promise<boolean>;
}

export interface PowerOptions {
  readonly power: Switch;
  readonly reset?: Switch;
  readonly life: LifeSigns;
  readonly deadWithinMs?: number;
  readonly aliveWithinMs?: number;
  /** How long the reset button is held down. */
  readonly holdResetMs?: number;
  readonly confirmWithinMs?: number;
}

const deadWithinMs = 5000;
const aliveWithinMs = 120_000;
const holdResetMs = 200;
/** Power distribution units report a new state up to seconds after they took the command. */
const confirmWithinMs = 5000;
const confirmEveryMs = 100;

export function provenPower(options: PowerOptions): PowerControl {
  const { power, reset, life } = options;
  const switchTo = async (isOn: boolean): Promise<InstantMs> => {
    const low = performance.now();
    await switchConfirmed(power, isOn, options.confirmWithinMs);
    return { low, high: performance.now() };
  };
  return {
    async cut() {
      const at = await switchTo(false);
      if (!(await life.isDead(options.deadWithinMs ?? deadWithinMs))) {
        throw new PowerError("switch-unconfirmed", `${power.name} reports off, but the gateway still runs`);
      }
      return at;
    },
    async restore() {
      const at = await switchTo(true);
      if (!(await life.isAlive(options.aliveWithinMs ?? aliveWithinMs))) {
        throw new PowerError(
          "gateway-silent",
          `${power.name} reports on, but the gateway shows no sign of life`,
        );
      }
      return at;
    },
    ...(reset === undefined
      ? {}
      : {
          async reset() {
            const low = performance.now();
            await pressed(reset, options);
            return { low, high: performance.now() };
          },
        }),
  };
}

async function pressed(reset: Switch, options: PowerOptions): Promise<void> {
  if (reset.press !== undefined) return reached(reset, "pressed", async () => reset.press?.());
  await switchConfirmed(reset, true, options.confirmWithinMs);
  await timer(options.holdResetMs ?? holdResetMs);
  await switchConfirmed(reset, false, options.confirmWithinMs);
}

/** Sets the switch and waits until it reports the state, where it reports one. Throws a PowerError. */
export async function switchConfirmed(
  power: Switch,
  isOn: boolean,
  withinMs: number = confirmWithinMs,
): Promise<boolean | undefined> {
  const word = isOn ? "on" : "off";
  await reached(power, `switched ${word}`, () => power.set(isOn));
  const startedMs = performance.now();
  for (;;) {
    const read = reached(power, `read after it was switched ${word}`, async () => power.read?.());
    const isLast = performance.now() - startedMs > withinMs;
    // Between two states some switches report neither.
    const is = isLast ? await read : await read.catch(() => !isOn);
    if (is === isOn || is === undefined) return is;
    if (isLast)
      throw new PowerError(
        "switch-unconfirmed",
        `${power.name} was switched ${word} and reports ${is ? "on" : "off"} after ${withinMs / 1000} s`,
      );
    await timer(confirmEveryMs);
  }
}

async function reached<T>(power: Switch, done: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const outcome = thrown instanceof NobodyActed ? "nobody-acted" : "switch-unreachable";
    throw new PowerError(outcome, `${power.name} cannot be ${done}: ${why}`, { cause: thrown });
  }
}

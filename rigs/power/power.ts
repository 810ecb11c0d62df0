// Power with proof: the switch is set and read, and then the gateway must confirm it.
import type { InstantMs } from "../host/instant.ts";
import type { PowerControl } from "../gateway/gateway.ts";
import type { Switch } from "./driver.ts";

/** Why power was not cut or restored. None of these proves a fault of the gateway. */
type PowerOutcome = "switch-unreachable" | "switch-lied" | "gateway-silent";

class PowerError extends Error {
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
}

const deadWithinMs = 5000;
const aliveWithinMs = 120_000;
const holdResetMs = 200;

export function provenPower(options: PowerOptions): PowerControl {
  const { power, reset, life } = options;
  const switchTo = async (isOn: boolean): Promise<InstantMs> => {
    const low = performance.now();
    await claim(power, isOn);
    return { low, high: performance.now() };
  };
  return {
    async cut() {
      const at = await switchTo(false);
      if (!(await life.isDead(options.deadWithinMs ?? deadWithinMs))) {
        throw new PowerError("switch-lied", `${power.name} reports off, but the gateway still runs`);
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
            await claim(reset, true);
            await new Promise((resolve) => setTimeout(resolve, options.holdResetMs ?? holdResetMs));
            await claim(reset, false);
            return { low, high: performance.now() };
          },
        }),
  };
}

/** Sets the switch and reads it back where it can be read. */
async function claim(power: Switch, isOn: boolean): Promise<void> {
  const word = isOn ? "on" : "off";
  const reached = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new PowerError("switch-unreachable", `${power.name} cannot be switched ${word}: ${why}`, {
        cause: thrown,
      });
    }
  };
  await reached(() => power.set(isOn));
  if (power.read === undefined) return;
  const is = await reached(async () => power.read?.());
  if (is !== isOn)
    throw new PowerError(
      "switch-lied",
      `${power.name} was switched ${word} and reports ${is ? "on" : "off"}`,
    );
}

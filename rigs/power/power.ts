// Power as a claim and its proof: the switch is set, asked, and then the gateway itself must show it.
import type { InstantMs } from "../host/instant.ts";
import type { PowerControl } from "../gateway/gateway.ts";
import type { Switch } from "./driver.ts";

/** Why power could not be taken or given. None of these is the gateway's fault, as far as anybody can tell. */
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
  /** Answers when there was one within the time. */
  isAlive(withinMs: number): Promise<boolean>;
  /** Answers true when nothing was seen for as long as it takes to be sure. */
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
        throw new PowerError(
          "switch-lied",
          `${power.name} says that the power is off, and the gateway goes on`,
        );
      }
      return at;
    },
    async restore() {
      const at = await switchTo(true);
      if (!(await life.isAlive(options.aliveWithinMs ?? aliveWithinMs))) {
        throw new PowerError(
          "gateway-silent",
          `${power.name} says that the power is on, and the gateway shows no sign of life`,
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

/** Sets the switch and asks it, where it can be asked. */
async function claim(power: Switch, isOn: boolean): Promise<void> {
  const word = isOn ? "on" : "off";
  const reached = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new PowerError("switch-unreachable", `${power.name} could not be switched ${word}: ${why}`, {
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
      `${power.name} was switched ${word} and says that it is ${is ? "on" : "off"}`,
    );
}

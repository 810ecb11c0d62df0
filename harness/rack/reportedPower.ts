// Failures of a power switch in the words of a campaign: errors of the lab, and inconclusive where a person was missing.
import { PowerError, type PowerControl } from "../../rigs/index.ts";
import { HarnessFault, Unmet } from "../../record/index.ts";

export function reportedPower(power: PowerControl): PowerControl {
  const press = power.reset?.bind(power);
  return {
    cut: reported(() => power.cut()),
    restore: reported(() => power.restore()),
    ...(press === undefined ? {} : { reset: reported(press) }),
  };
}

function reported<T>(action: () => Promise<T>): () => Promise<T> {
  return async () => {
    try {
      return await action();
    } catch (thrown) {
      if (!(thrown instanceof PowerError)) throw thrown;
      const { outcome, message } = thrown;
      if (outcome === "nobody-acted") throw new Unmet(message, outcome);
      throw new HarnessFault(message, outcome, { cause: thrown });
    }
  };
}

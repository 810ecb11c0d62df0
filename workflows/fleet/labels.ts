// Labels of gateways: what a reservation or a night selects them by.
import { UsageError } from "../../record/index.ts";

export type Labels = Readonly<Record<string, string>>;

const word = /^[\w./:-]+$/;

/** Reads `model=X,site=Y`; throws a UsageError that names the wrong part. */
export function parseLabels(text: string | undefined): Labels {
  if (text === undefined || text.trim() === "") return {};
  return Object.fromEntries(
    text.split(",").map((part) => {
      const [name = "", value = "", ...more] = part.split("=").map((one) => one.trim());
      if (!word.test(name) || !word.test(value) || more.length > 0)
        throw new UsageError("FLEET_LABELS", `labels ${text}: expected NAME=VALUE, found "${part.trim()}"`);
      return [name, value];
    }),
  );
}

export function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}

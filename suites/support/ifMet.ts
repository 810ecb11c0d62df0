import { Unmet } from "../../record/index.ts";

/** What is answered; undefined where the gateway rejects it or does not answer. */
export function ifMet<T>(answered: Promise<T>): Promise<T | undefined> {
  return answered.catch((thrown: unknown) => {
    if (thrown instanceof Unmet) return undefined;
    throw thrown;
  });
}

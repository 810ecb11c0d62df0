// Long computations in slices, so that streams, timers and measurements of this process are not late.
import { setImmediate } from "node:timers/promises";

const longestSliceMs = 10;

/** The items one by one; when a slice has ended, whatever waits has its turn before the next item. */
export async function* unhurried<T>(items: Iterable<T>): AsyncGenerator<T> {
  let begunMs = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - begunMs < longestSliceMs) continue;
    await setImmediate();
    begunMs = performance.now();
  }
}

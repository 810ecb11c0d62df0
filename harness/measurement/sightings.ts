// The equipment is an observer as well, also while the harness is busy.
import type { Sighting } from "../../rigs/index.ts";
import type { ObserverSurroundings } from "./observer.ts";

const lookEveryMs = 10;

/** Reports sightings from now on until the signal. */
export async function watchSightings(
  { clock, signal, report }: ObserverSurroundings,
  sightings: readonly Sighting[],
): Promise<void> {
  let looked = sightings.length;
  while (!signal.aborted) {
    for (; looked < sightings.length; looked++) {
      const one = sightings[looked];
      if (one === undefined || one.what === "power-on") continue;
      report({
        observer: one.observer,
        what: one.what === "up" ? "up" : "down",
        interval: one.at,
        isEnd: one.what === "reset",
      });
    }
    await clock.delay(lookEveryMs, signal).catch(() => undefined);
  }
}

// How long this machine held its programs up: a gateway that runs on it too is late through no fault of its own.
import { monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 10;
/** Less than this is the ordinary unevenness of a machine with something to do. */
const ordinaryMs = 25;
/** The harness waits for little and is held up less than a gateway with work to do. */
const gatewayIsHeldUpMore = 4;

/** Watches from now on; the answer tells how late, in milliseconds, a gateway of this machine may have been made. */
export function watchHostDelay(): { readonly possibleMs: () => number } & Disposable {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  return {
    possibleMs() {
      const heldUpMs = histogram.max / 1e6 - resolutionMs;
      return heldUpMs < ordinaryMs ? 0 : gatewayIsHeldUpMore * heldUpMs;
    },
    [Symbol.dispose]: () => void histogram.disable(),
  };
}

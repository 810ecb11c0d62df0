// How long this machine delayed its programs: a gateway on the same machine is delayed as well.
import { monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 10;
/** Less than this is ordinary on a busy machine. */
const ordinaryMs = 25;
/** The harness does little work and is delayed less than a busy gateway. */
const gatewayIsHeldUpMore = 4;

/** Watches from now on; answers the delay in milliseconds that a gateway on this machine may have had. */
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

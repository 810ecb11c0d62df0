// How long this machine delayed its programs: a gateway on the same machine is delayed as well.
import { monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 10;
/** Less than this is ordinary on a busy machine. */
const ordinaryMs = 25;
/** The harness does little work and is delayed less than a busy gateway. */
const gatewayIsHeldUpMore = 4;

export interface HostDelay extends Disposable {
  /** Longest delay in milliseconds that a gateway on this machine may have had since the watch began. */
  readonly possibleMs: () => number;
  /** Longest delay in milliseconds of this process. */
  readonly ownMs: () => number;
}

/** Watches from now on. */
export function watchHostDelay(): HostDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  const ownMs = (): number => Math.max(0, histogram.max / 1e6 - resolutionMs);
  return {
    ownMs,
    possibleMs() {
      const heldUpMs = ownMs();
      return heldUpMs < ordinaryMs ? 0 : gatewayIsHeldUpMore * heldUpMs;
    },
    [Symbol.dispose]: () => void histogram.disable(),
  };
}

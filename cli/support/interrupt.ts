import { HarnessFault, Unmet } from "../../record/index.ts";
import { LeaseLost } from "../../workflows/leases/lease.ts";
import { errorLine } from "./errorLine.ts";

/** Signals within this time of the first are the same wish: `timeout` signals both the process and its group. */
const sameWishMs = 1000;
/** Time for the forced end to write what was measured. */
const writeWithinMs = 5000;
const exitCode = 130;
/** A defect of this program is no verdict. */
const defectExitCode = 3;
/** What ends the work of a case: a condition that was not met, a deadline or the end of the gateway, a lost lease. */
const endsOfWork = [Unmet, HarnessFault, LeaseLost];

export interface InterruptOptions {
  /** For a command whose starter holds its standard input open as long as the command may run. */
  readonly alsoWhenInputEnds?: boolean;
  /** Writes what was measured when a second signal, or a defect of this program, demands the end at once. */
  readonly beforeForcedEnd?: () => Promise<void>;
}

/**
 * Turns the first SIGINT or SIGTERM into an abort: the command ends cleanly. A second one, at least a second later, ends
 * it at once, after `beforeForcedEnd`; a third one does not wait for that either.
 */
export function onInterrupt({ alsoWhenInputEnds = false, beforeForcedEnd }: InterruptOptions = {}): {
  signal: AbortSignal;
} & Disposable {
  const controller = new AbortController();
  let count = 0;
  let lastMs = -Infinity;
  const interrupt = (): void => {
    const nowMs = performance.now();
    if (nowMs - lastMs < sameWishMs) return;
    lastMs = nowMs;
    count += 1;
    if (count === 1) controller.abort(new Error("interrupted"));
    else if (count === 2 && beforeForcedEnd !== undefined) void endAtOnce(beforeForcedEnd, exitCode);
    else process.exit(exitCode);
  };
  const abandon = (): void => controller.abort(new Error("the process that started the command has ended"));
  if (alsoWhenInputEnds) {
    process.stdin.resume();
    process.stdin.on("end", abandon);
    process.stdin.on("error", abandon);
  }
  // Work that nobody waits for any more ends with the interruption, the case, the gateway or its lease, as well.
  const unhandled = (reason: unknown): void => {
    if (reason === controller.signal.reason || endsOfWork.some((end) => reason instanceof end)) return;
    throw reason instanceof Error ? reason : new Error(String(reason));
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  process.on("unhandledRejection", unhandled);
  if (beforeForcedEnd !== undefined) {
    process.setUncaughtExceptionCaptureCallback((thrown) => {
      process.stderr.write(errorLine(thrown));
      void endAtOnce(beforeForcedEnd, defectExitCode);
    });
  }
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      if (beforeForcedEnd !== undefined) process.setUncaughtExceptionCaptureCallback(null);
      if (alsoWhenInputEnds) process.stdin.destroy();
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
      process.off("unhandledRejection", unhandled);
    },
  };
}

async function endAtOnce(beforeForcedEnd: () => Promise<void>, code: number): Promise<void> {
  setTimeout(() => process.exit(code), writeWithinMs);
  try {
    await beforeForcedEnd();
  } catch (thrown) {
    process.stderr.write(errorLine(thrown));
  }
  process.exit(code);
}

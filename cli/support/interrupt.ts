/**
 * Turns the first Ctrl-C or SIGTERM into an abort, so that what was measured is kept; a second one ends at once.
 * `alsoWhenInputEnds`: for a command whose starter holds its standard input open as long as it wants the command.
 */
export function onInterrupt({ alsoWhenInputEnds = false } = {}): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  let count = 0;
  const interrupt = (): void => {
    count += 1;
    if (count > 1) process.exit(130);
    controller.abort(new Error("interrupted"));
  };
  const abandon = (): void => controller.abort(new Error("whoever started the command is gone"));
  if (alsoWhenInputEnds) {
    process.stdin.resume();
    process.stdin.on("end", abandon);
    process.stdin.on("error", abandon);
  }
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      if (alsoWhenInputEnds) process.stdin.destroy();
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
    },
  };
}

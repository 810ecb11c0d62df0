/** Turns the first Ctrl-C or SIGTERM into an abort, so that what was measured is kept; a second one ends at once. */
export function onInterrupt(): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  let count = 0;
  const interrupt = (): void => {
    count += 1;
    if (count > 1) process.exit(130);
    controller.abort(new Error("interrupted"));
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
    },
  };
}

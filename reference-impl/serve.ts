// Runs the gateway as a process: one line when it is ready, an end on a signal or with whoever started it.
import { systemClock } from "./base/clock.ts";
import { giveMemoryBack } from "./base/memory.ts";
import { startReference } from "./compose.ts";
import { type Edges, plainEdges } from "./edges.ts";
import { readOptions } from "./options.ts";

/** Serves until a signal ends it. Wrong options are reported in one line, with exit code 2. */
export async function serve(
  words: readonly string[],
  edgesOf: () => Edges = () => plainEdges,
): Promise<void> {
  try {
    const options = readOptions(words, process.env);
    const edges = edgesOf();
    const gateway = await startReference(options, edges);
    const { httpPort, httpsPort, version } = gateway;
    const below = edges.basePath === "" ? {} : { basePath: edges.basePath };
    process.stdout.write(`${JSON.stringify({ ready: true, httpPort, httpsPort, ...below, version })}\n`);
    const memory = giveMemoryBack(systemClock);
    const end = (): void => {
      memory[Symbol.dispose]();
      gateway[Symbol.asyncDispose]().then(
        () => process.exit(0),
        (thrown: unknown) => {
          process.stderr.write(`gateway: it did not end in order: ${String(thrown)}\n`);
          process.exit(1);
        },
      );
    };
    // Not "once": libraries that look whether anybody else listens would end the process themselves.
    let isEnding = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (!isEnding) end();
        isEnding = true;
      });
    }
    // The pipe closes when the process that started the gateway has ended.
    process.stdin.resume();
    process.stdin.once("end", () => process.exit(0));
    process.stdin.once("error", () => process.exit(0));
  } catch (thrown) {
    process.stderr.write(`gateway: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 2;
  }
}

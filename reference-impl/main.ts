// The gateway process: node main.ts --state DIR [--http-port N] [--https-port N] [--address A] [--path-prefix P]
import { systemClock } from "./base/clock.ts";
import { startReference } from "./compose.ts";
import { giveMemoryBack } from "./base/memory.ts";
import { readOptions } from "./options.ts";

if (process.argv.includes("--list-faults")) {
  const { allFaults } = await import("./faults/catalogue.ts");
  const shown = allFaults.map(({ install: _install, ...fault }) => fault);
  process.stdout.write(`${JSON.stringify(shown)}\n`);
} else {
  await serve();
}

/** Runs until it is told to end; what the options lack is said in one line. */
async function serve(): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2), process.env);
    const gateway = await startReference(options);
    const { httpPort, httpsPort, version } = gateway;
    process.stdout.write(`${JSON.stringify({ ready: true, httpPort, httpsPort, version })}\n`);
    const memory = giveMemoryBack(systemClock);
    const end = (): void => {
      memory[Symbol.dispose]();
      gateway[Symbol.asyncDispose]().then(
        () => process.exit(0),
        (thrown: unknown) => {
          process.stderr.write(`gateway: it did not end in good order: ${String(thrown)}\n`);
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
    // The pipe closes when whoever started the gateway is gone, and then nobody wants it any more.
    process.stdin.resume();
    process.stdin.once("end", () => process.exit(0));
    process.stdin.once("error", () => process.exit(0));
  } catch (thrown) {
    process.stderr.write(`gateway: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 2;
  }
}

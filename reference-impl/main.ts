// The gateway process: node main.ts --state DIR [--http-port N] [--https-port N] [--address A] [--path-prefix P]
import { systemClock } from "./clock.ts";
import { startReference } from "./compose.ts";
import { giveMemoryBack } from "./memory.ts";
import { readOptions } from "./options.ts";

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
      () => process.exit(1),
    );
  };
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
  // The pipe closes when whoever started the gateway is gone, and then nobody wants it any more.
  process.stdin.resume();
  process.stdin.once("end", () => process.exit(0));
  process.stdin.once("error", () => process.exit(0));
} catch (thrown) {
  process.stderr.write(`gateway: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 2;
}

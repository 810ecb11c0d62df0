import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that systems give to who asks for any port: one that is used later is not given away meanwhile. */
const lowest = 20_000;
const end = 32_768;
const mostTries = 100;

/** A TCP port of loopback that is free now. Another program may take it before it is used; listening then fails with a clear message. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < mostTries; tries++) {
    const held = await holdPort(randomInt(lowest, end)).catch(() => undefined);
    await held?.[Symbol.asyncDispose]();
    if (held !== undefined) return held.port;
  }
  throw new Error(`no free port on loopback from ${lowest} to ${end - 1} in ${mostTries} tries`);
}

/** A TCP port of loopback that nobody else can listen on until it is disposed of; rejects when the given one is taken. */
export async function holdPort(wanted = 0): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer().listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no free port on loopback");
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

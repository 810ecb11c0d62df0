import { once } from "node:events";
import { createServer } from "node:net";

/** A TCP port of loopback that is free now. Another program may take it before it is used; listening then fails with a clear message. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("no free port on loopback");
  return address.port;
}

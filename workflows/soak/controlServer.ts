// A server that does the same work for every request of a path, in a process of its own: what slows it down is this
// machine. Short work is a list as JSON, long work a derived key, as of a password.
import { pbkdf2 } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const entries = Array.from({ length: 150 }, (_, index) => ({
  id: index,
  name: `entry ${index}`,
  value: index / 7,
}));
const text = JSON.stringify(entries);

/** Takes about 10 ms of a processor. */
const iterations = 20_000;

const server = createServer((request, response) => {
  if (request.url === "/long")
    return pbkdf2("control", "salt", iterations, 32, "sha256", () => response.end());
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(JSON.parse(text)));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
// An interruption of the soak reaches its whole group; the server answers until the soak has ended.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

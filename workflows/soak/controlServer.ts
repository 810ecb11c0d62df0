// A server that does the same work for every request, in a process of its own: what slows it down is this machine.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const entries = Array.from({ length: 150 }, (_, index) => ({
  id: index,
  name: `entry ${index}`,
  value: index / 7,
}));
const text = JSON.stringify(entries);

const server = createServer((_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(JSON.parse(text)));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
// An interruption of the soak reaches its whole group; the server answers until the soak has ended.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

// An HTTP server that ends on request and prints the time of its end: node endingServer.ts
import { writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((_request, response) => {
  response.writeHead(401, { "content-length": "2" });
  response.end("{}");
});
server.listen(0, "127.0.0.1", () => {
  writeSync(1, `${(server.address() as AddressInfo).port}\n`);
});
process.stdin.once("data", () => {
  writeSync(1, `${(Number(process.hrtime.bigint()) / 1e6).toFixed(4)}\n`);
  process.kill(process.pid, "SIGKILL");
});
process.stdin.once("end", () => process.exit(0));

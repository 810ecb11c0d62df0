// A server of its own process that writes ready-made batches of tag values as fast as they are read: node streamWriter.ts
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const tags = 64;
const rounds = 8;
let text = "";
for (let round = 0; round < rounds; round++) {
  for (let tag = 1; tag <= tags; tag++) {
    const value = {
      prvdName: "modbus_tcp_master",
      srcName: "load-01",
      tagName: `sequence${tag}`,
      dataType: "uint32",
      dataValue: 1000 + round,
      dataUnit: "",
      ts: 1_763_690_000_000,
    };
    text += `data:${JSON.stringify(value)}\n\n`;
  }
}
const batch = Buffer.from(text);

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const write = (): void => {
    while (!response.destroyed && response.write(batch));
  };
  response.on("drain", write);
  response.on("error", () => undefined);
  write();
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));

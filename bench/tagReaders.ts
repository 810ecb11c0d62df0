// Clients of a stream that read as fast as they can and throw away what they read: node tagReaders.ts PORT PATH COUNT
import { connect } from "node:net";

const [port = "0", path = "/", count = "1"] = process.argv.slice(2);
const discarded = Buffer.allocUnsafe(256 * 1024);
for (let index = 0; index < Number(count); index++) {
  const socket = connect({
    port: Number(port),
    host: "127.0.0.1",
    onread: { buffer: discarded, callback: () => true },
  });
  socket.on("error", () => process.exit(0));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
}
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));

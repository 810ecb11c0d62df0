// The peer of the gateway bench: fastify with one handler that answers a constant of the same size.
import fastify from "fastify";

const app = fastify();
app.get("/api/v1/system/sshserver", () => ({ data: { enable: true, port: 22 } }));
const address = await app.listen({ port: 0, host: "127.0.0.1" });
console.log(new URL(address).port);
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));

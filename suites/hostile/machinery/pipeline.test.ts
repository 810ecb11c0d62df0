import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { pipelined } from "./pipeline.ts";

/** Bodies of the answers to six pipelined requests, by a server that ends a connection after so many. */
async function answersOf(requestsAConnection: number): Promise<string[]> {
  const server = createServer((request, response) => response.end(request.url)).listen(0, "127.0.0.1");
  server.maxRequestsPerSocket = requestsAConnection;
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const requests = [1, 2, 3, 4, 5, 6].map((number) =>
    Buffer.from(`GET /${number} HTTP/1.1\r\nHost: gateway\r\n\r\n`),
  );
  return (await pipelined(socket, requests, 5000)).map(({ body }) => body.toString());
}

test("all answers are read when several arrive at once", async () => {
  expect(await answersOf(0)).toEqual(["/1", "/2", "/3", "/4", "/5", "/6"]);
});

test("bytes after an answer that ends the connection are not an answer", async () => {
  expect(await answersOf(2)).toEqual(["/1", "/2"]);
});

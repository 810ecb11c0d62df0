import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readLines } from "./lines.ts";

test("a stream that breaks ends its lines and nothing else", async () => {
  const unhandled: unknown[] = [];
  const keep = (thrown: unknown): void => void unhandled.push(thrown);
  process.once("uncaughtException", keep);
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, (line) => lines.push(line));
  // The owner of a socket has a listener of its own; the reader must not need another.
  stream.on("error", () => undefined);
  stream.write("one\n");
  await new Promise((resolve) => setImmediate(resolve));
  stream.destroy(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
  await new Promise((resolve) => setImmediate(resolve));
  process.removeListener("uncaughtException", keep);
  expect(lines).toEqual(["one"]);
  expect(unhandled).toEqual([]);
});

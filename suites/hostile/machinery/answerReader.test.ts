import { expect, test } from "vitest";
import { AnswerReader } from "./answerReader.ts";

/** Reads the text in pieces of the size. */
function read(text: string, size: number, isHead = false): AnswerReader {
  const reader = new AnswerReader(isHead);
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += size) reader.take(bytes.subarray(at, at + size));
  return reader;
}

test.each([1, 2, 7, 1000])("an answer reads the same in pieces of %i bytes", (size) => {
  const whole = read("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\nX-A:  b \r\n\r\nhello", size);
  expect(whole.progress).toBe("whole");
  expect(whole.answer()).toMatchObject({ status: 404, headers: { "x-a": "b" }, isReusable: true });
  expect(whole.answer().body.toString()).toBe("hello");
  const chunked = read(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
    size,
  );
  expect(chunked.progress).toBe("whole");
  expect(chunked.answer().body.toString()).toBe("abcde");
  const trailed = read(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 3\r\nX-B: 4\r\n\r\nHTTP",
    size,
  );
  expect([trailed.progress, trailed.answer().body.toString(), trailed.rest.toString()]).toEqual([
    "whole",
    "abc",
    "HTTP",
  ]);
  const interim = read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n", size);
  expect(interim.answer().status).toBe(417);
});

test("an answer to HEAD has no body, one without a length lasts until the end, and close ends the connection", () => {
  expect(read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 100, true).progress).toBe("whole");
  const open = read("HTTP/1.1 200 OK\r\n\r\nabc", 100);
  expect(open.progress).toBe("in-body");
  expect(open.end()).toBe("whole");
  expect(open.answer().isReusable).toBe(false);
  const closing = read("HTTP/1.1 400 Bad\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", 100);
  expect(closing.answer()).toMatchObject({ status: 400, isReusable: false, isLast: true });
});

test("non-HTTP bytes are reported at once, and bytes after an answer belong to the next", () => {
  expect(read("SSH-2.0-x\r\n", 4).progress).toBe("not-http");
  expect(read("HTTP/1.1 abc\r\n\r\n", 100).progress).toBe("not-http");
  const first = read("HTTP/1.1 204 No\r\n\r\nHTTP/1.1 200 OK\r\n", 1000);
  expect(first.rest.toString()).toBe("HTTP/1.1 200 OK\r\n");
});

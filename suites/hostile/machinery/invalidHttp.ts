// Bytes that are not a valid HTTP request, or barely one.
import fc from "fast-check";

const known: readonly string[] = [
  "\r\n\r\n",
  "\u0000\u0000\u0000\u0000",
  "GET\r\n\r\n",
  "GET /\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "GET / HTTP/0.9\r\n\r\n",
  "GET / HTTP/1.1\r\n\r\n",
  "GET / HTTP/1.1\nHost: rp\n\n",
  "GET / HTTP/1.1\rHost: rp\r\r",
  " GET / HTTP/1.1\r\nHost: rp\r\n\r\n",
  "GET  /  HTTP/1.1\r\nHost: rp\r\n\r\n",
  "GET / http/1.1\r\nHost: rp\r\n\r\n",
  "GET / HTTP/1.1 \r\nHost: rp\r\n\r\n",
  "GET / HTTP/1.1\r\nHost : rp\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: rp\r\n: rp\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: rp\r\nno colon\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: rp\r\nX: \u0000\r\n\r\n",
  "GET rp HTTP/1.1\r\nHost: rp\r\n\r\n",
  "GET http://rp.invalid:1/ HTTP/1.1\r\nHost: rp\r\n\r\n",
  "GET * HTTP/1.1\r\nHost: rp\r\n\r\n",
  "CONNECT rp.invalid:1 HTTP/1.1\r\nHost: rp\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: rp\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00FC\u0003\u0003",
  "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: rp\r\nTransfer-Encoding: chunked\r\n\r\nZ\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: rp\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
  "POST / HTTP/1.1\r\nHost: rp\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: rp\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\nXY\r\n0\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: rp\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n",
  "POST / HTTP/1.1\r\nHost: rp\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nrackpr",
  "POST / HTTP/1.1\r\nHost: rp\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "\u00FF\u00F4\u00FF\u00FD\u0006",
  "SSH-2.0-OpenSSH_9.9\r\n",
];

/** Known inputs, their beginnings, known inputs with changed bytes, and random bytes. */
export const invalidHttp: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...known),
  fc.tuple(fc.constantFrom(...known), fc.nat(60)).map(([text, length]) => text.slice(0, Math.max(1, length))),
  fc
    .tuple(fc.constantFrom(...known), fc.nat(60), fc.integer({ min: 0, max: 255 }))
    .map(([text, at, byte]) => text.slice(0, at) + String.fromCharCode(byte) + text.slice(at + 1)),
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);

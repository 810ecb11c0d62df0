import { expect, test } from "vitest";
import { maskExchange, maskText } from "./mask.ts";

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";

test("passwords, tokens and keys in bodies are masked, names and other values stay", () => {
  const text = maskText(
    '{"name":"admin","password":"s3\\"cret","newPassword" : "x","token":"t","key":"k","keyFilename":"a.key"}',
  );
  expect(text).toBe(
    '{"name":"admin","password":"********","newPassword" : "********","token":"********","key":"********","keyFilename":"a.key"}',
  );
});

test("tokens are masked wherever they stand", () => {
  expect(maskText(`x ${jwt} y`)).toBe("x ******** y");
  expect(maskText("/websocket?token=abc&x=1")).toBe("/websocket?token=********&x=1");
  expect(maskText("-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----")).toBe("********");
});

test("an exchange loses its credentials, also under a header the profile names", () => {
  const masked = maskExchange(
    {
      number: 1,
      operation: "signIn",
      session: "admin",
      startedMs: 0,
      durationMs: 1,
      request: {
        method: "POST",
        url: "http://x/",
        headers: { Authorization: "Bearer abc", "x-own": "secret", accept: "a" },
        body: '{"password":"p"}',
      },
      answer: {
        status: 200,
        headers: { "set-cookie": "s=1" },
        body: `{"data":{"token":"${jwt}"}}`,
        bodyBytes: 9,
      },
    },
    ["X-Own"],
  );
  const text = JSON.stringify(masked);
  for (const secret of ["abc", "secret", '"p"', jwt, "s=1"]) expect(text).not.toContain(secret);
  expect(masked.request.headers).toEqual({
    Authorization: "Bearer ********",
    "x-own": "********",
    accept: "a",
  });
});

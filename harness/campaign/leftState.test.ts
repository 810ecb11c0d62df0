import { expect, test } from "vitest";
import { LeftState } from "./leftState.ts";

const snapshot = (readings: Record<string, unknown>) => ({
  readings: new Map([["http-server" as const, readings]]),
  baseUrl: "http://192.0.2.1",
});

test("each differing member is one entry, compared with its first reading", () => {
  const left = new LeftState();
  left.differs("http-server", snapshot({ httpPort: 80, httpEnable: true }), "a/first", {
    httpPort: 8080,
    httpEnable: true,
  });
  left.differs("http-server", snapshot({ httpPort: 8080, httpEnable: true }), "a/second", {
    httpPort: 8080,
    httpEnable: false,
  });
  left.notUndone("virtual tag x", "500", "tags/one");
  expect(left.changes()).toEqual([
    { what: "http-server httpPort", from: "80", to: "8080", case: "a/first" },
    { what: "http-server httpEnable", from: "true", to: "false", case: "a/first" },
    { what: "virtual tag x", from: "absent", to: "500", case: "tags/one" },
  ]);
});

test("what a later case restored is no change, and what cannot be read is named", () => {
  const left = new LeftState();
  left.differs("http-server", snapshot({ httpPort: 80 }), "a/first", { httpPort: 8080 });
  left.differs("http-server", snapshot({ httpPort: 8080 }), "a/second", { httpPort: 80 });
  expect(left.changes()).toEqual([]);
  left.differs("http-server", snapshot({ httpPort: 80 }), "a/third", undefined);
  expect(left.changes()).toEqual([
    { what: "http-server httpPort", from: "80", to: "cannot be read", case: "a/first" },
  ]);
});

test("a name as long as a hostile request made it is shortened", () => {
  const left = new LeftState();
  left.differs("accounts", { ...snapshot({}), readings: new Map([["accounts", {}]]) }, "hostile/requests", {
    [`user ${"x".repeat(20_000)}`]: true,
  });
  expect(left.changes().map(({ what }) => what)).toEqual([`accounts user ${"x".repeat(185)}…`]);
});

test("a member that no operation restores says why", () => {
  const left = new LeftState();
  left.differs("http-server", snapshot({ certFileName: "own.crt" }), "a/first", {
    certFileName: "second.pem",
  });
  const [change] = left.changes();
  expect(change).toEqual({
    what: "http-server certFileName",
    from: '"own.crt"',
    to: '"second.pem"',
    case: "a/first",
    why: "the key of a certificate cannot be read, and the former pair cannot be sent again",
  });
});

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { bytesOf, type HostileRequest, toWire } from "./request.ts";
import { shellLine } from "./shellLine.ts";

const plain: HostileRequest = {
  operation: "createEvent",
  kind: "odd-text",
  method: "POST",
  target: "/api/v1/events?a=%00'",
  headers: [
    ["authorization", "Bearer {token}"],
    ["content-type", "application/json"],
    ["x-empty", ""],
  ],
  body: bytesOf(`{"message":"it's é \\\\ ${"a".repeat(5000)}\n\t\u0001 end"}`),
  isWellFramed: true,
};

/** The words that a program of this name gets from the line, as bytes. */
function wordsFor(program: string, line: string): string[] {
  const script = `${program}() { printf '%s\\0' "$@"; }; TOKEN=t0ken; ${line}`;
  return execFileSync("bash", ["-c", script]).toString("latin1").split("\0").slice(0, -1);
}

test("curl sends the exact bytes, and a long repetition is abbreviated", () => {
  const line = shellLine(plain, "http://127.0.0.1:8080");
  expect(line.length).toBeLessThan(600);
  expect(wordsFor("curl", line)).toEqual([
    "-i",
    "--path-as-is",
    "--globoff",
    "-X",
    "POST",
    `http://127.0.0.1:8080${plain.target}`,
    "-H",
    "authorization: Bearer t0ken",
    "-H",
    "content-type: application/json",
    "-H",
    "x-empty;",
    "--data-binary",
    plain.body,
  ]);
});

test.each([
  ["a path with a space", { target: "/a b" }],
  ["a body with NUL", { body: "\u0000'\\%s\u00FF" }],
  ["bytes that are not HTTP", { raw: `\u0016\u0003${"\u0000".repeat(300)}\\' %` }],
])("what curl does not send goes through nc byte by byte: %s", (_name, more) => {
  const request: HostileRequest = { ...plain, ...more };
  const line = shellLine(request, "http://127.0.0.1:8080");
  expect(line).toMatch(/ \| nc 127\.0\.0\.1 8080$/);
  const sent = execFileSync("bash", ["-c", `TOKEN=t0ken; ${line.replace(/ \| nc [\d. ]+$/, "")}`]);
  expect(sent.toString("latin1")).toBe(toWire(request, "127.0.0.1:8080", "t0ken").toString("latin1"));
});

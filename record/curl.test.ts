import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlLine, signInLine } from "./curl.ts";
import type { Exchange } from "./exchange.ts";

function exchange(request: Partial<Exchange["request"]>): Exchange {
  return {
    number: 1,
    operation: "signIn",
    session: "admin",
    startedMs: 0,
    durationMs: 1,
    request: { method: "PUT", url: "http://127.0.0.1/a?b=it's", headers: {}, ...request },
  };
}

/** The words that a shell makes of a line. */
function shellWords(line: string, environment: Record<string, string> = {}): string[] {
  const script = `${line.replace(/^curl/, "printf '%s\\n'")}`;
  return execFileSync("sh", ["-c", script], { env: environment }).toString().trimEnd().split("\n");
}

test("the shell command repeats the request with the reader's own token", () => {
  const line = curlLine(
    exchange({
      headers: { authorization: "Bearer abc", "content-type": "application/json", host: "x" },
      body: `{"a":"it's $HOME"}`,
    }),
  );
  expect(shellWords(line, { TOKEN: "mine" })).toEqual([
    "-i",
    "-X",
    "PUT",
    "http://127.0.0.1/a?b=it's",
    "-H",
    "authorization: Bearer mine",
    "-H",
    "content-type: application/json",
    "--data-raw",
    `{"a":"it's $HOME"}`,
  ]);
});

test("no secret stands in the line, under whatever header a profile sends it", () => {
  const line = curlLine(
    exchange({ headers: { "x-own-token": "s3cret", password: "s3cret", cookie: "s3cret", accept: "*/*" } }),
  );
  expect(line).not.toContain("s3cret");
  expect(line).toContain(`-H "x-own-token: $TOKEN" -H "password: $PASSWORD"`);
  expect(line).toContain("'accept: */*'");
});

test("the sign-in line takes the password from the environment and finds the token in the answer", () => {
  const line = signInLine(
    exchange({
      headers: { "content-type": "application/json" },
      body: '{"name":"admin","password":"s3cret"}',
    }),
  );
  expect(line).not.toContain("s3cret");
  const script = `curl() { printf '%s' "$8" >&2; echo '{"data": {"token": "t.o.k"}}'; }; ${line ?? ""}; echo "$TOKEN"`;
  const out = execFileSync("sh", ["-c", script], {
    env: { ...process.env, PASSWORD: "mine" },
    stdio: "pipe",
  });
  expect(out.toString()).toBe("t.o.k\n");
  expect(signInLine(exchange({ body: "{}" }))).toBeUndefined();
});

test("a form is sent by its fields, and a file by its name", () => {
  const line = curlLine(
    exchange({ body: "file: (file a b.tar.gz, 10 bytes)\nencryption: false: yes\npassword: s3cret" }),
  );
  expect(shellWords(line).slice(4)).toEqual([
    "-F",
    "file=@a b.tar.gz",
    "-F",
    "encryption=false: yes",
    "-F",
    "password=********",
  ]);
});

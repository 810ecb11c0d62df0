import fc from "fast-check";
import { expect, test } from "vitest";
import { publishedBinding } from "../../../interface/binding.ts";
import { operation, type OperationId, operationIds } from "../../../interface/operations/index.ts";
import { checker } from "../../../interface/schema/validate.ts";
import { hostileRequests } from "./generate.ts";
import { type HostileRequest, toWire } from "./request.ts";
import type { Freedom, HostileTarget } from "./target.ts";

function target(id: OperationId, more: Partial<HostileTarget> = {}): HostileTarget {
  const definition = operation(id);
  const { method, path } = publishedBinding[id];
  return {
    operation: id,
    definition,
    method,
    template: `/api/v1${path}`,
    path: Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "4711"])),
    query: {},
    ...(definition.json === undefined ? {} : { json: {} }),
    ...(definition.form === undefined ? {} : { form: {} }),
    freedom: {},
    token: { header: "authorization", prefix: "Bearer " },
    ...more,
  };
}

const sample = (one: HostileTarget, count = 600): HostileRequest[] =>
  fc.sample(hostileRequests(one), { numRuns: count, seed: 20_260_301 });

/** The members of a JSON object, undefined when the body is none. */
function membersOf({ body }: HostileRequest): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body ?? "", "latin1").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch {
    return undefined;
  }
}

test.each(operationIds)(
  "%s: requests are bytes, contain no token, and use DELETE only where bound to it",
  (id) => {
    const one = target(id);
    const isByte = (text: string): boolean =>
      Array.from(text).every((character) => character.charCodeAt(0) <= 0xff);
    for (const request of sample(one, 250)) {
      const { method, target: wanted, headers, body = "" } = request;
      expect(isByte(wanted + body + headers.flat().join(""))).toBe(true);
      expect([one.method, "DELETE"].includes(method) ? one.method : "harmless").toBe(
        method === one.method || method === "DELETE" ? method : "harmless",
      );
      const text = toWire(request, "rp", "t0ken").toString("latin1");
      expect(text.startsWith(`${method} ${wanted} HTTP/1.1\r\n`)).toBe(true);
      expect(text).not.toContain("{token}");
    }
  },
);

test("every kind that applies to an operation is generated", () => {
  const kinds = new Set(sample(target("createUpgradeJob")).map(({ kind }) => kind));
  expect([...kinds].toSorted((a, b) => a.localeCompare(b))).toEqual([
    "boundary-value",
    "broken-json",
    "broken-multipart",
    "deep-nesting",
    "duplicate-key",
    "extreme-number",
    "header-game",
    "long-text",
    "odd-method",
    "odd-query",
    "odd-text",
    "path-trick",
    "wrong-media-type",
    "wrong-type",
  ]);
});

test("a wrong type violates the schema of the operation, and broken JSON does not parse", () => {
  const definition = operation("setSsh");
  const one = target("setSsh", { json: { enable: true, port: 22 } });
  const check = checker(definition.json ?? fail());
  const requests = sample(one, 2000);
  const wrong = requests.filter(({ kind }) => kind === "wrong-type").map((request) => membersOf(request));
  expect(wrong.filter((members) => members !== undefined && check(members).length === 0)).toEqual([]);
  const broken = requests.filter(({ kind, body }) => kind === "broken-json" && body !== "{}");
  expect(broken.length).toBeGreaterThan(50);
  // Bytes that are no UTF-8 are read as replacement characters here, which is one way to take them.
  const taken = broken.filter(
    (request) => membersOf(request) !== undefined && !/[\u0080-\u00FF]/.test(request.body ?? ""),
  );
  expect(taken.map(({ body }) => body)).toEqual([]);
});

test("fixed members stay unchanged in every parsable body, and nonsense is never a valid value", () => {
  const freedom: Record<string, Freedom> = { enableScheduler: "fixed", now: "fixed", at: "nonsense" };
  for (const request of sample(target("setReboot", { json: { enableScheduler: false }, freedom }), 3000)) {
    const members = membersOf(request);
    if (members === undefined) continue;
    expect(members["now"]).toBeUndefined();
    expect([false, undefined]).toContain(members["enableScheduler"]);
    expect(JSON.stringify(members["at"] ?? "rp")).toMatch(/rp/);
  }
});

test("a fixed query parameter is always present", () => {
  const query = { mode: "rp-no-such-thing", sync: "false" };
  const freedom: Record<string, Freedom> = { mode: "fixed", sync: "fixed" };
  // A question mark or a number sign behind the path would hide the query from the gateway.
  const hidden = sample(target("resetToDefault", { query, freedom }), 3000).filter(({ target: wanted }) => {
    const { searchParams } = new URL(wanted, "http://rp");
    return searchParams.get("mode") !== "rp-no-such-thing";
  });
  expect(hidden.map(({ target: wanted }) => wanted)).toEqual([]);
});

test("requests that a server may leave unanswered are distinguished from those it must answer", () => {
  const requests = sample(target("getRole"), 3000);
  for (const { isWellFramed, target: wanted, method, headers } of requests) {
    if (!isWellFramed) continue;
    expect(wanted).toMatch(/^[!-~]{1,7000}$/);
    expect(method).toMatch(/^[A-Z]{1,16}$/);
    expect(headers.every(([name, value]) => /^[\w-]+$/.test(name) && /^[ -~]*$/.test(value))).toBe(true);
  }
  expect(requests.filter(({ isWellFramed }) => isWellFramed).length).toBeGreaterThan(1000);
});

function fail(): never {
  throw new Error("the operation takes no JSON");
}

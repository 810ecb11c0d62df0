import type { Exchange } from "../../record/exchange.ts";
import { expect, test } from "vitest";
import { Checks } from "./checks.ts";
import { Answer } from "../transport/answer.ts";

function answer(
  status: number,
  body: string,
  noAnswer?: { code: string; message: string },
): Answer<"createRole"> {
  const exchange: Exchange = {
    number: 3,
    operation: "createRole",
    session: "admin",
    startedMs: 0,
    durationMs: 1,
    request: { method: "POST", url: "http://x/", headers: {} },
    noAnswer,
  };
  return new Answer(
    "createRole",
    exchange,
    status,
    { "content-type": "application/json" },
    Buffer.from(body),
  );
}
const verdict = (check: (verify: ReturnType<Checks["verify"]>) => boolean): string | undefined => {
  const checks = new Checks();
  check(checks.verify("CORE-ROLE-01"));
  return checks.records[0]?.verdict;
};

test("a refusal is any client error unless the interface names the status", () => {
  expect(verdict((verify) => verify.refused(answer(422, "")))).toBe("pass");
  expect(verdict((verify) => verify.refused(answer(422, ""), 400))).toBe("fail");
  expect(verdict((verify) => verify.refused(answer(200, "")))).toBe("fail");
  expect(verdict((verify) => verify.refused(answer(500, "")))).toBe("fail");
});

test.each([
  ["no answer within the patience", answer(0, "", { code: "UND_ERR_HEADERS_TIMEOUT", message: "" })],
  ["a connection that broke", answer(0, "", { code: "UND_ERR_SOCKET", message: "connection closed" })],
  ["an answer that limits the rate", answer(429, "")],
])("%s is inconclusive for every check that rests on it", (_what, given) => {
  expect(verdict((verify) => verify.accepted(given))).toBe("inconclusive");
  expect(verdict((verify) => verify.refused(given))).toBe("inconclusive");
  expect(verdict((verify) => verify.refused(given, 400))).toBe("inconclusive");
  expect(verdict((verify) => verify.shape(given))).toBe("inconclusive");
  expect(verdict((verify) => verify.equal(given.status, 200, "status", given))).toBe("inconclusive");
});

test("checks after the end of a case are ignored", () => {
  const checks = new Checks();
  checks.verify("CORE-USER-01").equal(1, 1, "first");
  checks.close();
  checks.verify("CORE-USER-01").equal(1, 2, "second");
  expect(checks.records.map((check) => check.what)).toEqual(["first"]);
});

test("equality does not mind how an integer was parsed or the order of members", () => {
  expect(verdict((verify) => verify.equal({ a: 1n, b: [2] }, { b: [2n], a: 1 }, "x"))).toBe("pass");
  expect(
    verdict((verify) => verify.equal(18_446_744_073_709_551_615n, 18_446_744_073_709_551_614n, "x")),
  ).toBe("fail");
});

test("a shape names the place, what should be there and what is", () => {
  const checks = new Checks();
  checks
    .verify("CORE-ROLE-01")
    .shape(answer(200, '{"data":{"id":"1","name":"a","description":"","permissions":[],"users":[]}}'));
  expect(checks.records[0]).toMatchObject({
    verdict: "fail",
    expected: "/data/id: integer",
    observed: 'string "1"',
    exchange: 3,
  });
});

test("on a delayed machine a late value is inconclusive, an early or far too late one is not", () => {
  const checks = new Checks(() => 400);
  const late = (low: number, high: number): void => {
    const measurement = {
      name: "delay",
      unit: "s",
      interval: { low, high },
      limits: { low: 4.5, high: 5.5 },
      observers: [],
    };
    checks.verify("CORE-CONFIG-31").within(measurement);
  };
  late(5.6, 5.7);
  late(4.2, 4.3);
  late(6.4, 6.5);
  late(4.9, 5.1);
  expect(checks.records.map(({ verdict }) => verdict)).toEqual(["inconclusive", "fail", "fail", "pass"]);
  expect(checks.measurements.map(({ low }) => Number(low.toFixed(1)))).toEqual([5.2, 4.2, 6, 4.9]);
});

test("an interval without an end is judged, but leaves no figure in the record", () => {
  const checks = new Checks();
  const limits = { low: 29, high: 31 };
  const told = { name: "validity", unit: "s", observers: ["attempts"], limits };
  checks.verify("CORE-AUTH-16").within({ ...told, interval: { low: 31.1, high: Number.POSITIVE_INFINITY } });
  checks.verify("CORE-AUTH-16").within({ ...told, interval: { low: 30, high: Number.POSITIVE_INFINITY } });
  expect(checks.records.map((check) => check.verdict)).toEqual(["fail", "inconclusive"]);
  expect(checks.records[0]?.observed).toBe("at least 31.100 s");
  expect(checks.measurements).toEqual([]);
});

test("a check that fails while the rig was disturbed is inconclusive and says why; one that passes stays", () => {
  const checks = new Checks(undefined, undefined, () => "the devices stood still for 400 ms");
  checks.verify("CORE-FIELD-03").equal(2, 3, "value in the stream");
  checks.verify("CORE-FIELD-03").equal(3, 3, "value in the stream");
  expect(checks.records.map(({ verdict: one, observed }) => [one, observed])).toEqual([
    ["inconclusive", "2 (inconclusive: the devices stood still for 400 ms)"],
    ["pass", "3"],
  ]);
});

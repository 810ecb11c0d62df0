import { expect, test } from "vitest";
import type { Verdict } from "../../record/index.ts";
import { type TestCase, testCase } from "../suite/case.ts";
import type { FinishedCase } from "./caseRun.ts";
import { lacksRoom, runConfirmed } from "./confirmed.ts";

const streaming = testCase({
  id: "field/values",
  title: "Values arrive",
  group: "tags",
  requirements: ["CORE-FIELD-01", "CORE-FIELD-02"],
  effect: "reversible",
  touches: [],
  equipment: ["field-devices"],
  run: () => Promise.resolve(),
});

function finished(verdict: Verdict): FinishedCase {
  const check = { what: "value", expected: "1", observed: "0" };
  return {
    record: {
      id: streaming.id,
      title: streaming.title,
      group: "tags",
      requirements: [...streaming.requirements],
      effect: "reversible",
      verdict,
      reason: "value: expected 1, observed 0",
      reasonCode: verdict === "inconclusive" ? "undecided-check" : "check-failed",
      durationMs: 1,
      seed: 1,
      checks: [
        { requirement: "CORE-FIELD-01", verdict, ...check },
        { requirement: "CORE-FIELD-02", verdict: "pass", ...check },
      ],
      measurements: [],
      notes: [],
      decided: [
        { requirement: "CORE-FIELD-01", verdict },
        { requirement: "CORE-FIELD-02", verdict: "pass" },
      ],
    },
    exchanges: [],
    answers: [],
    cells: new Set(),
    notUndone: [],
  };
}

async function verdictsOf(
  verdicts: readonly Verdict[],
  {
    isBusy = true,
    isLineImpaired = false,
    baseUrl = "http://127.0.0.1:8080",
    subject = streaming as TestCase,
  } = {},
): Promise<{ runs: number; record: FinishedCase["record"] }> {
  const left = [...verdicts];
  const { record } = await runConfirmed(
    subject,
    { kind: "remote", baseUrl, isLineImpaired },
    () => Promise.resolve(finished(left.shift() ?? "error")),
    () => () => isBusy,
  );
  return { runs: verdicts.length - left.length, record };
}

test("on a busy machine a failure that does not repeat is inconclusive, with both facts in its reason", async () => {
  const { runs, record } = await verdictsOf(["fail", "pass"]);
  expect(runs).toBe(2);
  expect(record).toMatchObject({ verdict: "inconclusive", reasonCode: "not-confirmed" });
  expect(record.reason).toContain(
    "expected 1, observed 0 (inconclusive: the machine of the gateway was busy",
  );
  expect(record.checks.map(({ verdict }) => verdict)).toEqual(["inconclusive", "pass"]);
  expect(record.decided.map(({ verdict }) => verdict)).toEqual(["inconclusive", "pass"]);
});

test.each([
  [["inconclusive", "pass"], 2, "pass", 1],
  [["inconclusive", "inconclusive", "pass"], 3, "pass", 2],
  [["inconclusive", "inconclusive", "inconclusive", "pass"], 3, "inconclusive", 2],
  [["inconclusive", "fail", "fail"], 3, "fail", 1],
  [["inconclusive", "fail", "pass"], 3, "inconclusive", 1],
  [["inconclusive", "inconclusive", "fail", "pass"], 4, "inconclusive", 2],
] as const)(
  "an inconclusive check is measured up to twice more: %j takes %i runs and is %s, with %i notes",
  async (all, runs, verdict, notes) => {
    const result = await verdictsOf(all);
    expect(result).toMatchObject({ runs, record: { verdict } });
    expect(result.record.notes).toEqual(
      Array.from(
        { length: notes },
        () => "measured again on a busy machine, because of value: expected 1, observed 0",
      ),
    );
  },
);

test("a failure that repeats stays a failure", async () => {
  expect(await verdictsOf(["fail", "fail"])).toMatchObject({ runs: 2, record: { verdict: "fail" } });
});

test.each([
  ["an idle machine", { isBusy: false }],
  ["a gateway elsewhere", { baseUrl: "http://192.0.2.1" }],
  ["a case that rests on no time", { subject: { ...streaming, equipment: [] } }],
])("%s: a failure needs no second run", async (_what, circumstances) => {
  expect(await verdictsOf(["fail", "pass"], circumstances)).toMatchObject({
    runs: 1,
    record: { verdict: "fail" },
  });
});

test("on an impaired line an inconclusive check is measured until it is decided, six times at most", async () => {
  const onTheLine = { isBusy: false, isLineImpaired: true };
  const open = (count: number): Verdict[] => Array.from({ length: count }, () => "inconclusive");
  expect(await verdictsOf([...open(2), "pass"], onTheLine)).toMatchObject({
    runs: 3,
    record: {
      verdict: "pass",
      notes: Array.from(
        { length: 2 },
        () => "measured again on an impaired line, because of value: expected 1, observed 0",
      ),
    },
  });
  expect(await verdictsOf([...open(1), "fail"], onTheLine)).toMatchObject({
    runs: 2,
    record: { verdict: "fail" },
  });
  expect(await verdictsOf(open(8), onTheLine)).toMatchObject({
    runs: 6,
    record: { verdict: "inconclusive" },
  });
});

test("a case lacks room that failed by a rejected creation, its turn or an ended sign-in, or did not get its precondition", () => {
  const { record } = finished("fail");
  const [check] = record.checks;
  const refused = (
    operation: "addUser" | "updateUser" | "signIn",
    status: number,
    session = "admin",
  ): boolean => {
    const request = { method: "POST", url: "http://127.0.0.1/", headers: {} };
    const exchange = {
      number: 3,
      operation,
      session,
      startedMs: 0,
      durationMs: 1,
      request,
      answer: { status, headers: {}, body: "", bodyBytes: 0 },
    };
    const checks = check === undefined ? [] : [{ ...check, exchange: 3 }];
    return lacksRoom({ record: { ...record, checks }, exchanges: [exchange] });
  };
  expect([refused("addUser", 409), refused("addUser", 507), refused("addUser", 400)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([refused("updateUser", 409), refused("updateUser", 503), refused("updateUser", 507)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([refused("updateUser", 401), refused("signIn", 401)]).toEqual([true, false]);
  const others = [refused("updateUser", 440, "a user"), refused("signIn", 403, "anonymous")];
  expect(others).toEqual([true, false]);
  const unmet = { ...record, verdict: "inconclusive", reasonCode: "precondition-unmet" } as const;
  expect(lacksRoom({ record: unmet, exchanges: [] })).toBe(true);
  expect(lacksRoom(finished("inconclusive"))).toBe(true);
  expect(lacksRoom(finished("pass"))).toBe(false);
});

import { expect, test } from "vitest";
import { type Exchange, Unmet } from "../../record/index.ts";
import { Answer } from "./answer.ts";

const exchange: Exchange = {
  number: 1,
  operation: "getReboot",
  session: "admin",
  startedMs: 0,
  durationMs: 1,
  request: { method: "GET", url: "http://gateway/system/reboot", headers: {} },
  noAnswer: undefined,
};

function schedule(data: object, status = 200): Answer<"getReboot"> {
  return new Answer("getReboot", exchange, status, {}, Buffer.from(JSON.stringify({ data })));
}

const at = { minute: "1", hour: "2", day: "*", month: "*", dayOfWeek: "*" };
const whole = {
  at,
  enableScheduler: false,
  lastBootAt: "2026-01-02T03:04:05Z",
  nextTriggerAt: "2026-01-02T03:04:05Z",
};

test("a deviation of one member does not matter to a reader of others", () => {
  const answer = schedule({ ...whole, nextTriggerAt: 7 });
  const { lastBootAt, enableScheduler } = answer.data();
  expect([lastBootAt, enableScheduler]).toEqual(["2026-01-02T03:04:05Z", false]);
  expect(() => answer.data().nextTriggerAt).toThrow(Unmet);
  expect(() => answer.data().nextTriggerAt).toThrow("/data/nextTriggerAt");
  expect(() => ({ ...answer.data() })).toThrow("/data/nextTriggerAt");
});

test("a deviation inside a member matters to a reader of that member alone", () => {
  const answer = schedule({ ...whole, at: { ...at, hour: 2 } });
  expect(() => answer.data().at.hour).toThrow("/data/at/hour");
  expect(answer.data().enableScheduler).toBe(false);
});

test("members beyond the interface are in the whole body only", () => {
  const more = { ...whole, uptimeSec: 7, at: { ...at, year: "2026" } };
  const answer = schedule(more);
  expect(answer.data()).toEqual(whole);
  expect(answer.json).toEqual({ data: more });
});

test("without success or data there is nothing to read", () => {
  expect(() => schedule(whole, 500).data()).toThrow(Unmet);
  expect(() => schedule([]).data()).toThrow(Unmet);
});

test("429, and 503 with a time to wait, limit the rate, except for a sign-in whose name may be locked", () => {
  const nothing = Buffer.alloc(0);
  const limits = (
    id: "signIn" | "getReboot",
    headers: Record<string, string>,
    isLockPossible?: boolean,
  ): boolean => new Answer(id, exchange, 429, headers, nothing, isLockPossible).limitsRate;
  expect(limits("getReboot", {})).toBe(true);
  expect(limits("signIn", { "retry-after": "1" })).toBe(true);
  expect(limits("signIn", {})).toBe(false);
  expect(limits("signIn", { "retry-after": "10" }, true)).toBe(false);
  expect(new Answer("signIn", exchange, 401, {}, nothing).limitsRate).toBe(false);
  const without = (id: "getReboot" | "readTag", headers: Record<string, string>): boolean =>
    new Answer(id, exchange, 503, headers, nothing).limitsRate;
  expect([without("getReboot", {}), without("getReboot", { "retry-after": "2" })]).toEqual([false, true]);
  // Of a tag it says that its device is away.
  expect(without("readTag", { "retry-after": "2" })).toBe(false);
});

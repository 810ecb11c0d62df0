import { expect, test } from "vitest";
import { type Exchange, Unmet } from "../../record/index.ts";
import { Answer } from "./answer.ts";

function schedule(data: object, status = 200): Answer<"getReboot"> {
  const exchange: Exchange = {
    number: 1,
    operation: "getReboot",
    session: "admin",
    startedMs: 0,
    durationMs: 1,
    request: { method: "GET", url: "http://gateway/system/reboot", headers: {} },
    noAnswer: undefined,
  };
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
  expect(answer.members("lastBootAt", "enableScheduler")).toMatchObject({
    lastBootAt: "2026-01-02T03:04:05Z",
    enableScheduler: false,
  });
  expect(() => answer.members("nextTriggerAt")).toThrow(Unmet);
  expect(() => answer.data()).toThrow("/data/nextTriggerAt");
});

test("a deviation inside a member matters to a reader of that member alone", () => {
  const answer = schedule({ ...whole, at: { ...at, hour: 2 } });
  expect(() => answer.members("at")).toThrow("/data/at/hour");
  expect(answer.members("enableScheduler").enableScheduler).toBe(false);
});

test("without success or data there are no members", () => {
  expect(() => schedule(whole, 500).members("at")).toThrow(Unmet);
  expect(() => schedule([]).members("enableScheduler")).toThrow(Unmet);
});

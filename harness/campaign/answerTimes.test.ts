import { expect, test } from "vitest";
import type { Exchange } from "../../record/exchange.ts";
import { AnswerTimes } from "./answerTimes.ts";

function exchange(operation: Exchange["operation"], durationMs: number, isAnswered = true): Exchange {
  return {
    number: 1,
    operation,
    session: "admin",
    startedMs: 0,
    durationMs,
    request: { method: "GET", url: "http://127.0.0.1/", headers: {} },
    ...(isAnswered ? { answer: { status: 200, headers: {}, body: "", bodyBytes: 0 } } : {}),
  };
}

test("answers are counted by operation; what was never answered and what is no operation are not", () => {
  const times = new AnswerTimes();
  times.take([exchange("listRoles", 4), exchange("getSsh", 8), exchange("getSsh", 30_000, false)]);
  times.take([exchange("getSsh", 2), exchange("raw", 900)]);
  const { all, operations } = times.distributions() ?? { operations: [] };
  expect(all).toMatchObject({ count: 3, min: 2, max: 8 });
  expect(operations.map(({ name, count, max }) => [name, count, max])).toEqual([
    ["getSsh", 2, 8],
    ["listRoles", 1, 4],
  ]);
});

test("a campaign without a single answer has no answer times", () => {
  expect(new AnswerTimes().distributions()).toBeUndefined();
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { History, RegisterOperation } from "./history.ts";
import { explain } from "./linearisable.ts";

/** `w 1-3 a`: written from 1 to 3; `r 4-5 a`: read; `w 1- a`: without an answer. */
function history(...lines: string[]): History {
  return lines.map((line, index) => {
    const [, kind, called, returned, value = ""] = /^([rw]) (\d+)-(\d*) (\w+)$/.exec(line) ?? [];
    return {
      client: `client ${index}`,
      kind: kind === "r" ? "read" : "write",
      value,
      calledMs: Number(called),
      returnedMs: returned === "" ? Number.POSITIVE_INFINITY : Number(returned),
    };
  });
}

test.each([
  ["no operation", history()],
  ["sequential operations", history("w 1-2 a", "r 3-4 a", "w 5-6 b", "r 7-8 b")],
  ["a read of the initial value", history("r 1-2 start", "w 3-4 a")],
  ["a read during a write returns the old value", history("w 1-10 a", "r 2-3 start", "r 11-12 a")],
  ["a read during a write returns the new value", history("w 1-10 a", "r 2-3 a", "r 4-5 a")],
  ["two simultaneous writes, in either order", history("w 1-10 a", "w 2-9 b", "r 11-12 a", "r 13-14 a")],
  ["a long write between two reads", history("w 1-100 a", "w 2-3 b", "r 4-5 b", "r 6-7 a", "r 101-102 a")],
  ["a write without an answer that took effect late", history("w 1- a", "w 2-3 b", "r 4-5 b", "r 6-7 a")],
  [
    "a write without an answer that never took effect",
    history("w 1- a", "w 2-3 b", "r 4-5 b", "r 600-700 b"),
  ],
])("is explained: %s", (_name, operations) => {
  expect(explain(operations, "start").isExplained).toBe(true);
});

test.each([
  ["a value that was never written", history("w 1-2 a", "r 3-4 b"), 1],
  ["a read of an overwritten value", history("w 1-2 a", "w 3-4 b", "r 5-6 a"), 3],
  ["a lost update", history("w 1-2 a", "r 3-4 start"), 2],
  ["new, then old again", history("w 1-10 a", "r 2-3 a", "r 4-5 start"), 3],
  [
    "two readers who see two writes in different orders",
    history("w 1-20 a", "w 1-20 b", "r 2-3 a", "r 4-5 b", "r 6-7 a"),
    5,
  ],
  ["a read before its write was called", history("r 1-2 a", "w 3-4 a"), 2],
  [
    "amid much that is fine",
    history("w 1-2 a", "r 3-4 a", "w 5-6 b", "r 7-8 b", "w 9-10 c", "r 11-12 b", "r 13-14 c"),
    3,
  ],
])("is not explained: %s", (_name, operations, size) => {
  const result = explain(operations, "start");
  expect(result.isExplained ? "explained" : result.conflict).toHaveLength(size);
});

/** A history of a register that does what it should: each operation takes effect at one instant of its interval. */
const soundHistory = fc
  .array(fc.record({ isWrite: fc.boolean(), effect: fc.nat(300), before: fc.nat(30), after: fc.nat(30) }), {
    maxLength: 60,
  })
  .map((plans) => {
    let value = "start";
    return plans
      .map((plan, index) => ({ ...plan, at: plan.effect + index / 1000, index }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ isWrite, at, before, after, index }): RegisterOperation => {
        if (isWrite) value = `v${index}`;
        return {
          client: String(index),
          kind: isWrite ? "write" : "read",
          value,
          calledMs: at - before,
          returnedMs: at + after,
        };
      });
  });

test("every history of a correct register is explained by an order within its intervals and values", () => {
  const property = fc.property(soundHistory, (operations) => {
    const result = explain(operations, "start");
    if (!result.isExplained) return false;
    let value = "start";
    for (const [index, one] of result.order.entries()) {
      if (one.kind === "write") value = one.value;
      else if (one.value !== value) return false;
      if (result.order.slice(index + 1).some((later) => later.returnedMs < one.calledMs)) return false;
    }
    return result.order.length === operations.length;
  });
  expect(fc.check(property, { numRuns: 300 })).toMatchObject({ failed: false });
});

test("a stale read inserted into a correct history is found", () => {
  const property = fc.property(soundHistory, (operations) => {
    const endMs = Math.max(0, ...operations.map((one) => one.returnedMs)) + 1;
    const late = { client: "late", calledMs: endMs, returnedMs: endMs + 1 };
    const last: RegisterOperation = { ...late, kind: "write", value: "last" };
    const stale: RegisterOperation = {
      ...late,
      kind: "read",
      value: "start",
      calledMs: endMs + 2,
      returnedMs: endMs + 3,
    };
    return !explain([...operations, last, stale], "start").isExplained;
  });
  expect(fc.check(property, { numRuns: 300 })).toMatchObject({ failed: false });
});

test("a history of many clients is decided quickly", () => {
  const operations = Array.from({ length: 600 }, (_, index): RegisterOperation => {
    const round = Math.floor(index / 12);
    const isWrite = index % 12 < 6;
    return {
      client: `client ${index % 12}`,
      kind: isWrite ? "write" : "read",
      value: isWrite ? `v${index}` : `v${round * 12 + ((index * 7) % 6)}`,
      calledMs: round * 10,
      returnedMs: round * 10 + 9,
    };
  });
  expect(explain(operations, "start").isExplained).toBe(true);
});

import { expect, test } from "vitest";
import type { TestCase } from "../suite/case.ts";
import { aCase } from "../testing/aCase.ts";
import { conflict, inOrder } from "./plan.ts";

test("cases are ordered by side effect and otherwise stay in the suite's order", () => {
  const cases = [
    aCase("reset", { effect: "resets" }),
    aCase("a"),
    aCase("read", { effect: "read-only" }),
    aCase("b"),
  ];
  expect(inOrder(cases).map((one) => one.id)).toEqual(["read", "a", "b", "reset"]);
});

test("cases that touch the same domain do not overlap, others do", () => {
  expect(conflict(aCase("a", { touches: ["ssh"] }), aCase("b", { touches: ["ssh", "log"] }))).toBe(true);
  expect(conflict(aCase("a", { touches: ["ssh"] }), aCase("b", { touches: ["log"] }))).toBe(false);
  expect(conflict(aCase("a", { touches: ["everything"] }), aCase("b", { touches: ["log"] }))).toBe(true);
  expect(conflict(aCase("a", { alone: true }), aCase("b"))).toBe(true);
});

test("cases may rely on the same state together, but not while another changes it", () => {
  const relies = (id: string): TestCase => aCase(id, { reliesOn: ["ssh"] });
  expect(conflict(relies("a"), relies("b"))).toBe(false);
  expect(conflict(relies("a"), aCase("b", { touches: ["ssh"] }))).toBe(true);
  expect(conflict(aCase("a", { touches: ["everything"] }), relies("b"))).toBe(true);
});

test("cases may add to the same state together and while another relies on it, but not while one changes it", () => {
  const adds = (id: string): TestCase => aCase(id, { addsTo: ["accounts"] });
  expect(conflict(adds("a"), adds("b"))).toBe(false);
  expect(conflict(adds("a"), aCase("b", { touches: ["accounts"] }))).toBe(true);
  expect(conflict(aCase("a", { reliesOn: ["accounts"] }), adds("b"))).toBe(false);
  expect(conflict(adds("a"), aCase("b", { touches: ["everything"] }))).toBe(true);
});

test("a case that may keep others waiting for long goes first, but not before milder side effects", () => {
  const cases = [
    aCase("short"),
    aCase("short on ssh", { touches: ["ssh"] }),
    aCase("long", { deadlineMs: 60_000 }),
    aCase("long on ssh", { touches: ["ssh"], deadlineMs: 90_000 }),
    aCase("long reboot", { effect: "reboots", deadlineMs: 240_000 }),
    aCase("half a minute", { leastMs: 30_000 }),
  ];
  expect(inOrder(cases).map((one) => one.id)).toEqual([
    "half a minute",
    "short on ssh",
    "long on ssh",
    "long",
    "short",
    "long reboot",
  ]);
});

import { expect, test } from "vitest";
import type { TestCase } from "../suite/case.ts";
import { aCase } from "../testing/aCase.ts";
import { Schedule, type Site, waitReason } from "./schedule.ts";

const first: Site = { number: 0, suits: () => true };
const second: Site = { number: 1, suits: ({ equipment }) => equipment === undefined };

/** Everything that may start now on the gateway. */
function taken(schedule: Schedule, site: Site, sites: readonly Site[] = [first]): TestCase[] {
  const cases: TestCase[] = [];
  for (let next = schedule.take(site, sites); next; next = schedule.take(site, sites)) cases.push(next);
  return cases;
}

const ids = (cases: readonly TestCase[]): string[] => cases.map(({ id }) => id);

test("a case that reboots runs alone, and only after everything milder has ended", () => {
  const schedule = new Schedule([aCase("reboot", { effect: "reboots" }), aCase("mild")]);
  const mild = taken(schedule, first);
  expect(ids(mild)).toEqual(["mild"]);
  mild.forEach((one) => schedule.done(one));
  expect(ids(taken(schedule, first))).toEqual(["reboot"]);
});

test("a blocked case lets another of the same side effect pass, but none with a stronger one", () => {
  const schedule = new Schedule([
    aCase("1", { touches: ["ssh"] }),
    aCase("2", { touches: ["ssh"] }),
    aCase("3", { touches: ["log"] }),
    aCase("4", { effect: "reboots" }),
  ]);
  expect(ids(taken(schedule, first))).toEqual(["1", "3"]);
});

test("at most four cases run on a gateway", () => {
  const schedule = new Schedule(["1", "2", "3", "4", "5"].map((id) => aCase(id)));
  expect(taken(schedule, first)).toHaveLength(4);
});

test("a case that mostly waits leaves its place to another", () => {
  const waiting = ["a", "b"].map((id) => aCase(id, { leastMs: 10_000 }));
  const schedule = new Schedule([...waiting, ...["1", "2", "3", "4", "5"].map((id) => aCase(id))]);
  expect(ids(taken(schedule, first))).toEqual(["a", "b", "1", "2", "3", "4"]);
});

test("a second gateway begins with what reboots and takes no case whose equipment it lacks", () => {
  const schedule = new Schedule([
    aCase("quiet"),
    aCase("wired", { equipment: ["field-devices"] }),
    aCase("reboot", { effect: "reboots" }),
  ]);
  const sites = [first, second];
  expect(ids(taken(schedule, first, sites))).toEqual(["quiet", "wired"]);
  expect(ids(taken(schedule, second, sites))).toEqual(["reboot"]);
});

test("a load starts when every gateway is idle and nothing else waits, and nothing starts beside it", () => {
  const schedule = new Schedule([
    aCase("load", { load: true }),
    aCase("second load", { load: true }),
    aCase("mild"),
    aCase("alone", { alone: true }),
  ]);
  const sites = [first, second];
  const order: string[] = [];
  for (let round = 0; round < 4; round++) {
    const now = [...taken(schedule, first, sites), ...taken(schedule, second, sites)];
    order.push(ids(now).join("+"));
    now.forEach((one) => schedule.done(one));
  }
  expect(order).toEqual(["mild+alone", "load", "second load", ""]);
});

test("a load does not wait for cases that no gateway left can run", () => {
  const schedule = new Schedule([
    aCase("wired", { equipment: ["field-devices"] }),
    aCase("load", { load: true }),
  ]);
  expect(ids(taken(schedule, second, [second]))).toEqual(["load"]);
  expect(ids(schedule.waiting)).toEqual(["wired"]);
});

test("what a case waited for is named", () => {
  const ssh = aCase("ssh", { touches: ["ssh"] });
  expect(waitReason(ssh, aCase("also ssh", { reliesOn: ["ssh"] }))).toBe("shared state: ssh");
  expect(waitReason(ssh, aCase("log", { touches: ["log"] }))).toBe("at most 4 cases on a gateway");
  expect(waitReason(aCase("a", { load: true }), ssh)).toBe("a load of the machine");
  expect(waitReason(aCase("a", { effect: "resets" }), ssh)).toBe("a reboot or reset");
  expect(waitReason(ssh, aCase("read", { effect: "read-only" }))).toBe(
    "order of side effects: reversible after read-only",
  );
});

import { expect, test } from "vitest";
import {
  codeOf,
  type FleetHistory,
  type FleetTurn,
  type Outcome,
  type TurnOutcome,
} from "../../record/index.ts";
import { alertsOf } from "./alerts.ts";

const letters: Readonly<Record<string, Outcome>> = {
  p: "pass",
  f: "fail",
  y: "flaky",
  i: "inconclusive",
  q: "quarantined",
};

/** Gateways with one requirement, a letter a night: `s` quarantined, `L` failed and came late, `.` not part of the night. */
function fleet(units: Readonly<Record<string, string>>): FleetHistory {
  const count = Math.max(...Object.values(units).map((nights) => nights.length));
  return {
    madeAt: "",
    requirements: ["CORE-A-01"],
    nights: Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      startedAt: `2027-01-${String(index + 1).padStart(2, "0")}T02:00:00.000Z`,
      level: "smoke",
      selection: "",
      suiteVersion: "1",
      state: "finished",
    })),
    labs: [],
    units: Object.entries(units).map(([name, nights]) => {
      const results = nights.split("").map((letter) => {
        const outcome = letter === "L" ? "fail" : letters[letter];
        return outcome === undefined ? undefined : Uint8Array.of(codeOf(outcome));
      });
      const turns = nights.split("").map((letter): FleetTurn | undefined => {
        if (letter === ".") return undefined;
        const outcome: TurnOutcome = letter === "s" || letter === "L" ? "set-aside" : "conformant";
        return { outcome, ...(outcome === "set-aside" ? { reason: "no sign of life" } : {}) };
      });
      const night = results.findLastIndex((codes) => codes !== undefined);
      const last = { night, reasons: new Map([["CORE-A-01", "expected 1"]]) };
      return { name, lab: "a", labels: { model: "X" }, turns, results, ...(night < 0 ? {} : { last }) };
    }),
    staleAfterHours: 26,
  };
}

const rule = { alertAfter: 2, clearAfter: 2 };
const told = (nights: string): string =>
  alertsOf(fleet({ unit: nights }), rule)
    .changes.map(
      ({ state, requirements }) => `${state} ${requirements.length === 0 ? "gateway" : "requirement"}`,
    )
    .join();

test.each([
  ["pf", ""],
  ["pff", "alert requirement"],
  ["pfff", ""],
  ["pffp", ""],
  ["pffpp", "clear requirement"],
  ["pffppp", ""],
  // One passing night between ends no alert, and begins no other.
  ["pffpff", ""],
  // Nights in which it neither failed nor passed count neither way.
  ["pfyif", "alert requirement"],
  ["pffpip", "clear requirement"],
  ["pfpf", ""],
  // A quarantined failure alerts nobody; when the quarantine has expired, it counts again.
  ["pqqq", ""],
  ["pqqf", ""],
  ["pqqff", "alert requirement"],
  ["pss", "alert gateway"],
  ["psspp", "clear gateway"],
  // The night without the gateway changes no alert; a result that came late counts in the next night.
  ["pff.", ""],
  ["pfLp", "alert requirement"],
  ["pfL", "alert requirement"],
])("what the last of the nights changes: %s", (nights, expected) => {
  expect(told(nights)).toBe(expected);
});

test("every alert of a long history is sent once, and ends once", () => {
  const nights = "ppffpffppfpffpfpppff";
  const all = Array.from({ length: nights.length }, (_, index) => told(nights.slice(0, index + 1)));
  expect(all.filter((one) => one !== "")).toEqual([
    "alert requirement",
    "clear requirement",
    "alert requirement",
    "clear requirement",
    "alert requirement",
  ]);
  expect(alertsOf(fleet({ unit: nights }), rule).open).toBe(1);
});

test("gateways with the same failure since the same night are one alert", () => {
  const { changes, open } = alertsOf(fleet({ a: "ppff", b: "ppff", c: "pfff", d: "pppp" }), rule);
  expect(changes).toEqual([
    {
      state: "alert",
      requirements: ["CORE-A-01"],
      gateways: ["a", "b"].map((name) => ({ name, lab: "a", labels: { model: "X" } })),
      since: "2027-01-03T02:00:00.000Z",
      lastGood: "2027-01-02T02:00:00.000Z",
      reason: "expected 1",
    },
  ]);
  expect(open).toBe(3);
});

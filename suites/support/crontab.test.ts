import { expect, test } from "vitest";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { nextInstantsNear, tellingExpressions, zonesOf } from "./crontab.ts";

const hourMs = 3_600_000;
const indiaMs = 5.5 * hourMs;
const times = [
  "2026-11-22T13:35:00Z",
  "2026-11-30T22:00:00Z",
  "2026-12-31T23:58:00Z",
  "2026-02-28T12:00:00Z",
  "2026-01-30T00:03:00Z",
].map((text) => epochMsOf(text));

test("no telling expression is due within six hours", () => {
  for (const nowMs of times)
    for (const at of tellingExpressions(indiaMs, nowMs))
      expect([...nextInstantsNear(indiaMs, at, nowMs)][0]).toBeGreaterThan(nowMs + 6 * hourMs);
});

/** Wrong readings of an expression, as a gateway may have them. */
const misreadings: Readonly<Record<string, (at: string) => string>> = {
  "the first element of a list alone": (at) => at.replaceAll(/(\d+),\d+/g, "$1"),
  "the last element of a list alone": (at) => at.replaceAll(/\d+,(\d+)/g, "$1"),
  "a range without its end": (at) => at.replaceAll(/(\d+)-\d+/g, "$1"),
  "no day after the 30th": (at) => at.replace("12 31 * *", "12 1 * *"),
};

test.each(Object.entries(misreadings))("%s has another next time", (_name, misread) => {
  for (const nowMs of times.slice(0, 3)) {
    const differing = tellingExpressions(indiaMs, nowMs).filter((at) => {
      const [seen] = nextInstantsNear(indiaMs, misread(at), nowMs);
      return seen === undefined || !nextInstantsNear(indiaMs, at, nowMs).has(seen);
    });
    expect(differing).not.toEqual([]);
  }
});

test("the next time of a dated expression shows the time zone", () => {
  const nowMs = epochMsOf("2026-11-22T13:35:00Z");
  expect(zonesOf("23 11 25 * *", nowMs, epochMsOf("2026-11-25T05:53:00Z"))).toEqual([indiaMs]);
  expect(zonesOf("23 11 25 * *", nowMs, epochMsOf("2026-11-25T05:54:00Z"))).toEqual([]);
});

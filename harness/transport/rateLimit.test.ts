import { expect, test } from "vitest";
import { monotonicClock } from "../clock.ts";
import { Pace, retryAfterMs } from "./rateLimit.ts";

test("Retry-After is read as seconds and as a date; without it a second is waited", () => {
  const nowMs = Date.parse("2026-03-01T10:00:00Z");
  expect(retryAfterMs({ "retry-after": "3" }, nowMs)).toBe(3000);
  expect(retryAfterMs({ "retry-after": "Sun, 01 Mar 2026 10:00:05 GMT" }, nowMs)).toBe(5000);
  expect(retryAfterMs({ "retry-after": "Sun, 01 Mar 2026 09:00:00 GMT" }, nowMs)).toBe(0);
  expect(retryAfterMs({}, nowMs)).toBe(1000);
  expect(retryAfterMs({ "retry-after": "soon" }, nowMs)).toBe(1000);
});

test("requests that come at once begin no faster than declared", async () => {
  const pace = new Pace(monotonicClock, 100);
  const { signal } = new AbortController();
  const startedMs = monotonicClock.nowMs();
  await Promise.all(Array.from({ length: 11 }, () => pace.turn(signal)));
  expect(monotonicClock.nowMs() - startedMs).toBeGreaterThanOrEqual(100);
});

test("while a watch probes the gateway, requests leave room for the probes", async () => {
  const pace = new Pace(monotonicClock, 100);
  const { signal } = new AbortController();
  {
    using _probes = pace.besideProbes();
    const startedMs = monotonicClock.nowMs();
    await Promise.all(Array.from({ length: 11 }, () => pace.turn(signal)));
    expect(monotonicClock.nowMs() - startedMs).toBeGreaterThanOrEqual(300);
  }
  await pace.turn(signal);
  const startedMs = monotonicClock.nowMs();
  await Promise.all(Array.from({ length: 11 }, () => pace.turn(signal)));
  expect(monotonicClock.nowMs() - startedMs).toBeLessThan(300);
});

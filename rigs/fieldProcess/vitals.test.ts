import { expect, test } from "vitest";
import { machineMs } from "../host/instant.ts";
import { reportVitals, type Vitals, VitalSigns } from "./vitals.ts";

test("a standstill of the reporting process is reported with its length", async () => {
  const reports: Vitals[] = [];
  using _reporting = reportVitals(
    () => [
      { requests: 7, unread: 0 },
      { requests: 9, unread: 2 },
    ],
    (vitals) => void reports.push(vitals),
  );
  const startedMs = machineMs();
  while (machineMs() - startedMs < 400);
  await expect.poll(() => reports.flatMap(({ stalls }) => stalls).length).toBeGreaterThan(0);
  expect(
    Math.max(...reports.flatMap(({ stalls }) => stalls.map(({ lengthMs }) => lengthMs))),
  ).toBeGreaterThan(350);
  expect(reports.at(-1)?.devices[1]).toEqual({ requests: 9, unread: 2 });
});

test("standstills count as far as they lie in the time that is asked for, a present one included", () => {
  const signs = new VitalSigns();
  expect([signs.of(0), signs.stoodStillMs(0, 5000)]).toEqual([undefined, 0]);
  signs.take({ atMs: 1000, devices: [{ requests: 3, unread: 0 }], stalls: [{ endMs: 900, lengthMs: 400 }] });
  expect(signs.of(0)?.requests).toBe(3);
  expect(signs.stoodStillMs(0, 1010)).toBe(400);
  expect(signs.stoodStillMs(700, 1010)).toBe(200);
  expect(signs.stoodStillMs(900, 1010)).toBe(0);
  // No report for 600 ms: it may be standing still now.
  expect(signs.stoodStillMs(900, 1600)).toBe(600);
  signs.take({ atMs: 1700, devices: [{ requests: 4, unread: 0 }], stalls: [] });
  expect(signs.stoodStillMs(900, 1710)).toBe(0);
});

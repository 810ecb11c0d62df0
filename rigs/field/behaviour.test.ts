import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { counter, noise, ramp, readTrace, step } from "./behaviour.ts";

test("behaviours are functions of time alone", () => {
  expect([0, 99, 100, 250].map(counter(100))).toEqual([0, 0, 1, 2]);
  expect([0, 500, 1000].map(ramp(0, 100, 1000))).toEqual([0, 50, 0]);
  expect([0, 9.9, 10].map(step(1, 2, 10))).toEqual([1, 1, 2]);
  const first = [0, 100, 200, 300].map(noise(50, 20, 100, 7));
  expect([0, 100, 200, 300].map(noise(50, 20, 100, 7))).toEqual(first);
  expect(new Set(first).size).toBeGreaterThan(1);
  expect(first.every((value) => Number(value) >= 40 && Number(value) <= 60)).toBe(true);
});

test("a recorded trace is read from a file, and a wrong line is named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  const file = join(folder, "trace.csv");
  await writeFile(file, "ms,value\n0,5\n100,7\n");
  const behaviour = await readTrace(file);
  expect([0, 99, 100, 5000].map(behaviour)).toEqual([5, 5, 7, 7]);
  await writeFile(file, "ms,value\n0,5\nten,7\n");
  await expect(readTrace(file)).rejects.toThrow("trace.csv:3: expected milliseconds and a value");
  await rm(folder, { recursive: true });
});

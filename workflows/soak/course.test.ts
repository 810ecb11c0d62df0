import { expect, test } from "vitest";
import { Course } from "./course.ts";
import { judgeSoak } from "./judge.ts";
import type { Sample } from "./sample.ts";

const rules = { warmUpSec: 240, blockSec: 10 };

function sample(index: number, more: Partial<Sample> = {}): Sample {
  return {
    kind: "sample",
    at: new Date(index * 10_000).toISOString(),
    from: index * 10,
    to: index * 10 + 10,
    boot: 1,
    bootSec: index * 10 + 10,
    disturbed: false,
    operations: { getLog: { calls: 10, lowMs: 1, medianMs: 2, p99Ms: 3, longestMs: 3 } },
    changes: { received: 1000, lost: 0, repeated: 0, disordered: 0, lowMs: 5, medianMs: 20, p99Ms: 40 },
    restarts: { ordered: 0, unordered: 0 },
    memoryBytes: 100 * 2 ** 20,
    harness: { rssBytes: 1, heapBytes: 1 },
    ...more,
  };
}

const rejected = {
  getLog: { calls: 9, lowMs: 1, medianMs: 2, p99Ms: 3, longestMs: 3, errors: { "503": 1 } },
};

function verdictOf(id: string, samples: readonly Sample[]): string | undefined {
  const course = new Course(rules.warmUpSec);
  for (const one of samples) course.take(one);
  return judgeSoak(course, rules).findings.find((one) => one.id === id)?.verdict;
}

test("a lost change, a restart and a rejection are reported, however rare", () => {
  const calm = Array.from({ length: 100 }, (_, index) => sample(index));
  const with50 = (more: Partial<Sample>): Sample[] =>
    calm.map((one, index) => (index === 50 ? { ...one, ...more } : one));
  for (const id of ["changes", "restarts", "errors"]) expect(verdictOf(id, calm)).toBe("pass");
  const changes = { received: 999, lost: 1, repeated: 0, disordered: 0 };
  expect(verdictOf("changes", with50({ changes }))).toBe("fail");
  expect(verdictOf("restarts", with50({ restarts: { ordered: 0, unordered: 1 } }))).toBe("fail");
  expect(verdictOf("errors", with50({ operations: rejected }))).toBe("fail");
});

test("requests that fail around a restart are not counted, also just before it was noticed", () => {
  const samples = Array.from({ length: 20 }, (_, index) =>
    sample(index, {
      disturbed: index === 10,
      ...(index >= 9 && index <= 11 ? { operations: rejected } : {}),
    }),
  );
  expect(verdictOf("errors", samples)).toBe("pass");
});

test("72 hours stay within the same number of points", () => {
  const course = new Course(rules.warmUpSec);
  for (let index = 0; index < 25_920; index++) course.take(sample(index));
  for (const { points } of course.series.values()) {
    expect(points.length).toBeLessThanOrEqual(2048);
    expect(points.length).toBeGreaterThan(500);
    expect(points.at(-1)?.to).toBe(259_200);
  }
  expect(course.changes.received).toBe(25_920_000);
});

test("a rare operation that becomes slow with the machine is not reported, one that becomes slow alone is", () => {
  const soak = (hasBusyMachine: boolean): Sample[] =>
    Array.from({ length: 120 }, (_, index) => {
      // A machine that is busy for ever longer spares the fast answers of what is called often.
      const slower = (1 + index / 40) * (1 + 0.3 * ((index % 3) - 1));
      const medianMs = hasBusyMachine ? 0.6 * slower : 0.6;
      return sample(index, {
        operations: {
          setLog: { calls: 2, lowMs: 5 * slower, medianMs: 5 * slower, p99Ms: 90, longestMs: 90 },
        },
        control: { lowMs: 0.5, medianMs },
      });
    });
  expect(verdictOf("operation/setLog", soak(true))).not.toBe("fail");
  expect(verdictOf("operation/setLog", soak(false))).toBe("fail");
});

test("long work that becomes slow with the machine is not reported where short work stays fast", () => {
  const soak = (hasBusyMachine: boolean): Sample[] =>
    Array.from({ length: 120 }, (_, index) => {
      const slower = (1 + index / 40) * (1 + 0.3 * ((index % 3) - 1));
      return sample(index, {
        operations: {
          signIn: { calls: 12, lowMs: 30 * slower, medianMs: 30 * slower, p99Ms: 90, longestMs: 90 },
        },
        control: { lowMs: 0.5, medianMs: 0.6, longMs: hasBusyMachine ? 10 * slower : 10 },
      });
    });
  expect(verdictOf("operation/signIn", soak(true))).not.toBe("fail");
  expect(verdictOf("operation/signIn", soak(false))).toBe("fail");
});

test("fast changes that arrive later while the median stays are no drift; both together are", () => {
  const soak = (medianRises: boolean): Sample[] =>
    Array.from({ length: 120 }, (_, index) => {
      const noise = (index % 3) - 1;
      const rise = index / 10;
      const changes = { received: 1000, lost: 0, repeated: 0, disordered: 0, p99Ms: 90 };
      const medianMs = 30 + noise + (medianRises ? rise : 0);
      return sample(index, { changes: { ...changes, lowMs: 10 + noise + rise, medianMs } });
    });
  expect(verdictOf("stream-latency-low", soak(false))).toBe("inconclusive");
  expect(verdictOf("stream-latency-low", soak(true))).toBe("fail");
});

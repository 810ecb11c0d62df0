import fc from "fast-check";
import { expect, test } from "vitest";
import { outcomes } from "../../record/index.ts";
import { decodeVerdicts, encodeVerdicts } from "./verdicts.ts";

test("a line of verdicts has all of them, and is never longer than a letter a requirement", () => {
  const runs = fc.array(fc.tuple(fc.nat(outcomes.length), fc.integer({ min: 1, max: 300 })), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(runs, (all) => {
      const codes = Uint8Array.from(all.flatMap(([code, length]) => Array.from({ length }, () => code)));
      const line = encodeVerdicts(codes);
      const read = new Uint8Array(codes.length);
      decodeVerdicts(line, read);
      expect(read).toEqual(codes);
      expect(line.length).toBeLessThanOrEqual(codes.length);
    }),
  );
});

test("a damaged line is reported", () => {
  expect(() => decodeVerdicts("p3x", new Uint8Array(9))).toThrow(/unknown letter/);
});

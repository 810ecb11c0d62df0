import { expect, test } from "vitest";
import { seededRandom } from "../../harness/index.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { anyExpressions } from "./anyCrontab.ts";
import { nextInstantIn } from "./crontab.ts";

const minuteMs = 60_000;
const zone = { nowMs: 330 * minuteMs, steadyForMs: 2 * 24 * 60 * minuteMs };
const times = ["2026-11-22T13:35:00Z", "2026-12-01T00:05:00Z", "2026-02-28T18:35:00Z"].map((text) =>
  epochMsOf(text),
);

test("no expression is due within 20 minutes", () => {
  for (const nowMs of times) {
    const found = anyExpressions(seededRandom(1), nowMs, zone);
    expect(found.length).toBeGreaterThan(40);
    for (const { localMs } of found) expect(localMs - zone.nowMs - nowMs).toBeGreaterThan(20 * minuteMs);
  }
});

/** Wrong readings of an expression, as a gateway may have them. */
const misreadings: Readonly<Record<string, (at: string) => string>> = {
  "a step of days from 0": (at) => at.replace(/^(\d+ \d+) \*\/(\d+) /, "$1 $2-31/$2 "),
  "a step of months from 0": (at) => at.replace(/ \*\/(\d+) \*$/, " $1-12/$1 *"),
  "the beginning of a later range of a list": (at) => at.replaceAll(/,(\d+)-\d+(\/\d+)?/g, ",$1"),
  "a range with a step to the end of the hours": (at) =>
    at.replace(/^(\d+ \S*?)(\d+)-\d+\/(\d+) /, "$1$2-23/$3 "),
  "a step of ranges ignored": (at) => at.replaceAll(/(\d-\d+)\/\d+/g, "$1"),
  "a field of more than 12 characters cut": (at) =>
    at.replaceAll(/\S{13,}/g, (field) => field.slice(0, 12).replace(/[^\d]$/, "")),
};

test.each(Object.entries(misreadings))("%s has another next time", (_name, misread) => {
  for (const seed of [1, 2, 3]) {
    const [nowMs = 0] = times;
    const found = anyExpressions(seededRandom(seed), nowMs, zone);
    expect(
      found.some(({ at, localMs }) => nextInstantIn(0, misread(at), nowMs + zone.nowMs) !== localMs),
    ).toBe(true);
  }
});

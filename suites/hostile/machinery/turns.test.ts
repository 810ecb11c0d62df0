import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("a turn begins after running work ends, and excludes other workers until it is given back", async () => {
  const turns = new Turns();
  const [first, second, third] = [{}, {}, {}];
  const seen: string[] = [];
  const slow = Promise.withResolvers<void>();
  const begun = turns.run(third, () => slow.promise.then(() => seen.push("begun before")));
  const taken = turns.take(first).then(() => seen.push("first has it"));
  const waiting = turns.take(second).then(() => seen.push("second has it"));
  const later = turns.run(third, async () => seen.push("begun later"));
  slow.resolve();
  await Promise.all([begun, taken]);
  await turns.run(first, async () => seen.push("first does something"));
  turns.give(third);
  expect(seen).toEqual(["begun before", "first has it", "first does something"]);
  turns.give(first);
  await waiting;
  turns.give(second);
  await later;
  expect(seen.slice(3).toSorted((a, b) => a.localeCompare(b))).toEqual(["begun later", "second has it"]);
});

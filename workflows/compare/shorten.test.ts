import fc from "fast-check";
import { expect, test } from "vitest";
import { parseProfile } from "../../harness/profile/load.ts";
import { generateSequence, recipesFor } from "./generate.ts";
import { shorten } from "./shorten.ts";
import { labelsNeeded, type Step } from "./step.ts";

const profile = parseProfile(
  "name: any\ncredentials: { name: admin, password: x }\nbinding: { extensions: [deleteRole, deleteUser] }",
  "the test",
  { environment: {} },
);
const recipes = recipesFor({ permissions: ["SYS_USER_RW"], services: ["ntp"] }, [profile, profile]);

const user = (label: string, roles: string[] = []): Step => ({
  operation: "addUser",
  as: label,
  json: {
    name: { $name: label },
    password: "Some-pass#1",
    roles: roles.map(($id) => ({ $id })),
    email: "a@b.c",
  },
});
const role = (label: string): Step => ({
  operation: "createRole",
  as: label,
  json: { name: { $name: label }, permissions: ["SYS_USER_RW"], description: "any" },
});
const show = (label: string): Step => ({ operation: "getUser", path: { id: { $id: label } } });
const list: Step = { operation: "listUsers" };

test("only the steps that matter are left, with those they depend on", async () => {
  const steps = [
    role("role1"),
    list,
    user("user1", ["role1"]),
    list,
    user("user2"),
    show("user2"),
    show("user1"),
    list,
  ];
  const shortest = await shorten(
    steps,
    (left) => Promise.resolve(left.some((step) => JSON.stringify(step) === JSON.stringify(show("user1")))),
    500,
  );
  expect(shortest.map(({ operation, as }) => as ?? operation)).toEqual(["user1", "getUser"]);
});

test("inputs that do not matter are left out, required ones stay", async () => {
  const shortest = await shorten(
    [role("role1"), user("user1", ["role1"])],
    (left) => Promise.resolve(left.some(({ as }) => as === "user1")),
    500,
  );
  expect(shortest).toEqual([
    {
      operation: "addUser",
      as: "user1",
      json: { name: { $name: "user1" }, password: "Some-pass#1", roles: [] },
    },
  ]);
});

test("no step of the result can be left out, whatever the sequence and whatever matters", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1 }), fc.integer({ min: 1, max: 4 }), async (seed, count) => {
      const steps = generateSequence(recipes, seed, 30);
      const wanted = Array.from(
        { length: count },
        (_, index) => steps[(index * 7) % steps.length]?.operation,
      );
      const stillShows = (left: readonly Step[]): boolean =>
        wanted.every((id) => left.some((step) => step.operation === id));
      const shortest = await shorten(steps, (left) => Promise.resolve(stillShows(left)), 5000);
      expect(stillShows(shortest)).toBe(true);
      for (const index of shortest.keys()) {
        const without = runnable(shortest.toSpliced(index, 1));
        expect(stillShows(without)).toBe(false);
      }
    }),
    { numRuns: 50, seed: 1 },
  );
});

test("the same seed makes the same sequence, and every step can be sent when its turn comes", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const steps = generateSequence(recipes, seed, 40);
    expect(generateSequence(recipes, seed, 40)).toEqual(steps);
    expect(runnable(steps)).toEqual(steps);
  }
});

test("the tries are limited, and the shortest so far is answered", async () => {
  let tries = 0;
  const shortest = await shorten(
    generateSequence(recipes, 3, 40),
    () => {
      tries += 1;
      return Promise.resolve(false);
    },
    10,
  );
  expect(tries).toBe(10);
  expect(shortest.length).toBeGreaterThan(30);
});

function runnable(steps: readonly Step[]): Step[] {
  const made = new Set<string>();
  return steps.filter((step) => {
    const isReady = [...labelsNeeded(step)].every((label) => made.has(label));
    if (isReady && step.as !== undefined) made.add(step.as);
    return isReady;
  });
}

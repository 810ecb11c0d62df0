import { expect, test } from "vitest";
import { behaviour } from "../../interface/behaviour/index.ts";
import { brokenByBoth, differences, isStated } from "./difference.ts";
import type { Observation } from "./observation.ts";
import { World } from "./world.ts";

const shows = behaviour("getUser");
if (shows === undefined) throw new Error("getUser has no behaviour");
const known = shows;

const email = (text: string): Observation => ({ thing: "user user1", kind: "user", field: "email", text });

/** A gateway that took a change of the e-mail address at step 0. */
function changed(text: string): World {
  const world = new World();
  world.expect("user user1", "email", text, "CORE-USER-35", 0);
  world.wrote("user", 0, "CORE-USER-39");
  return world;
}

test("the gateway that does not show a stored value violates the requirement to store it", () => {
  const a = changed('"new"').judge([email('"new"')], known, 1);
  const b = changed('"new"').judge([email('"old"')], known, 1);
  const [difference] = differences(a, b);
  expect(difference?.breaks).toMatchObject([{ side: "B", requirement: "CORE-USER-35", level: "stated" }]);
  expect(difference !== undefined && isStated(difference)).toBe(true);
});

test("a violation by both alike is no difference, but reported", () => {
  const judge = (): ReturnType<World["judge"]> => changed('"new"').judge([email('"old"')], known, 1);
  expect(differences(judge(), judge())).toEqual([]);
  expect(brokenByBoth(judge(), judge())).toEqual(["CORE-USER-35"]);
});

test("a difference of which the interface says nothing is a note", () => {
  const a = new World().judge([email('"one"')], known, 1);
  const b = new World().judge([email('"two"')], known, 1);
  const [difference] = differences(a, b);
  expect(difference).toMatchObject({ a: '"one"', b: '"two"', breaks: [] });
  expect(difference !== undefined && isStated(difference)).toBe(false);
});

test("gateways that differed before and stay unchanged are not reported again", () => {
  const [a, b] = [new World(), new World()];
  a.judge([email('"one"')], known, 0);
  b.judge([email('"two"')], known, 0);
  expect(differences(a.judge([email('"one"')], known, 1), b.judge([email('"two"')], known, 1))).toEqual([]);
});

test("a value that changes with another thing violates the requirement to leave others unchanged", () => {
  const world = changed('"new"');
  world.judge([email('"new"')], known, 1);
  world.wrote("user", 2, "CORE-USER-23");
  expect(world.judge([email('"old"')], known, 3)).toMatchObject([
    { standing: "contrary", requirement: "CORE-USER-23", expected: '"new"' },
  ]);
});

test("an answer to a change that repeats the inputs is no proof", () => {
  const world = changed('"new"');
  world.judge([email('"new"')], known, 0);
  expect(world.judge([email('"old"')], known, 1)).toMatchObject([{ requirement: "CORE-USER-35" }]);
});

test("permissions of a user follow the roles, and nothing is said while one of them is unknown", () => {
  const permissions: Observation = { ...email('["SYS_USER_RW"]'), field: "permissions" };
  const world = new World();
  world.expect("user user1", "roles", '["role1"]', "CORE-USER-22", 0);
  world.judge([{ ...permissions, text: "[]" }], known, 1);
  expect(world.judge([permissions], known, 2)).toMatchObject([{ standing: "unknown" }]);
  world.expect("role role1", "permissions", "[]", "CORE-ROLE-19", 3);
  expect(world.judge([permissions], known, 4)).toMatchObject([
    { standing: "contrary", requirement: "CORE-USER-57", expected: "[]" },
  ]);
});

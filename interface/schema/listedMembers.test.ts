import Type from "typebox";
import { expect, test } from "vitest";
import { keepListed } from "./listedMembers.ts";
import { operation } from "../operations/index.ts";

test("members that the interface does not list are left out, at any depth and in lists", () => {
  const schema = operation("listRoles").answer ?? Type.Any();
  const role = {
    id: 1,
    name: "a",
    description: "",
    permissions: ["x"],
    users: [{ id: 2, name: "b", more: 1 }],
  };
  expect(keepListed(schema, { count: 1, data: [{ ...role, more: {} }], more: [] })).toEqual({
    count: 1,
    data: [{ ...role, users: [{ id: 2, name: "b" }] }],
  });
});

test("null, bare values, and objects whose members are not shown stay as they are", () => {
  const { answer = Type.Any() } = operation("getUpgradeJob");
  const at = { minute: "1" };
  expect(keepListed(answer, { data: { parameter: { at, id: null, more: 1 }, createdAt: null } })).toEqual({
    data: { parameter: { at, id: null }, createdAt: null },
  });
  expect(keepListed(answer, "text")).toBe("text");
});

import { Command } from "commander";
import { expect, test } from "vitest";
import { selectOption } from "./options.ts";

const selected = (...words: readonly string[]): unknown =>
  new Command()
    .addOption(selectOption("run only these").default("", "all"))
    .parse([...words], { from: "user" })
    .opts()["select"];

test("several selections are one, in their order; without any everything is selected", () => {
  expect(selected()).toBe("");
  expect(selected("--select", "roles")).toBe("roles");
  expect(selected("--select", "roles,users", "--select", "!timing")).toBe("roles,users,!timing");
});

import { describe, expect, it } from "vitest";
import { requirementTable } from "./requirementTable.ts";

describe("the table of requirements", () => {
  const rows = [
    {
      id: "CORE-REBOOT-01",
      level: "stated",
      statement: "The gateway restarts within the time that was asked for.",
      cases: ["a", "b"],
    },
    { id: "CORE-REBOOT-02", level: "stated", statement: "Short.", cases: [] },
  ];

  it("fits the terminal", () => {
    const lines = requirementTable(rows, 60).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(lines[0]).toBe("ID              LEVEL   CASES  STATEMENT");
    expect(lines[1]).toMatch(/^CORE-REBOOT-01 {2}stated {2}2 {6}The gateway restarts/);
    expect(lines[2]).toMatch(/^ {31}\S/);
  });

  it("keeps a row on one line when it goes to a pipe", () => {
    expect(requirementTable(rows, undefined).split("\n")[1]).toMatch(/that was asked for\.$/);
  });
});

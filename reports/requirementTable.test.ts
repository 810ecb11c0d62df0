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

  const placed = rows.map((row, index) => ({
    ...row,
    group: "reboot",
    place: index === 0 ? "Resources, Reboot schedule: at (request), at (response)" : "Endpoints 5, Get",
  }));

  it("shows id, level, place and statement within 120 columns, place and statement wrapped", () => {
    const long = placed.map((row) => ({ ...row, statement: `${row.statement} `.repeat(3).trim() }));
    const lines = requirementTable(long, 120).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(lines[0]).toMatch(/^ID +LEVEL +CASES +PLACE +STATEMENT$/);
    const column = lines[0]?.indexOf("STATEMENT") ?? 0;
    const row = lines.slice(
      1,
      lines.findIndex((line) => line.startsWith("CORE-REBOOT-02")),
    );
    const words = (from: number, to?: number) =>
      row
        .map((line) => line.slice(from, to).trim())
        .join(" ")
        .trim();
    expect(words(31, column)).toBe(placed[0]?.place);
    expect(words(column)).toBe(long[0]?.statement);
  });

  it("fits a narrow terminal with the statement on lines of its own", () => {
    const lines = requirementTable(placed, 60).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(lines).toContain("    Short.");
  });

  it("keeps a row on one line when it goes to a pipe", () => {
    expect(requirementTable(rows, undefined).split("\n")[1]).toMatch(/that was asked for\.$/);
  });
});

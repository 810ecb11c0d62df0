import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentCodes } from "../harness/document/document.ts";
import { registeredErrors } from "../record/errors/registry.ts";
import { reportTable } from "../reports/registry.ts";

const rooms = ["harness", "workflows", "cli"];

async function sources(): Promise<string> {
  const texts = await Promise.all(
    rooms.map(async (room) => {
      const entries = await readdir(room, { recursive: true, withFileTypes: true });
      return Promise.all(
        entries
          .filter(({ name }) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
          .map(({ parentPath, name }) => join(parentPath, name))
          .filter((file) => !file.startsWith("record/errors/"))
          .map((file) => readFile(file, "utf8")),
      );
    }),
  );
  return texts.flat().join("\n");
}

test("every code of the registry is used, once registered, and says what it means and what to do", async () => {
  const text = await sources();
  const codes = registeredErrors.map(({ code }) => code);
  const byFile = new Set<string>(documentCodes);
  expect(codes.filter((code) => !byFile.has(code) && !text.includes(`"${code}"`))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
  for (const { means, remedy } of registeredErrors) {
    expect(means).toMatch(/^[`A-Z].*\.$/);
    expect(remedy).toMatch(/[^.]$/);
  }
});

test("docs/read-a-report.md names every report", async () => {
  const page = await readFile("docs/read-a-report.md", "utf8");
  expect(reportTable.filter(({ name }) => !page.includes(name))).toEqual([]);
  expect(reportTable.map(({ name }) => name)).toContain("report.html");
});

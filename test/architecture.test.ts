// Guards the guard: a checker that reads no file finds no fault either.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkImports } from "../tools/importDirection.ts";
import { temporaryFolder } from "./support/commandLine.ts";

test("imports of this repository point in the right direction, and they were really looked at", async () => {
  const report = await checkImports(dirname(import.meta.dirname));
  expect(report.violations).toEqual([]);
  expect(report.filesRead).toBeGreaterThan(100);
  expect(report.importsSeen).toBeGreaterThan(report.filesRead);
});

const forms = [
  (to: string) => `import { b } from "${to}";\nexport const a = b;\n`,
  (to: string) => `import type { B } from "${to}";\nexport type A = B;\n`,
  (to: string) => `export * from "${to}";\n`,
  (to: string) => `export const a = await import("${to}");\n`,
  (to: string) => `import {\n  b,\n  type C,\n} from "${to}";\nexport const a: C = b;\n`,
];

async function violationsOf(file: string, specifier: string): Promise<number> {
  let found = 0;
  for (const form of forms) {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, "package.json"), '{"devDependencies":{"vitest":"1","@scope/dev":"1"}}');
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), form(specifier));
    found += (await checkImports(folder.path)).violations.length;
  }
  return found;
}

test.each([
  ["interface/a.ts", "../rigs/b.ts"],
  ["reference-impl/a.ts", "../harness/b.ts"],
  ["reference-impl/groups/a.ts", "../../rigs/b.ts"],
  ["rigs/a.ts", "../reference-impl/b.ts"],
  ["rigs/modbus/a.ts", "../../harness/b.ts"],
  ["harness/run/a.ts", "../../suites/b.ts"],
  ["harness/run/a.ts", "../../reports/b.ts"],
  ["harness/run/a.ts", "../cli/b.ts"],
  ["harness/cli/a.ts", "../../reference-impl/b.ts"],
  ["suites/a.ts", "../reports/b.ts"],
  ["suites/a.ts", "../harness/cli/b.ts"],
  ["reports/a.ts", "../harness/campaign/b.ts"],
  ["suites/a.ts", "../test/b.ts"],
  ["suites/a.ts", "./b.test.ts"],
  ["suites/a.ts", "vitest"],
  ["suites/a.ts", "@scope/dev/sub"],
])("%s importing %s is reported in every form an import can have", async (file, specifier) => {
  expect(await violationsOf(file, specifier)).toBe(forms.length);
});

test.each([
  ["suites/a.ts", "../harness/run/b.ts"],
  ["harness/run/a.ts", "../../rigs/b.ts"],
  ["harness/cli/a.ts", "../../suites/b.ts"],
  ["reports/a.ts", "../harness/record/b.ts"],
  ["suites/a.ts", "undici"],
  ["suites/a.test.ts", "vitest"],
])("%s may import %s", async (file, specifier) => {
  expect(await violationsOf(file, specifier)).toBe(0);
});

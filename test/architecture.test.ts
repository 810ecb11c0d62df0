// Guards the guard: a checker that reads no file finds no fault either.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkImports } from "../tools/importDirection.ts";
import { temporaryFolder } from "./support/commandLine.ts";

test("imports of this repository point in the right direction, and all of them were read", async () => {
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
  ["interface/a.ts", "../rigs/index.ts"],
  ["record/a.ts", "../rigs/index.ts"],
  ["reference-impl/a.ts", "../harness/index.ts"],
  ["reference-impl/groups/a.ts", "../../alterations/b.ts"],
  ["rigs/a.ts", "../reference-impl/b.ts"],
  ["rigs/modbus/a.ts", "../../record/index.ts"],
  ["alterations/a.ts", "../rigs/index.ts"],
  ["harness/run/a.ts", "../../suites/b.ts"],
  ["harness/run/a.ts", "../../reports/b.ts"],
  ["harness/run/a.ts", "../../workflows/b.ts"],
  ["suites/a.ts", "../workflows/b.ts"],
  ["suites/a.ts", "../reports/b.ts"],
  ["workflows/a.ts", "../suites/b.ts"],
  ["workflows/a.ts", "../cli/b.ts"],
  ["reports/a.ts", "../harness/index.ts"],
  ["suites/a.ts", "../test/b.ts"],
  ["suites/a.ts", "./b.test.ts"],
  ["suites/a.ts", "vitest"],
  ["suites/a.ts", "@scope/dev/sub"],
  // Rooms with a face are entered through it.
  ["suites/a.ts", "../harness/run/b.ts"],
  ["harness/run/a.ts", "../../rigs/modbus/b.ts"],
  ["cli/a.ts", "../record/b.ts"],
  ["harness/run/a.ts", "../index.ts"],
])("%s importing %s is reported in every form an import can have", async (file, specifier) => {
  expect(await violationsOf(file, specifier)).toBe(forms.length);
});

test.each([
  ["suites/a.ts", "../harness/index.ts"],
  ["harness/run/a.ts", "../../rigs/index.ts"],
  ["alterations/a.ts", "../reference-impl/http/b.ts"],
  ["cli/a.ts", "../suites/b.ts"],
  ["workflows/a/b.ts", "../c/d.ts"],
  ["reports/a.ts", "../record/index.ts"],
  ["suites/a.ts", "undici"],
  ["suites/a.test.ts", "vitest"],
])("%s may import %s", async (file, specifier) => {
  expect(await violationsOf(file, specifier)).toBe(0);
});

test.each([
  ["two folders", { "rigs/a/x.ts": "../b/y.ts", "rigs/b/y.ts": "../a/x.ts" }, 2],
  [
    "three folders",
    { "rigs/a/x.ts": "../b/y.ts", "rigs/b/y.ts": "../c/z.ts", "rigs/c/z.ts": "../a/w.ts" },
    3,
  ],
  ["a folder and the room above it", { "rigs/a/x.ts": "../y.ts", "rigs/y.ts": "./a/x.ts" }, 2],
  ["no circle", { "rigs/a/x.ts": "../b/y.ts", "rigs/b/y.ts": "../c/z.ts" }, 0],
] satisfies [string, Record<string, string>, number][])(
  "circles between folders of one room are found: %s",
  async (_what, files, expected) => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, "package.json"), "{}");
    for (const [file, specifier] of Object.entries(files)) {
      await mkdir(dirname(join(folder.path, file)), { recursive: true });
      await writeFile(join(folder.path, file), `export * from "${specifier}";\n`);
    }
    const { violations } = await checkImports(folder.path);
    expect(violations.filter((one) => one.endsWith("a circle between folders"))).toHaveLength(expected);
  },
);

// Guards the guard: a dependency checker that reads no file finds no fault either.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { describe, expect, test } from "vitest";

const projectRoot = dirname(import.meta.dirname);

describe("import direction", () => {
  test("holds in this repository, and the files were really read", async () => {
    const result = await cruiseFolder(projectRoot);

    expect(result.summary.totalCruised).toBeGreaterThan(0);
    const read = result.modules.map((module) => module.source);
    expect(read).toContain("test/architecture.test.ts");
    const own = result.modules.find((module) => module.source === "test/architecture.test.ts");
    expect(own?.dependencies.length, "imports of this very file were seen").toBeGreaterThan(0);
    expect(violations(result)).toEqual([]);
  });

  test.each([
    ["interface-imports", "interface/a.ts", "rigs/b.ts"],
    ["reference-impl-imports", "reference-impl/a.ts", "harness/b.ts"],
    ["reference-impl-imports", "reference-impl/a.ts", "rigs/b.ts"],
    ["rigs-imports", "rigs/a.ts", "reference-impl/b.ts"],
    ["rigs-imports", "rigs/a.ts", "harness/b.ts"],
    ["harness-imports", "harness/run/a.ts", "suites/b.ts"],
    ["harness-imports", "harness/run/a.ts", "reports/b.ts"],
    ["suites-imports", "suites/a.ts", "reports/b.ts"],
    ["suites-imports", "suites/a.ts", "reference-impl/b.ts"],
    ["reports-imports", "reports/a.ts", "harness/run/b.ts"],
    ["command-line-imports", "harness/cli/a.ts", "reference-impl/b.ts"],
    ["command-line-is-on-top", "suites/a.ts", "harness/cli/b.ts"],
    ["rooms-stand-alone", "harness/run/a.ts", "test/b.ts"],
  ])("%s reports %s importing %s, as a value and as a type", async (rule, from, to) => {
    expect(await violationsOf({ [from]: importOf(from, to), [to]: "export const b = 1;\n" })).toContain(
      `${rule}: ${from} -> ${to}`,
    );
    expect(await violationsOf({ [from]: typeImportOf(from, to), [to]: "export type B = 1;\n" })).toContain(
      `${rule}: ${from} -> ${to}`,
    );
  });

  test.each([
    ["suites/a.ts", "harness/run/b.ts"],
    ["suites/a.ts", "interface/b.ts"],
    ["harness/run/a.ts", "rigs/b.ts"],
    ["harness/cli/a.ts", "suites/b.ts"],
    ["harness/cli/a.ts", "reports/b.ts"],
    ["reports/a.ts", "harness/record/b.ts"],
    ["reference-impl/a.ts", "interface/b.ts"],
  ])("%s may import %s", async (from, to) => {
    expect(await violationsOf({ [from]: importOf(from, to), [to]: "export const b = 1;\n" })).toEqual([]);
  });

  test("a cycle is reported, even one of types only", async () => {
    const found = await violationsOf({
      "rigs/a.ts": 'import type { B } from "./b.ts";\nexport type A = B | 1;\n',
      "rigs/b.ts": 'import type { A } from "./a.ts";\nexport type B = A | 2;\n',
    });
    expect(found).toContain("no-cycles: rigs/a.ts -> rigs/b.ts");
  });

  test("an import that resolves to nothing is reported", async () => {
    const found = await violationsOf({ "rigs/a.ts": 'import "./missing.ts";\n' });
    expect(found).toEqual(["resolvable: rigs/a.ts -> ./missing.ts"]);
  });
});

async function cruiseFolder(folder: string): Promise<ICruiseResult> {
  const options = await extractDepcruiseOptions(join(projectRoot, ".dependency-cruiser.cjs"));
  const { output } = await cruise(["."], { ...options, baseDir: folder });
  if (typeof output === "string") throw new Error("expected a result object from dependency-cruiser");
  return output;
}

async function violationsOf(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-architecture-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return violations(await cruiseFolder(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function violations(result: ICruiseResult): string[] {
  return result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}

function importOf(from: string, to: string): string {
  return `import { b } from "${pathTo(from, to)}";\nexport const a = b;\n`;
}

function typeImportOf(from: string, to: string): string {
  return `import type { B } from "${pathTo(from, to)}";\nexport type A = B;\n`;
}

function pathTo(from: string, to: string): string {
  return "../".repeat(from.split("/").length - 1) + to;
}

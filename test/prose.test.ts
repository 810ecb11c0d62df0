// Guards the prose check: a check that reads no sentence reports none.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkProse, everything } from "../tools/prose/prose.ts";
import type { Allowed, Term } from "../tools/prose/terms.ts";
import { temporaryFolder } from "./support/commandLine.ts";

const terms: readonly Term[] = [
  { use: "inject", insteadOf: ["told to"], because: "a gateway is configured" },
  { use: "gateway", insteadOf: ["guest", "guests"], because: "no visitor", in: "names" },
  { use: "space", insteadOf: ["room"], because: "rooms are folders", in: "names", only: ["reports/"] },
  { use: "as expected", insteadOf: ["so"], because: "values are compared", in: "whole" },
];

async function findingsIn(
  file: string,
  text: string,
  allowed: readonly Allowed[] = [],
  places: readonly string[] = [file.split("/")[0] ?? ""],
): Promise<readonly string[]> {
  await using folder = await temporaryFolder();
  await mkdir(dirname(join(folder.path, file)), { recursive: true });
  await writeFile(join(folder.path, file), text);
  return (await checkProse(folder.path, places, [terms, allowed])).findings;
}

test.each([
  ["a guide", "docs/a.md", "A gateway is told to fail.\n", "docs/a.md:1:14"],
  ["a guide, over a line break", "docs/a.md", "# A\n\nIt is told\nto fail.\n", "docs/a.md:3:7"],
  ["a table of a guide", "docs/a.md", "| A | B |\n| - | - |\n| x | told to |\n", "docs/a.md:3:7"],
  ["a list of a guide", "docs/a.md", "- one\n- Told to fail\n", "docs/a.md:2:3"],
  ["a code block of a guide", "docs/a.md", "```sh\nrun # it is told to\n```\n", "docs/a.md:2:13"],
  ["a heading of a guide", "docs/a.md", "# What it is told to do\n", "docs/a.md:1:14"],
  ["a comment", "cli/a.ts", "// It is told to.\n", "cli/a.ts:1:10"],
  ["a comment of two lines", "cli/a.ts", "// It is told\n// to fail.\n", "cli/a.ts:1:10"],
  ["a comment of a function", "cli/a.ts", "/**\n * It is told\n * to fail.\n */\n", "cli/a.ts:2:10"],
  ["a text", "cli/a.ts", 'export const a = "it is told to";\n', "cli/a.ts:1:25"],
  ["a template", "cli/a.ts", "export const a = `${1} is told to ${2}`;\n", "cli/a.ts:1:27"],
  ["a property's text", "cli/a.ts", 'export const a = { what: "told to" };\n', "cli/a.ts:1:27"],
  ["an identifier", "cli/a.ts", "export const firstGuest = 1;\n", "cli/a.ts:1:14"],
  ["a type", "cli/a.ts", "export interface Guest { a: 1 }\n", "cli/a.ts:1:18"],
  ["a property", "cli/a.ts", "export const a = { guestName: 1 };\n", "cli/a.ts:1:20"],
  ["a text of one word", "cli/a.ts", 'export const a = "guest";\n', "cli/a.ts:1:19"],
  ["a file name", "cli/firstGuest.ts", "export const a = 1;\n", "cli/firstGuest.ts:1:1"],
  ["a folder name", "cli/guest/a.ts", "export const a = 1;\n", "cli/guest/a.ts:1:1"],
  ["code in a guide", "docs/a.md", "See `startGuest`.\n", "docs/a.md:1:5"],
  ["a whole text", "cli/a.ts", 'export const a = { expected: "so" };\n', "cli/a.ts:1:31"],
  [
    "a name in a folder that has its own rule",
    "reports/a.ts",
    "export const room = 1;\n",
    "reports/a.ts:1:14",
  ],
])("forbidden words are found in %s", async (_where, file, text, at) => {
  const findings = await findingsIn(file, text);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toContain(`${at} "`);
});

test.each([
  ["code between backticks", "cli/a.ts", "// The option `told to` is a name.\n"],
  ["an import", "cli/a.ts", 'import { a } from "../guest/b.ts";\nexport const b = a;\n'],
  ["a part of a word", "docs/a.md", "A guestbook was untold too.\n"],
  ["an id", "docs/a.md", "The case services/told-to is one.\n"],
  ["a word that is forbidden only as the whole text", "docs/a.md", "It does so.\n"],
  ["a name in a folder without the rule", "cli/a.ts", "export const room = 1;\n"],
])("%s is not reported", async (_what, file, text) => {
  expect(await findingsIn(file, text)).toEqual([]);
});

test("an exception excuses its words, in its folder only, and is reported when it excuses none", async () => {
  const exception: Allowed = { text: "guest/init", in: ["cli/"], because: "a path" };
  const source = 'export const a = "guest/init";\n';
  expect(await findingsIn("cli/a.ts", source, [exception])).toEqual([]);
  expect(await findingsIn("reports/a.ts", source, [exception])).toHaveLength(1);
  expect(await findingsIn("cli/a.ts", "export const a = 1;\n", [exception], everything)).toEqual([
    expect.stringContaining("guest/init"),
  ]);
});

test.each([
  [
    "suites/a.ts",
    'export const a = { title: "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen" };',
    /at most 14 words, this one has 15/,
  ],
  ["suites/a.ts", 'export const a = { title: "Roles are listed." };', /without a full stop/],
  ["interface/requirements/a.ts", 'export const a = { statement: "The role is also listed." };', /no "also"/],
  [
    "interface/requirements/a.ts",
    'export const a = { statement: "The role is listed, so it is there." };',
    /no "so"/,
  ],
  ["interface/requirements/a.ts", 'export const a = { statement: "The role is listed" };', /full stop/],
])("a sentence of the wrong form is reported: %s %s", async (file, text, message) => {
  const findings = await findingsIn(file, `${text}\n`);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(message);
});

test("statements and titles of the right form are not reported", async () => {
  const requirement = 'export const a = { statement: "`also` is a boolean." };\n';
  expect(await findingsIn("interface/requirements/a.ts", requirement)).toEqual([]);
  expect(await findingsIn("suites/a.ts", 'export const a = { title: "Roles are listed" };\n')).toEqual([]);
});

// Guides name files, fields and folders; each must exist, and each field of a file that users write must be described.
import { readFile, readdir, stat } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { ProfileDocument } from "../harness/index.ts";
import { capabilities } from "../interface/vocabulary/capabilities.ts";
import { requirementLevels } from "../interface/vocabulary/levels.ts";
import { shownVerdicts, verdictWords } from "../reports/text/verdictWords.ts";
import { changeWords } from "../reports/trend/trendText.ts";

const root = dirname(import.meta.dirname);
const read = (page: string): Promise<string> => readFile(join(root, page), "utf8");

async function guides(): Promise<string[]> {
  const docs = await readdir(join(root, "docs"), { recursive: true });
  return [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    ...docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
  ];
}

async function exists(path: string): Promise<boolean> {
  return stat(join(root, path)).then(
    () => true,
    () => false,
  );
}

/** Addresses that headings of a page have on the usual hosts of Markdown. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every link between guides leads to a page and a heading that exist", async () => {
  const dead: string[] = [];
  let links = 0;
  for (const page of await guides())
    for (const [, address = ""] of (await read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(address)) continue;
      links += 1;
      const [path = "", anchor] = address.split("#");
      const target = path === "" ? page : normalize(join(dirname(page), path));
      const isDead =
        !(await exists(target)) || (anchor !== undefined && !anchorsOf(await read(target)).includes(anchor));
      if (isDead) dead.push(`${page}: ${address}`);
    }
  expect(dead).toEqual([]);
  expect(links).toBeGreaterThan(80);
});

const folders =
  "interface|record|rigs|reference-impl|alterations|harness|suites|workflows|reports|cli|contract|test|bench|tools|docs|bin";

/** Paths of the repository between backticks, up to the part that stands for any name. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(new RegExp(`\`((?:${folders})/[^\`\\s]*)\``, "g"))].map(([, path = ""]) =>
    path.replace(/[^/]*[<*].*$/, ""),
  );
}

test("every path of the repository that a guide names exists", async () => {
  const missing: string[] = [];
  let paths = 0;
  for (const page of await guides())
    for (const path of pathsIn(await read(page))) {
      paths += 1;
      if (!(await exists(path))) missing.push(`${page}: ${path}`);
    }
  expect(missing).toEqual([]);
  expect(paths).toBeGreaterThan(40);
});

test("a path that does not exist, a heading that does not exist and a name for any folder are seen as such", async () => {
  expect(pathsIn("See `suites/<theme>/` and `rigs/a b`, `cli/none.ts` and `docs/*.md`.")).toEqual([
    "suites/",
    "cli/none.ts",
    "docs/",
  ]);
  expect(await exists("cli/none.ts")).toBe(false);
  expect(anchorsOf("# One `two`, three\n\n## Four\n")).toEqual(["one-two-three", "four"]);
});

test("the six ways into the code are six lines, each with a path that has what it promises", async () => {
  const lines = (await read("docs/find-your-way.md")).split("\n").filter((line) => line.startsWith("- "));
  expect(lines).toHaveLength(6);
  const [addCase, powerSwitch, fault, wording, column, fleet] = lines.map(pathsIn);
  expect(addCase).toEqual(["suites/", "suites/services/"]);
  expect(await read("suites/services/index.ts")).toContain("testCase(");
  expect(powerSwitch).toEqual(["rigs/power/"]);
  expect((await readdir(join(root, "rigs/power"))).join()).toMatch(/switch/i);
  expect(fault).toEqual(["alterations/faults/"]);
  const faultFiles = await readdir(join(root, "alterations/faults"));
  expect(faultFiles.filter((name) => name.endsWith(".ts")).length).toBeGreaterThan(5);
  expect(wording).toEqual(["reports/text/verdictWords.ts"]);
  expect(Object.keys(verdictWords)).toEqual(expect.arrayContaining([...shownVerdicts]));
  expect(column).toEqual(["reports/trend/gatewaySection.ts"]);
  expect(await read("reports/trend/gatewaySection.ts")).toContain("columnHeads(");
  expect(fleet).toEqual(["workflows/fleet/", "workflows/fleet/migrations.ts"]);
  expect(await read("workflows/fleet/migrations.ts")).toContain("CREATE TABLE");
});

test("the profile guide describes every field of a profile", async () => {
  const text = await read("docs/profile.md");
  const undescribed = fieldsOf(ProfileDocument.properties)
    .filter((field) => field !== "name" && !field.startsWith("capabilities"))
    .filter((field) => {
      const [first = "", ...rest] = field.split(".");
      const last = rest.at(-1) ?? first;
      const row = text
        .split("\n")
        .find((line) => line.startsWith("|") && line.includes(`\`${first}`) && line.includes(last));
      return row === undefined;
    });
  expect(undescribed).toEqual([]);
});

/** Paths of fields with plain values, through objects. */
function fieldsOf(properties: object, before = ""): string[] {
  return Object.entries(properties).flatMap(([name, schema]: [string, unknown]) =>
    typeof schema === "object" &&
    schema !== null &&
    "properties" in schema &&
    schema.properties instanceof Object
      ? fieldsOf(schema.properties, `${before}${name}.`)
      : [`${before}${name}`],
  );
}

test("the profile guide lists every capability with its default and meaning", async () => {
  const rows = (await read("docs/profile.md"))
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const listed = rows
    .filter(([, id = ""]) => id.replaceAll("`", "") in capabilities)
    .map(([, id = "", byDefault, means]) => [id.replaceAll("`", ""), byDefault, means]);
  expect(listed).toEqual(
    Object.entries(capabilities).map(([id, entry]) => [id, entry.default ? "on" : "off", entry.means]),
  );
});

test("the glossary explains every verdict and every level of a requirement", async () => {
  const terms = firstCells(await read("docs/glossary.md"));
  const verdicts = shownVerdicts.map((verdict) => verdict.replaceAll("-", " "));
  expect(terms).toEqual(expect.arrayContaining([...verdicts, ...requirementLevels]));
});

test("the guide to verdicts shows each verdict with the word that reports use", async () => {
  const rows = (await read("docs/verdicts.md")).matchAll(/^\| ([a-z ]+?) +\| ([a-z ]+?) +\|/gm);
  const shown = [...rows].map(([, verdict, word]) => [verdict, word]);
  for (const verdict of shownVerdicts)
    expect(shown).toContainEqual([verdict.replaceAll("-", " "), verdictWords[verdict].word]);
});

test("the guide to nights explains every word of a change", async () => {
  const explained = firstCells(await read("docs/nightly.md")).flatMap((cell) => cell.split(", "));
  expect(explained).toEqual(expect.arrayContaining(Object.values(changeWords)));
});

function firstCells(text: string): string[] {
  return [...text.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, cell = ""]) => cell.replaceAll("`", ""));
}

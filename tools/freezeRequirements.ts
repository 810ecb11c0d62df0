// Freezes the stated requirements and their cases as they are now under a name of their own. A set that was frozen is
// never written again: what grew since then goes into the next one.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { requirements } from "../interface/requirements/index.ts";
import { shapeCases } from "../harness/campaign/shapes.ts";
import { digestOfSet, frozenFile, type RequirementSet } from "../workflows/release/requirementSet.ts";
import { suite } from "../suites/index.ts";

const name = process.argv[2];
if (name === undefined || !/^\d+\.\d+$/.test(name)) {
  throw new Error("usage: node tools/freezeRequirements.ts <major.minor>, for instance 1.1");
}
const file = frozenFile(name);
if (existsSync(file)) {
  throw new Error(`requirement set ${name} was frozen already; give the next set a name of its own`);
}

const stated = requirements.filter((one) => one.level === "stated");
const casesOf = (id: string): string[] =>
  [...suite, ...shapeCases].filter((one) => one.requirements.includes(id)).map((one) => one.id);
const isStated = (id: string): boolean => stated.some((one) => one.id === id);
const set: RequirementSet = {
  format: "rackproof/requirement-set@1",
  name,
  interface: "Core 2.3.0",
  requirements: stated
    .filter((one) => casesOf(one.id).length > 0)
    .map(({ id, capability }) => ({
      id,
      ...(capability === undefined ? {} : { capability }),
      cases: casesOf(id),
    })),
  cases: suite
    .filter((one) => one.requirements.some(isStated))
    .map((one) => ({
      id: one.id,
      capabilities: [...(one.capabilities ?? [])],
      requirements: one.requirements.filter(isStated),
    })),
  leftAside: stated
    .filter((one) => casesOf(one.id).length === 0)
    .map(({ id, untestable, needs }) => ({
      id,
      reason: untestable ?? (needs === undefined ? "no case decides it" : `needs ${needs}`),
    })),
};

await mkdir(new URL(".", file), { recursive: true });
await writeFile(file, `${JSON.stringify(set, null, 2)}\n`);
const indexFile = frozenFile("index");
const index = existsSync(indexFile)
  ? (JSON.parse(await readFile(indexFile, "utf8")) as Record<string, string>)
  : {};
await writeFile(indexFile, `${JSON.stringify({ ...index, [name]: digestOfSet(set) }, null, 2)}\n`);
console.log(
  `frozen as ${name}: ${set.requirements.length} requirements, ${set.cases.length} cases, ${set.leftAside.length} excluded`,
);

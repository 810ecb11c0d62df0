// docs/requirements.md, made from the requirements of the interface and the cases of the suite.
import { groups, type GroupId } from "../../interface/vocabulary/groups.ts";
import { requirementLevels } from "../../interface/vocabulary/levels.ts";
import { requirements } from "../../interface/requirements/index.ts";
import type { Requirement } from "../../interface/requirements/requirement.ts";
import { shapeCases } from "../../harness/index.ts";
import { suite } from "../../suites/index.ts";

interface CaseEntry {
  readonly id: string;
  readonly title: string;
  readonly equipment: readonly string[];
  readonly requirements: readonly string[];
}

const cases: readonly CaseEntry[] = [
  ...suite.map(({ id, title, equipment = [], requirements: ids }) => ({
    id,
    title,
    equipment,
    requirements: ids,
  })),
  ...shapeCases.map(({ id, operation, requirements: ids }) => ({
    id,
    title: `Answers of ${operation} have the stated shape`,
    equipment: [],
    requirements: ids,
  })),
];

/** The page as Markdown. */
export function requirementsPage(): string {
  const byGroup = Map.groupBy(requirements, ({ group }) => group);
  const parts = [...byGroup].map(([group, members]) => groupPart(group, members));
  return `${introduction()}\n${parts.join("\n")}`;
}

function introduction(): string {
  const tested = requirements.filter(({ id }) => casesOf(id).length > 0);
  const rows = requirementLevels
    .map((level) => ({
      level,
      all: requirements.filter((one) => one.level === level).length,
      tested: tested.filter((one) => one.level === level).length,
    }))
    .filter(({ all }) => all > 0)
    .map(({ level, all, tested: count }) => `- ${level}: ${count} of ${all} requirements have a case`);
  return `# Requirements

Every requirement by group of the interface, with its place in the interface document and the cases that test it. The
same list on the terminal:

\`\`\`sh
npx rackproof list requirements
npx rackproof list requirements --json
\`\`\`

This page is made by \`npm run docs\` from \`interface/requirements/\` and \`suites/\`.

${rows.join("\n")}

How to read an entry:

- **Level**, in brackets: \`stated\` requirements come from the interface document and decide conformance. \`published\`
  ones come from the published binding, \`declared\` ones from the profile or the rack file of a gateway, \`recommended\`
  ones from good practice with a source.
- **Place**: part and item of the interface document. "Resources" is the part "Resources and their fields", "States" is
  "States and transitions"; a number after "Endpoints", "Authentication" or "What the service does" is that of the item.
- **Applies if**: the capability (docs/profile.md) that makes the requirement applicable; without one it always applies.
- **Equipment**: what a test needs beyond a gateway on a URL.
`;
}

function groupPart(group: GroupId, members: readonly Requirement[]): string {
  const { title, place } = groups[group];
  return `## ${title}\n\nPlace of the group in the interface document: ${place}.\n\n${members.map(entry).join("\n")}\n`;
}

function entry(requirement: Requirement): string {
  const { id, level, statement, place, capability, source } = requirement;
  const found = casesOf(id);
  const equipment = equipmentOf(requirement, found);
  const lines = [
    `Place: ${place}`,
    ...(source === undefined ? [] : [`Source: ${source}`]),
    ...(capability === undefined ? [] : [`Applies if the profile declares \`${capability}\``]),
    ...(equipment === "" ? [] : [`Equipment: ${equipment}`]),
    ...(found.length === 0 ? [`Not tested: ${notTested(requirement)}`] : []),
    ...found.map((one) => `Tested by \`${one.id}\`: ${one.title}`),
  ];
  return [`- **${id}** (${level}): ${statement}`, ...lines.map((line) => `  - ${line}`)].join("\n");
}

function notTested({ untestable, needs }: Requirement): string {
  return untestable ?? (needs === undefined ? "no case yet" : `needs ${needs.replaceAll("-", " ")}`);
}

function casesOf(id: string): readonly CaseEntry[] {
  return cases.filter((one) => one.requirements.includes(id));
}

/** Equipment that the requirement or each of its cases needs. */
function equipmentOf({ needs }: Requirement, found: readonly CaseEntry[]): string {
  const [first, ...others] = found;
  const common = (first?.equipment ?? []).filter((part) =>
    others.every(({ equipment }) => equipment.includes(part)),
  );
  return [...new Set([...(needs === undefined ? [] : [needs]), ...common])].join(", ").replaceAll("-", " ");
}

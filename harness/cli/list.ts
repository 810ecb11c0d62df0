import { operationIds, operations } from "../../interface/operations/index.ts";
import { requirements } from "../../interface/requirements/index.ts";
import { publishedBinding, publishedPathPrefix } from "../../interface/binding.ts";
import { printTable } from "../../reports/requirementTable.ts";
import { suite } from "../../suites/index.ts";
import { shapeCases } from "../campaign/shapes.ts";

export const listTopics = ["cases", "requirements", "operations"] as const;
type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Prints what there is; answers the exit code. */
export async function list(topic: (typeof listTopics)[number], options: { json?: boolean }): Promise<number> {
  const rows = rowsOf(topic);
  if (options.json === true) process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`);
  else printTable(rows, process.stdout);
  return Promise.resolve(0);
}

function rowsOf(topic: (typeof listTopics)[number]): Row[] {
  switch (topic) {
    case "cases":
      return allCases();
    case "requirements":
      return requirementRows();
    case "operations":
      return operationIds.map((id) => ({
        id,
        group: operations[id].group,
        effect: operations[id].effect,
        binding: `${publishedBinding[id].method} ${publishedPathPrefix}${publishedBinding[id].path}`,
        purpose: operations[id].purpose,
      }));
  }
}

function allCases(): Row[] {
  const written = suite.map(({ id, group, effect, title, requirements: ids }) => ({
    id,
    group,
    effect,
    title,
    requirements: [...ids],
  }));
  const shapes = shapeCases.map(({ id, operation, requirements: ids }) => ({
    id,
    group: operations[operation].group,
    effect: "read-only",
    title: `Answers of ${operation} have the stated shape`,
    requirements: ids,
  }));
  return [...written, ...shapes];
}

function requirementRows(): Row[] {
  const covering = new Map<string, string[]>();
  for (const { id, requirements: ids } of [...suite, ...shapeCases]) {
    for (const requirement of ids) covering.set(requirement, [...(covering.get(requirement) ?? []), id]);
  }
  return requirements.map(({ id, level, group, place, statement, untestable, needs }) => ({
    id,
    level,
    group,
    statement,
    place,
    cases: covering.get(id) ?? [],
    uncovered: covering.has(id)
      ? ""
      : (untestable ?? (needs === undefined ? "nothing covers it yet" : `needs ${needs}`)),
  }));
}

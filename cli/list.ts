import { operationIds, operations } from "../interface/operations/index.ts";
import { requirements } from "../interface/requirements/index.ts";
import { publishedBinding, publishedPathPrefix } from "../interface/binding.ts";
import { listFaults } from "../alterations/faults/index.ts";
import { variationIds, variations } from "../alterations/variations/index.ts";
import { reportTable } from "../reports/registry.ts";
import { coverageRows } from "./support/coverageRows.ts";
import { printTable } from "../reports/requirementTable.ts";
import { suite } from "../suites/index.ts";
import { type FieldPoint, embeddedPoints } from "../rigs/index.ts";
import { type RackGateway, pointsOf, readRack, shapeCases } from "../harness/index.ts";
import { registeredErrors } from "../record/index.ts";
import type { listTopics } from "./support/choices.ts";

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Prints the topic's entries as a table or as JSON; returns the exit code. */
export async function list(
  topic: (typeof listTopics)[number],
  options: { json?: boolean; rack?: string; run?: string },
): Promise<number> {
  const rows: readonly Row[] =
    topic === "points"
      ? await pointRows(options.rack)
      : topic === "coverage"
        ? await coverageRows(options.run)
        : topic === "faults"
          ? [...listFaults()]
          : rowsOf(topic);
  if (options.json === true) process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`);
  else printTable(rows, process.stdout);
  return 0;
}

/** The points of the rack file, or of the embedded rack. */
async function pointRows(rack: string | undefined): Promise<Row[]> {
  const byGateway =
    rack === undefined
      ? [{ name: "process", points: embeddedPoints() }]
      : (await readRack(rack)).map((one) => ({ name: one.name, points: rackPoints(one) }));
  return byGateway.flatMap(({ name, points }) =>
    points.map(({ id, device, tag, dataType, access, at }) => ({
      id,
      gateway: name,
      device,
      tag: `${tag.provider}/${tag.source}/${tag.tag}`,
      type: dataType,
      access,
      at: at.kind === "opcua" ? at.nodeId : `unit ${at.unit} ${at.table} ${at.address} ${at.order}`,
    })),
  );
}

function rackPoints(gateway: RackGateway): FieldPoint[] {
  if (gateway.kind === "remote") return (gateway.field ?? []).flatMap(pointsOf);
  return gateway.field === undefined ? [] : embeddedPoints();
}

function rowsOf(topic: Exclude<(typeof listTopics)[number], "points" | "faults" | "coverage">): Row[] {
  switch (topic) {
    case "variations":
      return variationIds.map((id) => {
        const { differs, freedom, aspect = "" } = variations[id];
        return { id, differs, freedom, aspect: [aspect].flat().join(", ") };
      });
    case "cases":
      return allCases();
    case "requirements":
      return requirementRows();
    case "reports":
      return reportTable.map(({ name, purpose, commands }) => ({
        id: name,
        commands: commands.join(", "),
        purpose,
      }));
    case "errors":
      return registeredErrors.map(({ code, exitCode, means, remedy }) => ({
        id: code,
        exit: exitCode,
        means,
        remedy,
      }));
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
      : (untestable ?? (needs === undefined ? "no case covers it yet" : `needs ${needs}`)),
  }));
}

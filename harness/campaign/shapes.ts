// Judges every accepted answer of a campaign against the shape the interface gives its operation. The cases
// `shape/<operation>` are generated from the schemas.
import type { TSchema } from "typebox";
import type { Answer } from "../transport/answer.ts";
import type { Problem } from "../../interface/schema/validate.ts";
import { operation, operationIds, type OperationId } from "../../interface/operations/index.ts";
import { type CaseRecord, curlLine, unhurried, worst } from "../../record/index.ts";
import { Checks } from "./checks.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** The requirements that an operation's answer schema names: the ones that its shape case can decide. */
function requirementsOfShape(id: OperationId): string[] {
  const found = new Set<string>();
  const visit = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    if (Array.isArray(schema)) return schema.forEach(visit);
    const { requirement } = schema as JsonSchema;
    if (typeof requirement === "string") found.add(requirement);
    Object.values(schema).forEach(visit);
  };
  visit(operation(id).answer);
  return [...found];
}

/** Prefix of the ids of the cases that judge the shape of answers. */
export const shapePrefix = "shape/";

export const shapeCases = operationIds
  .map((id) => ({ id: `${shapePrefix}${id}`, operation: id, requirements: requirementsOfShape(id) }))
  .filter(({ requirements }) => requirements.length > 0);

/** Whether answers within the case may show what random input stored, which must not decide a verdict. */
export function showsRandomInput(caseId: string): boolean {
  return caseId.startsWith("hostile/");
}

const countRequirement = "CORE-GENERAL-02";

interface Observed {
  answers: number;
  readonly seen: Set<string>;
  readonly broken: Map<
    string,
    { answer: Answer; caseId: string; pointer: string; expected: string; found: string }
  >;
}

/** Interface document, Conventions: `count` is the number of items in `data`. */
function countProblems(json: unknown): Problem[] {
  if (typeof json !== "object" || json === null || !("count" in json) || !("data" in json)) return [];
  const { count, data } = json;
  if (typeof count !== "number" || !Array.isArray(data) || count === data.length) return [];
  return [
    {
      requirement: countRequirement,
      pointer: "/count",
      expected: `${data.length}, the number of items in \`data\``,
      found: String(count),
    },
  ];
}

/** Collects the shapes of all answers, case by case. */
export class ShapeJudge {
  readonly #observed = new Map<OperationId, Observed>();

  async take(caseId: string, answers: readonly Answer<OperationId>[]): Promise<void> {
    if (showsRandomInput(caseId)) return;
    for await (const answer of unhurried(answers)) {
      const { schema } = answer;
      // Zips, archives and streams of the same operations have no JSON shape.
      if (schema === undefined || !/json/i.test(answer.headers["content-type"] ?? "json")) continue;
      const observed = this.#of(answer.operation);
      observed.answers += 1;
      collectSeen(schema, answer.peek(), observed.seen);
      for (const { requirement, pointer, expected, found } of [
        ...answer.problems(),
        ...countProblems(answer.peek()),
      ]) {
        if (requirement === undefined || observed.broken.has(requirement)) continue;
        observed.broken.set(requirement, { answer, caseId, pointer, expected, found });
      }
    }
  }

  /** Records of the shape cases for which at least one answer was observed. */
  records(seed: number, reproduce: (caseId: string) => string): CaseRecord[] {
    return shapeCases.flatMap(({ id, operation: operationId }) => {
      const observed = this.#observed.get(operationId);
      return observed === undefined ? [] : [toRecord(id, operationId, observed, seed, reproduce)];
    });
  }

  #of(id: OperationId): Observed {
    const known = this.#observed.get(id);
    if (known !== undefined) return known;
    const fresh: Observed = { answers: 0, seen: new Set(), broken: new Map() };
    this.#observed.set(id, fresh);
    return fresh;
  }
}

function toRecord(
  id: string,
  operationId: OperationId,
  observed: Observed,
  seed: number,
  reproduce: (caseId: string) => string,
): CaseRecord {
  const checks = new Checks();
  const requirements = [...new Set([...observed.seen, ...observed.broken.keys()])].toSorted();
  for (const requirement of requirements) {
    const breach = observed.broken.get(requirement);
    if (breach === undefined) {
      checks.add(
        requirement,
        "pass",
        `shape of the answers of ${operationId}`,
        "the stated shape",
        `the stated shape in ${observed.answers} answers`,
      );
    } else {
      checks.add(
        requirement,
        "fail",
        `${breach.pointer} in an answer of ${operationId} (${breach.caseId})`,
        breach.expected,
        breach.found,
        breach.answer,
        breach.caseId,
      );
    }
  }
  const verdict = worst(checks.records.map((check) => check.verdict)) ?? "error";
  const first = checks.records.find((check) => check.verdict === "fail");
  const deciding = [...observed.broken.values()][0];
  return {
    id,
    title: `Answers of ${operationId} have the stated shape`,
    group: operation(operationId).group,
    requirements,
    effect: "read-only",
    verdict,
    durationMs: 0,
    seed,
    ...(verdict === "pass" ? {} : { reasonCode: first === undefined ? "no-checks" : "check-failed" }),
    ...(first === undefined
      ? {}
      : { reason: `${first.what}: expected ${first.expected}, observed ${first.observed}` }),
    ...(deciding === undefined
      ? {}
      : { reproduce: reproduce(deciding.caseId), curl: curlLine(deciding.answer.exchange) }),
    checks: checks.records,
    measurements: [],
    notes: [`judged from ${observed.answers} answers`],
    decided: checks.records.map((check) => ({ requirement: check.requirement, verdict: check.verdict })),
  };
}

/** Adds the requirements of all parts of the schema that the value exercises. */
function collectSeen(schema: TSchema | JsonSchema, value: unknown, seen: Set<string>): void {
  if (value === undefined) return;
  const node = schema as JsonSchema;
  if (typeof node["requirement"] === "string") seen.add(node["requirement"]);
  for (const option of (node["anyOf"] as JsonSchema[] | undefined) ?? []) {
    if (fitsKind(option, value)) collectSeen(option, value, seen);
  }
  if (Array.isArray(value)) {
    const items = node["items"] as JsonSchema | undefined;
    if (items !== undefined) for (const item of value) collectSeen(items, item, seen);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(
      (node["properties"] as Record<string, JsonSchema> | undefined) ?? {},
    )) {
      collectSeen(inner, (value as Record<string, unknown>)[name], seen);
    }
  }
}

function fitsKind(schema: JsonSchema, value: unknown): boolean {
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return (
    schema["type"] === undefined ||
    schema["type"] === kind ||
    (schema["type"] === "integer" && kind === "number")
  );
}

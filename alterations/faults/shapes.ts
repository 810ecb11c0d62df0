// Faults of shape: for every member that a schema of answers marks with a requirement, the answers of one operation lack
// the member or give it another type.
import { operation, operationIds, type OperationId } from "../../interface/operations/index.ts";
import { type Fields, fields } from "../mechanism/edits.ts";
import type { Fault } from "./fault.ts";

/** A diff with content is part of rejections only, never of a successful answer. */
const onlyInRejections = "CORE-CONFIG-06";

interface Member {
  readonly requirement: string;
  readonly operation: OperationId;
  /** Member names from the body on; lists are passed through. */
  readonly path: readonly string[];
  readonly schema: Fields;
  readonly isRequired: boolean;
}

/** Marked members in the order of the operations. */
function members(id: OperationId): Member[] {
  const found: Member[] = [];
  const visit = (schema: Fields, path: readonly string[], isRequired: boolean): void => {
    const { requirement, anyOf, items } = schema;
    if (typeof requirement === "string") found.push({ requirement, operation: id, path, schema, isRequired });
    for (const option of Array.isArray(anyOf) ? anyOf : []) visit(fields(option), path, isRequired);
    if (items !== undefined) visit(fields(items), path, true);
    const required = Array.isArray(schema["required"]) ? schema["required"] : [];
    for (const [name, inner] of Object.entries(fields(schema["properties"])))
      visit(fields(inner), [...path, name], required.includes(name));
  };
  visit(fields(operation(id).answer), [], true);
  return found;
}

function toFault(member: Member, index: number): Fault {
  const { requirement, operation: id, path, schema, isRequired } = member;
  const common = { requirement, subtlety: "crude", operation: id } as const;
  if (path.length === 0) {
    return {
      ...common,
      id: `${id}-wrapped-otherwise`,
      what: `Answers of ${id} wrap their content differently than stated.`,
      install: (at) =>
        at.answer(id, ({ data, ...body }) =>
          data === undefined ? { data: body } : { ...body, result: data },
        ),
    };
  }
  const isMissing = isRequired && (index % 2 === 0 || takesAnything(schema));
  return {
    ...common,
    id: `${id}-${path.join("-")}-${isMissing ? "missing" : "of-another-type"}`,
    what: `Answers of ${id} ${isMissing ? "lack" : "have a value of another type at"} /${path.join("/")}.`,
    install: (at) => at.answer(id, (body) => edited(body, path, isMissing ? undefined : otherThan(schema))),
  };
}

/** A copy with another value at the path, in every item of the lists on the way; JSON omits undefined members. */
function edited(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement;
  if (Array.isArray(value)) return value.map((item: unknown) => edited(item, path, replacement));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: edited(fields(value)[name], rest, replacement) };
}

function takesAnything({ type, anyOf, enum: words }: Fields): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((option) => takesAnything(fields(option)));
  return type === undefined && words === undefined;
}

function otherThan(schema: Fields): unknown {
  const type = schema["anyOf"] === undefined ? schema["type"] : undefined;
  if (schema["enum"] !== undefined) return "unheard-of";
  if (type === "string") return schema["format"] === undefined ? 42 : "yesterday at noon";
  if (type === "integer") return 1.5;
  if (type === "number") return "much";
  if (type === "boolean") return "true";
  if (type === "array") return { 0: "first" };
  return true;
}

/** One fault for every requirement that a schema marks, in the last operation that has it. */
export const shapeFaults: readonly Fault[] = [
  ...new Map(
    operationIds
      .flatMap(members)
      .filter(({ requirement }) => requirement !== onlyInRejections)
      .map((member) => [member.requirement, member]),
  ).values(),
].map(toFault);

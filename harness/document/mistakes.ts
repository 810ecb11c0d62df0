// The mistakes of a value against a schema, in the words of somebody who writes the file.
import type { TSchema } from "typebox";
import { checker, type Problem } from "../../interface/schema/validate.ts";
import { nearest } from "./nearest.ts";
import { isSchema, type JsonSchema, narrowed, propertiesOf } from "./narrow.ts";

interface Mistake {
  readonly pointer: string;
  readonly message: string;
}

/** Unknown fields first and missing ones last: a mistyped name is also a missing one. */
export function mistakesOf(schema: TSchema, value: unknown, kind: string): Mistake[] {
  if (checker(schema)(value).length === 0) return [];
  const meant = narrowed(schema as JsonSchema, value);
  const problems = checker(meant)(value);
  // A narrowed schema accepts no more than the whole one; should it do, the whole one decides.
  const all = problems.length > 0 ? problems : checker(schema)(value);
  return all
    .toSorted((a, b) => rank(a) - rank(b))
    .map((problem) => ({ pointer: problem.pointer, message: messageOf(problem, meant, kind) }));
}

function rank({ unknown, found }: Problem): number {
  if (unknown !== undefined) return 0;
  return found.startsWith("nothing: ") ? 2 : 1;
}

function messageOf({ pointer, expected, found, unknown }: Problem, schema: JsonSchema, kind: string): string {
  const field = pointer.slice(1).replaceAll("/", ".");
  if (unknown === undefined)
    return `${field === "" ? `the ${kind}` : field}: expected ${expected}, found ${found}`;
  const { name, known } = unknown;
  const similar = nearest(name, known);
  const path = pointer.split("/").slice(1, -1);
  const place = similar === undefined ? placeOf(name, schema, path) : undefined;
  const hint =
    similar === undefined ? (place === undefined ? "" : `; ${place}`) : `; did you mean ${similar}?`;
  return `${field}: unknown field${hint}${hint.endsWith("?") ? " Known" : "; known"}: ${known.join(", ")}`;
}

/** Where a field of this name belongs, inside the object or around it. */
function placeOf(name: string, root: JsonSchema, path: readonly string[]): string | undefined {
  const around = path.map((_, depth) => ({
    at: path.slice(0, depth),
    schema: schemaAt(root, path.slice(0, depth)),
  }));
  const own = schemaAt(root, path);
  for (const [member, inner] of Object.entries(own === undefined ? {} : propertiesOf(own))) {
    const items = itemsOf(inner);
    const isListed = items.some((item) => name in propertiesOf(item));
    if (isListed) return `${member} have \`${name}\``;
    if (name in propertiesOf(inner)) return `${member} has \`${name}\``;
  }
  const outer = around.findLast(({ schema }) => schema !== undefined && name in propertiesOf(schema));
  if (outer === undefined) return undefined;
  return `${outer.at.length === 0 ? "the file" : outer.at.join(".")} has \`${name}\``;
}

function itemsOf({ items, anyOf }: JsonSchema): JsonSchema[] {
  const all = Array.isArray(items) ? items : [items, ...(Array.isArray(anyOf) ? anyOf : [])];
  return all.filter(isSchema);
}

function schemaAt(root: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  let schema: JsonSchema | undefined = root;
  for (const part of path) {
    if (schema === undefined) return undefined;
    const items: unknown = schema["items"];
    const item: unknown = Array.isArray(items) ? items[Number(part)] : undefined;
    schema = isSchema(item) ? item : propertiesOf(schema)[part];
  }
  return schema;
}

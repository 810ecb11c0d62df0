// From the interface's schema and a recorded answer to an example and the rules by which others are compared with it.
import type { TSchema } from "typebox";

export interface Rule {
  readonly combine: "AND" | "OR";
  readonly matchers: readonly Readonly<Record<string, unknown>>[];
}

interface Matched {
  readonly example: unknown;
  /** By the path in the body, such as `$.data[*].id`. */
  readonly rules: Readonly<Record<string, Rule>>;
}

type JsonSchema = Readonly<Record<string, unknown>>;

const rfc3339 = String.raw`^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$`;
const exampleInstant = "2026-01-15T12:00:00Z";

/** What a contract can say of a body with this schema; optional members and members of any type are left out. */
export function match(schema: TSchema, recorded: unknown): Matched {
  const rules: Record<string, Rule> = {};
  const example = visit(schema as JsonSchema, recorded, "$", rules);
  return { example, rules };
}

function visit(schema: JsonSchema, recorded: unknown, path: string, rules: Record<string, Rule>): unknown {
  const options = schema["anyOf"] as readonly JsonSchema[] | undefined;
  if (options !== undefined) return visitUnion(options, recorded, path, rules);
  if (schema["type"] === "object") return visitObject(schema, recorded, path, rules);
  if (schema["type"] === "array") {
    const items = (schema["items"] ?? {}) as JsonSchema;
    rules[path] = one({ match: "type", min: 0 });
    const first: unknown = Array.isArray(recorded) ? recorded[0] : undefined;
    return isAnything(items) ? [] : [visit(items, first, `${path}[*]`, rules)];
  }
  const { matcher, example } = leaf(schema, recorded);
  rules[path] = one(matcher);
  return example;
}

function visitObject(
  schema: JsonSchema,
  recorded: unknown,
  path: string,
  rules: Record<string, Rule>,
): Record<string, unknown> {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema["required"] ?? []) as readonly string[];
  const values = isObject(recorded) ? recorded : {};
  return Object.fromEntries(
    required
      .filter((name) => !isAnything(properties[name] ?? {}))
      .map((name) => [name, visit(properties[name] ?? {}, values[name], `${path}.${name}`, rules)]),
  );
}

/** A value or null takes both; of two shapes, as a list and bare, the recorded one is told. */
function visitUnion(
  options: readonly JsonSchema[],
  recorded: unknown,
  path: string,
  rules: Record<string, Rule>,
): unknown {
  const whole = options.filter((option) => option["type"] !== "null");
  const [only] = whole;
  if (only === undefined || whole.length === options.length) {
    const fitting = whole.find((option) => (option["type"] === "array") === Array.isArray(recorded));
    return visit(fitting ?? only ?? {}, recorded, path, rules);
  }
  const isLeaf = !["object", "array", undefined].includes(only["type"] as string | undefined);
  if (!isLeaf) {
    rules[path] = { combine: "OR", matchers: [{ match: "null" }, { match: "type" }] };
    return null;
  }
  const { matcher, example } = leaf(only, recorded);
  rules[path] = { combine: "OR", matchers: [{ match: "null" }, matcher] };
  return example;
}

function leaf(
  schema: JsonSchema,
  recorded: unknown,
): { matcher: Rule["matchers"][number]; example: unknown } {
  const allowed = schema["enum"] as readonly string[] | undefined;
  if (allowed !== undefined) {
    const example = allowed.find((word) => word === recorded) ?? allowed[0];
    return { matcher: { match: "regex", regex: `^(${allowed.join("|")})$` }, example };
  }
  if (schema["format"] === "rfc3339")
    return { matcher: { match: "regex", regex: rfc3339 }, example: exampleInstant };
  switch (schema["type"]) {
    case "integer":
      return { matcher: { match: "integer" }, example: typeof recorded === "number" ? recorded : 1 };
    case "number":
      return { matcher: { match: "number" }, example: typeof recorded === "number" ? recorded : 1.5 };
    case "boolean":
      return { matcher: { match: "boolean" }, example: typeof recorded === "boolean" ? recorded : true };
    default:
      return textLeaf(schema["pattern"], recorded);
  }
}

function textLeaf(pattern: unknown, recorded: unknown): ReturnType<typeof leaf> {
  if (typeof pattern === "string")
    return {
      matcher: { match: "regex", regex: pattern },
      example: typeof recorded === "string" ? recorded : "1",
    };
  return { matcher: { match: "type" }, example: typeof recorded === "string" ? recorded : "text" };
}

function one(matcher: Rule["matchers"][number]): Rule {
  return { combine: "AND", matchers: [matcher] };
}

function isAnything(schema: JsonSchema): boolean {
  const options = (schema["anyOf"] ?? []) as readonly JsonSchema[];
  return (
    (schema["type"] === undefined && schema["enum"] === undefined && options.length === 0) ||
    options.some(isAnything)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

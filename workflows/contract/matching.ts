// From the interface's schema and a recorded answer to a body of Pact matchers with examples.
import type { TSchema } from "typebox";
import type { Matchers } from "./library.ts";

export interface MatchedBody {
  /** Matchers and examples, as Pact's builders take them. */
  readonly template: unknown;
  /** Paths such as `$.data[*].email` whose value may also be null: Pact's matchers cannot say that of a value. */
  readonly nullable: readonly string[];
}

type JsonSchema = Readonly<Record<string, unknown>>;

const rfc3339 = String.raw`^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$`;
const exampleInstant = "2026-01-15T12:00:00Z";

/**
 * What a contract can require of a body with this schema. Left out: optional members, members of any type, and objects
 * and lists that may be null, for which Pact's verifier has no rule.
 */
export function match(matchers: Matchers, schema: TSchema, recorded: unknown): MatchedBody {
  const nullable: string[] = [];
  const visit = (at: JsonSchema, value: unknown, path: string): unknown => {
    const options = at["anyOf"] as readonly JsonSchema[] | undefined;
    if (options !== undefined) return union(options, value, path);
    if (at["type"] === "object") return object(at, value, path);
    if (at["type"] !== "array") return leaf(matchers, at, value);
    const items = (at["items"] ?? {}) as JsonSchema;
    if (isLeftOut(items)) return matchers.atLeastLike(null, 0, 0);
    const first: unknown = Array.isArray(value) ? value[0] : undefined;
    return matchers.atLeastLike(visit(items, first, `${path}[*]`), 0, 1);
  };
  const object = (at: JsonSchema, value: unknown, path: string): Record<string, unknown> => {
    const properties = (at["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
    const required = (at["required"] ?? []) as readonly string[];
    const values = isObject(value) ? value : {};
    return Object.fromEntries(
      required
        .filter((name) => !isLeftOut(properties[name] ?? {}))
        .map((name) => [name, visit(properties[name] ?? {}, values[name], `${path}.${name}`)]),
    );
  };
  /** Of two shapes, such as a list and a bare value, the recorded one counts. */
  const union = (options: readonly JsonSchema[], value: unknown, path: string): unknown => {
    const whole = options.filter((option) => option["type"] !== "null");
    const [only] = whole;
    if (only === undefined || whole.length === options.length) {
      const fitting = whole.find((option) => (option["type"] === "array") === Array.isArray(value));
      return visit(fitting ?? only ?? {}, value, path);
    }
    nullable.push(path);
    return leaf(matchers, only, value);
  };
  return { template: visit(schema as JsonSchema, recorded, "$"), nullable };
}

function leaf(matchers: Matchers, schema: JsonSchema, recorded: unknown): unknown {
  const allowed = schema["enum"] as readonly string[] | undefined;
  const text = typeof recorded === "string" ? recorded : undefined;
  if (allowed !== undefined) {
    const example = allowed.find((word) => word === recorded) ?? allowed[0] ?? "";
    return matchers.regex(`^(${allowed.join("|")})$`, example);
  }
  if (schema["format"] === "rfc3339") return matchers.regex(rfc3339, exampleInstant);
  switch (schema["type"]) {
    case "integer":
      return matchers.integer(typeof recorded === "number" ? recorded : 1);
    case "number":
      return matchers.number(typeof recorded === "number" ? recorded : 1.5);
    case "boolean":
      return matchers.boolean(typeof recorded === "boolean" ? recorded : true);
    default: {
      const pattern = schema["pattern"];
      return typeof pattern === "string"
        ? matchers.regex(pattern, text ?? "1")
        : matchers.like(text ?? "text");
    }
  }
}

function isAnything(schema: JsonSchema): boolean {
  const options = (schema["anyOf"] ?? []) as readonly JsonSchema[];
  return (
    (schema["type"] === undefined && schema["enum"] === undefined && options.length === 0) ||
    options.some(isAnything)
  );
}

function isLeftOut(schema: JsonSchema): boolean {
  const options = (schema["anyOf"] ?? []) as readonly JsonSchema[];
  const isNullable = options.some(({ type }) => type === "null");
  return (
    isAnything(schema) ||
    (isNullable &&
      options.some(({ type, anyOf }) => type === "object" || type === "array" || anyOf !== undefined))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

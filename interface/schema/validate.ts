// Turns a schema into a checker whose findings name the field, what was expected and what was found.
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import { epochMsOf } from "./instant.ts";

/** One violation of a schema by a value. */
export interface Problem {
  /** JSON pointer of the wrong value, or of the missing field. */
  readonly pointer: string;
  readonly expected: string;
  readonly found: string;
  /** Requirement id that the schema names for this field or the nearest enclosing one, if any. */
  readonly requirement?: string;
  /** Of a member that the schema does not list: its name, and the listed ones. */
  readonly unknown?: { readonly name: string; readonly known: readonly string[] };
}

const dateTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Whether the text is an RFC 3339 date-time of a day that exists. */
export function isRfc3339(text: string): boolean {
  return dateTime.test(text) && !Number.isNaN(epochMsOf(text)) && dayExists(text);
}

function dayExists(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split("-").map(Number) as [number, number, number];
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

// The schemas are typed in this project and need no validation against the meta-schema.
const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  // A JSON number such as 1e400 parses as Infinity, which is not an integer and has no JSON form.
  strictNumbers: true,
  validateSchema: false,
  formats: { rfc3339: isRfc3339, url: (text: string) => URL.canParse(text) },
});
const compiled = new WeakMap<object, (value: unknown) => Problem[]>();

/** A checker for the schema, compiled once per schema object at first use. It returns an empty list for a valid value. */
export function checker(schema: TSchema): (value: unknown) => Problem[] {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  let validate: ValidateFunction | undefined;
  const check = (value: unknown): Problem[] => {
    validate ??= ajv.compile(schema);
    // A copy costs more than the check itself, and few answers hold a bigint.
    const numbers = holdsBigint(value) ? withNumbers(value) : value;
    return validate(numbers) ? [] : summarise(validate.errors ?? [], schema as JsonSchema);
  };
  compiled.set(schema, check);
  return check;
}

function holdsBigint(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "bigint";
  return Array.isArray(value) ? value.some(holdsBigint) : Object.values(value).some(holdsBigint);
}

/** The value with a number for each bigint, which the validator does not take for an integer: integers have any size. */
function withNumbers(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isFinite(number) ? number : Math.sign(number) * Number.MAX_VALUE;
  }
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNumbers(inner)]));
}

type JsonSchema = Readonly<Record<string, unknown>>;

function summarise(errors: readonly ErrorObject[], root: JsonSchema): Problem[] {
  // A failed anyOf also lists the errors of each alternative. Where the value has the type of exactly one alternative,
  // only the errors of that alternative help a reader; otherwise only the anyOf error does.
  const unions = errors.filter((e) => e.keyword === "anyOf");
  const isIn = (e: ErrorObject, path: string): boolean => e.schemaPath.startsWith(`${path}/`);
  const meant = new Map(unions.map((union) => [union, alternativeOfItsKind(union, errors)]));
  const isTold = (e: ErrorObject): boolean =>
    meant.get(e) === undefined &&
    unions.every((union) => union === e || !isIn(e, union.schemaPath) || isIn(e, meant.get(union) ?? "?"));
  return errors.filter(isTold).map((e) => toProblem(e, root));
}

/** Schema path of the only alternative whose type the value has; undefined when none or several match. */
function alternativeOfItsKind(union: ErrorObject, errors: readonly ErrorObject[]): string | undefined {
  const alternatives = Array.isArray(union.schema)
    ? union.schema.map((_, index) => `${union.schemaPath}/${index}`)
    : [];
  const fitting = alternatives.filter(
    (path) =>
      !errors.some(
        (e) =>
          e.instancePath === union.instancePath &&
          e.keyword !== "required" &&
          e.schemaPath.startsWith(`${path}/`),
      ),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function toProblem(error: ErrorObject, root: JsonSchema): Problem {
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  if (error.keyword === "required") {
    const name = String(error.params["missingProperty"]);
    const missing = (schema["properties"] as Record<string, JsonSchema> | undefined)?.[name];
    const pointer = `${error.instancePath}/${name}`;
    return withRequirement(
      { pointer, expected: describe(missing ?? {}), found: "nothing: the field is missing" },
      missing?.["requirement"] ?? nearestRequirement(root, pointer),
    );
  }
  if (error.keyword === "additionalProperties") {
    const name = String(error.params["additionalProperty"]);
    const known = Object.keys((schema["properties"] as object | undefined) ?? {});
    return {
      pointer: `${error.instancePath}/${name}`,
      expected: `one of the members ${known.join(", ")}`,
      found: `the unknown member ${name}`,
      unknown: { name, known },
    };
  }
  return withRequirement(
    { pointer: error.instancePath, expected: describe(schema), found: show(error.data) },
    schema["requirement"] ?? nearestRequirement(root, error.instancePath),
  );
}

function withRequirement(problem: Problem, requirement: unknown): Problem {
  return typeof requirement === "string" ? { ...problem, requirement } : problem;
}

/** Walks the schema along the pointer and returns the innermost requirement on the way. */
function nearestRequirement(root: JsonSchema, pointer: string): string | undefined {
  let schema: JsonSchema | undefined = root;
  let found = typeof root["requirement"] === "string" ? root["requirement"] : undefined;
  for (const part of pointer.split("/").slice(1)) {
    schema = step(schema, part);
    if (schema === undefined) break;
    if (typeof schema["requirement"] === "string") found = schema["requirement"];
  }
  return found;
}

function step(schema: JsonSchema | undefined, part: string): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  const properties = schema["properties"] as Record<string, JsonSchema> | undefined;
  if (properties?.[part] !== undefined) return properties[part];
  if (/^\d+$/.test(part) && schema["items"] !== undefined) return schema["items"] as JsonSchema;
  for (const option of (schema["anyOf"] as JsonSchema[] | undefined) ?? []) {
    const inner = step(option, part);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The schema in words: "integer", "one of alert, warning, info", "string of at most 16 characters". */
function describe(schema: JsonSchema): string {
  if ("const" in schema) return String(schema["const"]);
  if (Array.isArray(schema["enum"])) return `one of ${schema["enum"].join(", ")}`;
  if (Array.isArray(schema["anyOf"])) return (schema["anyOf"] as JsonSchema[]).map(describe).join(" or ");
  if (schema["format"] === "rfc3339") return "an RFC 3339 date-time";
  if (schema["format"] === "url") return "a URL";
  const rules = [
    rule(schema, "minimum", (limit) => `at least ${limit}`),
    rule(schema, "exclusiveMinimum", (limit) => `more than ${limit}`),
    rule(schema, "maximum", (limit) => `at most ${limit}`),
    rule(schema, "minLength", (limit) => `at least ${limit} characters`),
    rule(schema, "maxLength", (limit) => `at most ${limit} characters`),
    rule(schema, "pattern", (pattern) => `matching ${pattern}`),
  ].filter((text) => text !== undefined);
  const type = typeof schema["type"] === "string" ? schema["type"] : "any value";
  return rules.length === 0 ? type : `${type}, ${rules.join(", ")}`;
}

function rule(
  schema: JsonSchema,
  keyword: string,
  say: (limit: string | number) => string,
): string | undefined {
  const limit = schema[keyword];
  return typeof limit === "string" || typeof limit === "number" ? say(limit) : undefined;
}

function show(value: unknown): string {
  if (value === undefined) return "absent";
  const text = JSON.stringify(value, (_key, v: unknown) => (typeof v === "bigint" ? v.toString() : v));
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const short = text.length > 120 ? `${text.slice(0, 117)}...` : text;
  return value === null ? "null" : `${kind} ${short}`;
}

// Path, query and form values come as text; the interface's schemas give their types.
import Type, { type TObject, type TSchema } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { UploadedFile } from "./handler.ts";
import { badInput } from "../base/refusal.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Converts text values to the types of the schema's properties; what cannot be converted stays text. */
export function convert(
  schema: TObject | undefined,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const properties = (schema?.properties ?? {}) as Record<string, JsonSchema>;
  const converted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) converted[name] = convertOne(property, value);
  }
  return converted;
}

function convertOne(schema: JsonSchema, value: unknown): unknown {
  if (schema["type"] === "array") {
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item) =>
      typeof item === "string" ? item.split(",").filter((part) => part !== "") : [item],
    );
  }
  const single: unknown = Array.isArray(value) ? value.at(-1) : value;
  if (typeof single !== "string") return single;
  if (schema["type"] === "boolean") return booleans.get(single) ?? single;
  if (schema["type"] === "integer") return /^-?\d{1,15}$/.test(single) ? Number(single) : single;
  if (schema["type"] === "object") return parseObject(single);
  return single;
}

// A bare flag (`?event`, `?onChanged=`) means yes.
const booleans = new Map([
  ["true", true],
  ["", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The fields of a form converted to their types; throws a Refusal for a wrong field or a file that is missing. */
export function readFormFields(
  schema: TObject,
  fields: Readonly<Record<string, unknown>>,
  files: readonly UploadedFile[],
): Record<string, unknown> {
  const { scalars, requiredFiles } = formParts(schema);
  const missing = requiredFiles.find((name) => !files.some((file) => file.fieldName === name));
  if (missing !== undefined) throw badInput(`${missing}: expected a file, found nothing`);
  const converted = convert(scalars, fields);
  assertInput("body", scalars, converted);
  return converted;
}

interface FormParts {
  readonly scalars: TObject;
  readonly requiredFiles: readonly string[];
}
const partsOfForms = new WeakMap<TObject, FormParts>();

/** A form's scalar fields and its files apart: a file's bytes are no text that a schema could check. */
function formParts(schema: TObject): FormParts {
  const known = partsOfForms.get(schema);
  if (known !== undefined) return known;
  const all = Object.entries(schema.properties as Record<string, TSchema>);
  const isFile = (property: TSchema): boolean =>
    (property as JsonSchema)["contentMediaType"] === "application/octet-stream";
  // Absent at run time when nothing is required.
  const required = schema.required as readonly string[] | undefined;
  const parts = {
    scalars: Type.Object(Object.fromEntries(all.filter(([, property]) => !isFile(property)))),
    requiredFiles: all
      .filter(([name, property]) => isFile(property) && required?.includes(name) === true)
      .map(([name]) => name),
  };
  partsOfForms.set(schema, parts);
  return parts;
}

/** Throws a Refusal that names the first field that breaks its rule. */
export function assertInput(
  part: "path" | "query" | "header" | "body",
  schema: TSchema,
  value: unknown,
): void {
  const problem = checker(schema)(value)[0] ?? tooLarge(schema as JsonSchema, value, "");
  if (problem === undefined) return;
  const field = problem.pointer.slice(1).replaceAll("/", ".");
  const where =
    field === ""
      ? part === "body"
        ? "the body"
        : `the ${part}`
      : part === "body"
        ? field
        : `${part} parameter ${field}`;
  throw badInput(`${where}: expected ${problem.expected}, found ${problem.found}`);
}

/** Integers of the interface have any size; this gateway stores them as doubles, except in values of tags. */
function tooLarge(
  schema: JsonSchema,
  value: unknown,
  pointer: string,
): { readonly pointer: string; readonly expected: string; readonly found: string } | undefined {
  const options = Array.isArray(schema["anyOf"]) ? (schema["anyOf"] as JsonSchema[]) : [];
  if (typeof value === "bigint") {
    return [schema, ...options].some(({ type }) => type === "integer")
      ? { pointer, expected: "an integer of at most 53 bits", found: String(value).slice(0, 40) }
      : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema>;
  const inner = Object.entries(value).map(([name, one]): [JsonSchema, unknown, string] => [
    (Array.isArray(value) ? (schema["items"] as JsonSchema | undefined) : properties[name]) ?? {},
    one,
    `${pointer}/${name}`,
  ]);
  const all = [...options.map((option): [JsonSchema, unknown, string] => [option, value, pointer]), ...inner];
  return all.map((one) => tooLarge(...one)).find((found) => found !== undefined);
}

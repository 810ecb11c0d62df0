// Path, query and form values come as text; the interface's schemas say what they are meant to be.
import type { TObject, TSchema } from "typebox";
import { checker } from "../../interface/validate.ts";
import { badInput } from "./refusal.ts";

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

/** Throws a Refusal that names the first field that breaks its rule. */
export function assertInput(
  part: "path" | "query" | "header" | "body",
  schema: TSchema,
  value: unknown,
): void {
  const problem = checker(schema)(value)[0];
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

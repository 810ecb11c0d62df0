// Reduces a value to the members that its schema lists: a gateway may show more, and members beyond the interface are
// neither compared nor sent.
import type { TSchema } from "typebox";

type JsonSchema = Readonly<Record<string, unknown>>;

/** The value without members that the schema does not list; objects of unknown members remain complete. */
export function keepListed(schema: TSchema, value: unknown): unknown {
  return keep(schema as JsonSchema, value);
}

function keep(schema: JsonSchema, value: unknown): unknown {
  const options = schema["anyOf"] as readonly JsonSchema[] | undefined;
  if (options !== undefined) {
    const fitting = options.find((option) => option["type"] === typeOf(value));
    return fitting === undefined ? value : keep(fitting, value);
  }
  if (Array.isArray(value)) {
    const items = schema["items"] as JsonSchema | undefined;
    return items === undefined ? value : value.map((item) => keep(items, item));
  }
  const properties = propertiesOf(schema);
  if (typeOf(value) !== "object" || properties.length === 0) return value;
  const members = value as Readonly<Record<string, unknown>>;
  const kept: Record<string, unknown> = {};
  for (const [name, inner] of properties)
    if (Object.hasOwn(members, name)) kept[name] = keep(inner, members[name]);
  return kept;
}

const listed = new WeakMap<JsonSchema, readonly (readonly [string, JsonSchema])[]>();

/** Listed once for each schema: a list of tags has thousands of items of one. */
function propertiesOf(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const known = listed.get(schema);
  if (known !== undefined) return known;
  const found = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  listed.set(schema, found);
  return found;
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

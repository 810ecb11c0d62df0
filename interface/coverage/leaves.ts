// The members of a schema as paths of names, and the members that a value has, in the same form. `data` and the
// positions in arrays are left out: `port`, `schedule.enable`, `roles.id`.
type JsonSchema = Readonly<Record<string, unknown>>;

/** One member that holds no further listed members. */
export interface SchemaLeaf {
  readonly path: string;
  readonly schema: JsonSchema;
  /** Whether the schema demands the member, and each object around it. */
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly isInArray: boolean;
}

/** The members of a body or of one part of a request. */
export function schemaLeaves(schema: object | undefined): SchemaLeaf[] {
  if (schema === undefined) return [];
  return visit(schema as JsonSchema, "", { isRequired: true, isNullable: false, isInArray: false });
}

function visit(
  schema: JsonSchema,
  path: string,
  facts: Pick<SchemaLeaf, "isRequired" | "isNullable" | "isInArray">,
): SchemaLeaf[] {
  const options = (schema["anyOf"] as readonly JsonSchema[] | undefined) ?? [];
  const present = options.filter((option) => option["type"] !== "null");
  if (present.length > 0) {
    const nullable = { ...facts, isNullable: facts.isNullable || present.length < options.length };
    const found = new Map<string, SchemaLeaf>();
    for (const leaf of present.flatMap((option) => visit(option, path, nullable)))
      if (!found.has(leaf.path)) found.set(leaf.path, leaf);
    return [...found.values()];
  }
  const items = schema["items"] as JsonSchema | undefined;
  if (items !== undefined) {
    const inner = visit(items, path, { ...facts, isInArray: true });
    // An array of plain values is one member.
    return inner.some((leaf) => leaf.path !== path) ? inner : [{ path, schema, ...facts }];
  }
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0) return path === "" ? [] : [{ path, schema, ...facts }];
  const required = (schema["required"] as readonly string[] | undefined) ?? [];
  return properties.flatMap(([name, inner]) =>
    visit(inner, joined(path, name), {
      ...facts,
      isRequired: facts.isRequired && required.includes(name),
    }),
  );
}

/** Path of a member within another; `data` at the top is left out, and so is a member `events` of a list of events. */
function joined(path: string, name: string): string {
  if (path === "") return name === "data" ? "" : name;
  return `${path}.${name}`;
}

/** One value at the path of a member. */
export interface ValueLeaf {
  readonly path: string;
  readonly value: unknown;
}

/** Every plain value of a body by the path of its member; an empty array or object counts as a value. */
export function valueLeaves(value: unknown, path = "", found: ValueLeaf[] = []): ValueLeaf[] {
  if (Array.isArray(value)) {
    if (value.length === 0) found.push({ path, value });
    for (const item of value) valueLeaves(item, path, found);
  } else if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
    const members = Object.entries(value);
    if (members.length === 0) found.push({ path, value });
    for (const [name, inner] of members) valueLeaves(inner, joined(path, name), found);
  } else if (value !== undefined) {
    found.push({ path, value });
  }
  return found;
}

/** The last name of a path. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

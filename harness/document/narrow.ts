// Picks the branch of each choice in a schema that a value means: its mistakes are then reported at their place.

/** A JSON schema as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema without choices of objects: of each, the branch that the value resembles most. */
export function narrowed(schema: JsonSchema, value: unknown): JsonSchema {
  const branches = schemasIn(schema["anyOf"]);
  if (branches.length > 0) {
    const meant = branchFor(branches, value);
    return meant === undefined ? schema : narrowed(meant, value);
  }
  if (Array.isArray(value) && isSchema(schema["items"])) {
    const { items } = schema;
    return { ...schema, items: value.map((item) => narrowed(items, item)) };
  }
  if (!isSchema(value)) return schema;
  const patterns = schema["patternProperties"];
  const any = isSchema(patterns) ? patterns["^.*$"] : undefined;
  if (isSchema(any)) {
    const { patternProperties: _all, ...rest } = schema;
    const properties = Object.entries(value).map(([name, inner]) => [name, narrowed(any, inner)]);
    return { ...rest, properties: Object.fromEntries(properties) };
  }
  const properties = propertiesOf(schema);
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, narrowed(inner, value[name])]),
    ),
  };
}

/** Properties of an object's schema, by name. */
export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const { properties } = schema;
  return isSchema(properties)
    ? Object.fromEntries(
        Object.entries(properties).filter(([, inner]) => isSchema(inner)) as [string, JsonSchema][],
      )
    : {};
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function schemasIn(list: unknown): JsonSchema[] {
  return Array.isArray(list) ? list.filter(isSchema) : [];
}

/** The branch that the value means; undefined where its type distinguishes no branch. */
function branchFor(branches: readonly JsonSchema[], value: unknown): JsonSchema | undefined {
  if (Array.isArray(value)) {
    const arrays = branches.filter(({ type }) => type === "array");
    return arrays.length === 1 ? arrays[0] : undefined;
  }
  if (!isSchema(value)) return undefined;
  const objects = branches.filter((branch) => branch["type"] === "object");
  const [best] = objects
    .map((branch) => ({ branch, rank: likeness(branch, value) }))
    .toSorted((a, b) => b.rank - a.rank);
  return best === undefined ? undefined : withEveryLiteral(best.branch, objects, value);
}

const literalWeight = 1000;

/** A matching literal outweighs every number of matching members. */
function likeness(branch: JsonSchema, value: JsonSchema): number {
  const properties = propertiesOf(branch);
  return Object.entries(value).reduce((sum, [name, inner]) => {
    const property = properties[name];
    if (property === undefined) return sum - 1;
    return "const" in property ? sum + (property["const"] === inner ? literalWeight : 0) : sum + 1;
  }, 0);
}

/** A discriminating member that is missing or matches no branch is expected to be any of the literals. */
function withEveryLiteral(
  branch: JsonSchema,
  branches: readonly JsonSchema[],
  value: JsonSchema,
): JsonSchema {
  const properties = propertiesOf(branch);
  const changed = Object.entries(properties).map(([name, property]) => {
    if (!("const" in property) || property["const"] === value[name]) return [name, property];
    const all = branches.flatMap((one) => propertiesOf(one)[name]?.["const"] ?? []);
    return [name, { enum: [...new Set(all)] }];
  });
  return { ...branch, properties: Object.fromEntries(changed) };
}

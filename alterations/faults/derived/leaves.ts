// Members of things by their schema.
import { operation } from "../../../interface/operations/index.ts";
import { type Fields, fields } from "../../mechanism/edits.ts";
import type { View } from "./places.ts";

export interface Leaf {
  /** Path from the thing on. */
  readonly path: string;
  readonly schema: Fields;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** Requirement that the schema names for it or the nearest member around it. */
  readonly requirement: string | undefined;
}

export type LeafType = "integer" | "number" | "string" | "timestamp" | "word" | "boolean" | "array" | "any";

/** Members of the things in a view, objects passed through, lists inside left whole. */
export function leavesOf({ operation: id, at }: View): Leaf[] {
  const inner = at.split(".").filter((name) => name !== "");
  let schema = fields(operation(id).answer);
  for (const name of inner) schema = fields(fields(withoutNull(schema)["properties"])[name]);
  if (schema["items"] !== undefined) schema = fields(schema["items"]);
  return visit(withoutNull(schema), "", true, undefined);
}

function visit(schema: Fields, path: string, isRequired: boolean, around: string | undefined): Leaf[] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(fields(schema["properties"])).flatMap(([name, raw]) => {
    const full = fields(raw);
    const inner = withoutNull(full);
    const isInnerRequired = isRequired && required.includes(name);
    const { requirement } = full;
    const leaf: Leaf = {
      path: path === "" ? name : `${path}.${name}`,
      schema: inner,
      isRequired: isInnerRequired,
      isNullable: full["anyOf"] !== undefined,
      requirement: typeof requirement === "string" ? requirement : around,
    };
    return inner["properties"] === undefined
      ? [leaf]
      : visit(inner, leaf.path, isInnerRequired, leaf.requirement);
  });
}

function withoutNull(schema: Fields): Fields {
  const options = schema["anyOf"];
  if (!Array.isArray(options)) return schema;
  return { ...fields(options.find((option) => fields(option)["type"] !== "null")) };
}

export function typeOf({ schema }: Leaf): LeafType {
  if (schema["enum"] !== undefined) return "word";
  if (schema["format"] !== undefined) return "timestamp";
  const { type } = schema;
  if (type === "integer" || type === "number" || type === "string" || type === "boolean" || type === "array")
    return type;
  return "any";
}

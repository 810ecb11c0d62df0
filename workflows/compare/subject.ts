// The subjects of a request.
import type { Behaviour, ThingKind } from "../../interface/behaviour/behaviour.ts";
import type { Vocabulary } from "./canonical.ts";
import type { resolveInputs } from "./step.ts";

export type ResolvedInputs = NonNullable<ReturnType<typeof resolveInputs>>;

export interface Subject {
  readonly kind: ThingKind;
  /** Empty where a gateway has only one thing of the kind. */
  readonly label: string;
  /** The inputs of the request for it. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The things that the request names; none for a list, and none for a thing that does not exist yet. */
export function subjectsOf(
  known: Behaviour,
  inputs: ResolvedInputs,
  words: Vocabulary,
  caller: string | undefined,
): Subject[] {
  const body = inputs.json ?? inputs.form ?? {};
  const { kind, names } = known;
  if (names === undefined) return known.does === "change" ? [{ kind, label: "", inputs: body }] : [];
  if (names === "caller") return caller === undefined ? [] : [{ kind, label: caller, inputs: body }];
  const many = /^json\/(\w+)\/\*\/(\w+)$/.exec(names);
  if (many !== null) {
    const [, list = "", key = ""] = many;
    const items = body[list];
    return (Array.isArray(items) ? items : []).map((item: Record<string, unknown>) => ({
      kind,
      label: words.label(kind, item[key], item),
      inputs: item,
    }));
  }
  const [part, name] = names.split("/") as [keyof ResolvedInputs, string];
  const key = inputs[part]?.[name];
  return key === undefined ? [] : [{ kind, label: words.label(kind, key, { name: key }), inputs: body }];
}

/** The input for a field of the thing, by its dotted name. */
export function inputFor(
  { storesIn }: Behaviour,
  inputs: Readonly<Record<string, unknown>>,
  field: string,
): unknown {
  const parts = field.split(".");
  let value: unknown = inputs;
  for (const part of parts[0] === storesIn ? parts.slice(1) : parts) {
    value =
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[part] : undefined;
  }
  return value;
}

// The observations in an accepted answer: things of a gateway, field by field.
import type { Behaviour, ThingKind } from "../../interface/behaviour/behaviour.ts";
import { isThingKind, thing } from "../../interface/behaviour/index.ts";
import { canonical, type Vocabulary } from "./canonical.ts";

/** One observation: a field of a thing has this value. */
export interface Observation {
  /** Kind and label, such as `user user1`, or `members user` for which things of a kind a list holds. */
  readonly thing: string;
  readonly kind: ThingKind;
  readonly field: string;
  /** The value in the form in which it can be compared. */
  readonly text: string;
}

export const membersField = "members";
export const thingName = (kind: ThingKind, label = ""): string => (label === "" ? kind : `${kind} ${label}`);
export const membersOf = (kind: ThingKind): string => `list of ${kind}`;

/** All observations in the body. `subject` is the label of the thing that the operation is about, where the answer leaves it out. */
export function observe(
  body: unknown,
  known: Behaviour,
  words: Vocabulary,
  subject: string | undefined,
): Observation[] {
  const seen: Observation[] = [];
  const members = new Map<ThingKind, string[]>();
  for (const { at, kind, schema } of known.answers ?? []) {
    const value = valueAt(body, at);
    const isList = Array.isArray(value);
    for (const item of isList ? value : value === undefined ? [] : [value]) {
      if (typeof item !== "object" || item === null) continue;
      const shown = item as Record<string, unknown>;
      const { key } = thing(kind);
      const label =
        key === undefined ? "" : shown[key] === undefined ? subject : words.label(kind, shown[key], shown);
      if (label === undefined || words.isLeftover(label)) continue;
      // Others may have the same key in another place, and change meanwhile.
      if (thing(kind).comesAndGoes === true && !words.isOwn(label)) continue;
      if (isList) members.set(kind, [...(members.get(kind) ?? []), label]);
      collect(kind, label, schema ?? thing(kind).schema, shown, "", words, seen);
    }
    if (isList && !members.has(kind)) members.set(kind, []);
  }
  if (known.does === "list" || known.complete !== undefined) {
    for (const [kind, labels] of members) {
      seen.push({
        thing: membersOf(kind),
        kind,
        field: membersField,
        text: JSON.stringify(labels.toSorted()),
      });
    }
  }
  return seen;
}

function collect(
  kind: ThingKind,
  label: string,
  schema: unknown,
  shown: Readonly<Record<string, unknown>>,
  prefix: string,
  words: Vocabulary,
  seen: Observation[],
): void {
  const definition = thing(kind);
  const { properties } = schema as { properties?: Readonly<Record<string, unknown>> };
  for (const [name, inner] of Object.entries(properties ?? {})) {
    const field = prefix + name;
    const value = shown[name];
    const isLeftOut = definition.open?.includes(field) === true || field === definition.key;
    // Members beyond the interface are not compared.
    if (value === undefined || isLeftOut) continue;
    const nested = (inner as { properties?: unknown }).properties !== undefined;
    if (nested && typeof value === "object" && value !== null) {
      collect(kind, label, inner, value as Record<string, unknown>, `${field}.`, words, seen);
      continue;
    }
    seen.push({
      thing: thingName(kind, label),
      kind,
      field,
      text: canonical(kind, field, value, words),
    });
    const referred = definition.refers?.[field];
    if (referred !== undefined && Array.isArray(value)) collectNames(referred, value, words, seen);
  }
}

/** A reference with a name is an observation of the thing it refers to. */
function collectNames(
  kind: ThingKind,
  references: readonly unknown[],
  words: Vocabulary,
  seen: Observation[],
): void {
  for (const one of references) {
    if (typeof one !== "object" || one === null || !("name" in one) || !("id" in one)) continue;
    const label = words.label(kind, one.id, one);
    seen.push({
      thing: thingName(kind, label),
      kind,
      field: "name",
      text: canonical(kind, "name", one.name, words),
    });
  }
}

/** The value at a JSON pointer; undefined where there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split("/").slice(1)) {
    found =
      typeof found === "object" && found !== null ? (found as Record<string, unknown>)[part] : undefined;
  }
  return found;
}

/** The kind in a thing's name; undefined for the list of a kind. */
export function kindOf(name: string): ThingKind | undefined {
  const [first = ""] = name.split(" ");
  return isThingKind(first) ? first : undefined;
}

// Texts that are equal when two gateways, or a gateway and a request, mean the same: ids become labels, lists without an
// order are sorted, times become instants, and everything that the interface leaves to the gateway is omitted.
import { behaviour, thing } from "../../interface/behaviour/index.ts";
import type { ThingKind } from "../../interface/behaviour/behaviour.ts";
import { operationIds } from "../../interface/operations/index.ts";
import { neverLoggedIn } from "../../interface/resources/users.ts";
import { stringifyJson } from "../../record/index.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

/** Translates the ids of one gateway into labels that both share. */
export interface Vocabulary {
  /** Label of a thing by its key; `shown`: its other fields in the answer. */
  label(kind: ThingKind, key: unknown, shown?: Readonly<Record<string, unknown>>): string;
  /** Whether the thing was made by this play. */
  isOwn(label: string): boolean;
  /** Whether the thing was left by another play or run, which could not remove it. */
  isLeftover(label: string): boolean;
  /** A text without parts of this play or of this gateway's profile. */
  text(text: string): string;
}

type JsonSchema = Readonly<Record<string, unknown>>;

const settable = new Map<ThingKind, Set<string>>();

/** Whether an operation stores this field as sent. */
function isSettable(kind: ThingKind, field: string): boolean {
  if (settable.size === 0) {
    for (const id of operationIds) {
      const known = behaviour(id);
      if (known === undefined) continue;
      const fields = settable.get(known.kind) ?? new Set();
      for (const name of Object.keys(known.stores ?? {})) fields.add(name);
      settable.set(known.kind, fields);
    }
  }
  return settable.get(kind)?.has(field) ?? false;
}

/** The schema of a dotted field inside an object schema; undefined where the interface has no such field. */
function schemaOf(schema: unknown, field: string): JsonSchema | undefined {
  let node = schema as JsonSchema | undefined;
  for (const name of field.split(".")) {
    node = (node?.["properties"] as Record<string, JsonSchema> | undefined)?.[name];
  }
  return node;
}

/** The value of a field as a text to compare. */
export function canonical(kind: ThingKind, field: string, value: unknown, words: Vocabulary): string {
  const definition = thing(kind);
  const referred = definition.refers?.[field];
  if (referred !== undefined && Array.isArray(value)) {
    return stringifyJson(value.map((one) => referenceLabel(referred, one, words)).toSorted());
  }
  const schema = schemaOf(definition.schema, field);
  if (isMoment(schema) && (typeof value === "string" || value === null)) return moment(kind, field, value);
  // Some numbers are sent as texts ("desiredDiskCacheSizeMB").
  if (schema?.["type"] === "integer" && typeof value === "string" && /^-?\d+$/.test(value)) return value;
  return stringifyJson(plain(value, words)) ?? "no value";
}

function referenceLabel(kind: ThingKind, one: unknown, words: Vocabulary): string {
  const shown = typeof one === "object" && one !== null ? (one as Record<string, unknown>) : undefined;
  return words.label(kind, shown === undefined ? one : shown["id"], shown);
}

function plain(value: unknown, words: Vocabulary): unknown {
  if (typeof value === "string") return words.text(value);
  if (Array.isArray(value)) {
    const items = value.map((one) => plain(one, words));
    // The interface gives lists of words no order.
    return items.every((one) => typeof one === "string") ? items.toSorted() : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner, words)]));
}

function isMoment(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return false;
  if (schema["format"] === "rfc3339") return true;
  return ((schema["anyOf"] as JsonSchema[] | undefined) ?? []).some(isMoment);
}

const instantPrefix = "instant ";

function moment(kind: ThingKind, field: string, value: string | null): string {
  if (value === null) return "null";
  if (value === neverLoggedIn) return '"never"';
  const epochMs = epochMsOf(value);
  if (Number.isNaN(epochMs)) return stringifyJson(value);
  // The clocks of gateways differ: only the presence of a time is compared.
  return isSettable(kind, field) ? instantPrefix + new Date(epochMs).toISOString() : '"set"';
}

/** Whether both are instants, which the gateways may have taken from their own clocks. */
export function areInstants(a: string, b: string): boolean {
  return a.startsWith(instantPrefix) && b.startsWith(instantPrefix);
}

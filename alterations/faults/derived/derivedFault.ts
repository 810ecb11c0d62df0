// A fault that an operator makes at a place.
import { at as valueAt, fields, type Fields } from "../../mechanism/edits.ts";
import type { GatewayAlterations } from "../../mechanism/gatewayAlterations.ts";
import type { Call } from "../../../reference-impl/http/handler.ts";
import type { Fault } from "../../mechanism/fault.ts";
import type { Place, View } from "./places.ts";

interface Derivation {
  readonly operator: string;
  /** Operation and member, parameter or object. */
  readonly place: string;
  readonly requirement: string;
  readonly also?: readonly string[];
  readonly what: string;
  readonly install: Fault["install"];
  readonly subtlety?: Fault["subtlety"];
  readonly operation?: Fault["operation"];
  readonly level?: Fault["level"];
}

/** The fault with the id `derived/<operator>/<place>`. */
export function derived({
  operator,
  place,
  also = [],
  subtlety = "subtle",
  requirement,
  operation,
  level,
  what,
  install,
}: Derivation): Fault {
  return {
    id: `derived/${operator}/${place}`,
    requirement,
    subtlety,
    ...(operation === undefined ? {} : { operation }),
    ...(level === undefined ? {} : { level }),
    alsoViolates: [...new Set(also)].filter((one) => one !== requirement),
    what,
    install,
  };
}

/** Edits each thing in a view's answers. */
export function inView(
  at: GatewayAlterations,
  { operation, at: path }: View,
  edit: (thing: Fields, call: Call) => Fields,
): void {
  at.answer(operation, (body, call) =>
    replaced(body, path, (inner) =>
      Array.isArray(inner) ? inner.map((one) => edit(fields(one), call)) : edit(fields(inner), call),
    ),
  );
}

/** A copy with the part at the path replaced; the whole where the path is empty. */
export function replaced(value: unknown, path: string, edit: (inner: unknown) => unknown): unknown {
  if (path === "") return edit(value);
  const [name = "", ...rest] = path.split(".");
  const whole = fields(value);
  return Object.hasOwn(whole, name)
    ? { ...whole, [name]: replaced(whole[name], rest.join("."), edit) }
    : whole;
}

/** A copy with the value at the path edited, where the path is present. */
export function edited(thing: Fields, path: string, edit: (value: unknown) => unknown): Fields {
  return fields(replaced(thing, path, edit));
}

/** The things of a view in an answer's body. */
export function thingsIn(body: unknown, { at: path }: View): Fields[] {
  const inner = path === "" ? body : valueAt(body, path);
  return Array.isArray(inner) ? inner.map(fields) : [fields(inner)];
}

export function keyOf({ key }: Place, thing: Fields): string {
  return JSON.stringify(key.map((name) => thing[name]));
}

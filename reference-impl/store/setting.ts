import type { TSchema } from "typebox";
import type { Static } from "typebox";
import { Check } from "typebox/value";
import { checker } from "../../interface/schema/validate.ts";
import type { Store } from "./store.ts";

/** One durable document of settings with a default that a reset restores. */
export interface Setting<T> {
  readonly name: string;
  get(): T;
  /** Replaces the document; it is durable when the call returns. */
  set(value: T): void;
  /** Merges the given members over the present ones and stores the result. */
  update(part: Partial<T>): T;
  /** Restores the default. */
  reset(): void;
  /** Throws an Error with the place of the first deviation from the schema. */
  check(value: unknown): void;
  /** Replaces the document by one from outside. */
  take(value: unknown): void;
}

/**
 * Opens a setting; every one is opened at boot, so that nothing is compiled for it before it is changed. A stored document that no longer fits the schema gives way to the default.
 */
export function openSetting<S extends TSchema>(
  store: Store,
  name: string,
  schema: S,
  defaults: () => Static<S>,
): Setting<Static<S>> {
  type T = Static<S>;
  const row = store.get("SELECT value FROM setting WHERE name = ?", name);
  const stored: unknown = row === undefined ? undefined : JSON.parse(String(row["value"]));
  const initial = (): T => {
    const own = store.options.defaults?.[name];
    return own === undefined ? defaults() : ({ ...(defaults() as object), ...own } as T);
  };
  let current: T = stored !== undefined && Check(schema, stored) ? (stored as T) : initial();

  const check = (value: unknown): void => {
    const problem = checker(schema)(value)[0];
    if (problem !== undefined) {
      throw new Error(
        `setting ${name}${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
      );
    }
  };
  const set = (value: T): void => {
    check(value);
    store.run(
      "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      name,
      JSON.stringify(value),
    );
    current = structuredClone(value);
  };

  return {
    name,
    get: () => structuredClone(current),
    set,
    update(part) {
      set({ ...(current as object), ...(part as object) } as T);
      return structuredClone(current);
    },
    reset() {
      store.run("DELETE FROM setting WHERE name = ?", name);
      current = initial();
    },
    check,
    take(value) {
      check(value);
      if (Check(schema, value)) set(value as T);
    },
  };
}

// Small edits of JSON values.
export type Fields = Record<string, unknown>;

/** The value if it is an object, else an empty object. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function items(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

/** The value at a path such as `schedule.enable`. */
export function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => fields(inner)[name], value);
}

/** A copy with another value at the path. */
export function put(value: unknown, path: string, inner: unknown): Fields {
  const [name = "", ...rest] = path.split(".");
  const whole = fields(value);
  return { ...whole, [name]: rest.length === 0 ? inner : put(whole[name], rest.join("."), inner) };
}

/** A copy without the member at the path. */
export function drop(value: unknown, path: string): Fields {
  const [name = "", ...rest] = path.split(".");
  const whole = fields(value);
  if (rest.length === 0)
    return Object.fromEntries(Object.entries(whole).filter(([member]) => member !== name));
  return Object.hasOwn(whole, name) ? { ...whole, [name]: drop(whole[name], rest.join(".")) } : whole;
}

/** A string or number as text, else an empty text. */
export function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint"
    ? String(value)
    : "";
}

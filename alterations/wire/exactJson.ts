// JSON on its way through an edit: only the edited values change, so every digit and the sign of a zero remain.
import { parseJson, parseNumbers, wholeNumber } from "../../reference-impl/base/json.ts";

const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON: (text: string) => object;
  isRawJSON: (value: unknown) => boolean;
};

export type JsonObject = Readonly<Record<string, unknown>>;

export function parseExactJson(text: string): unknown {
  if (!/-0(?![.\d])/.test(text)) return parseJson(text);
  return parseNumbers(text, (value, source) =>
    Object.is(value, -0) ? rawJSON("-0") : wholeNumber(value, source),
  );
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawJSON(value);
}

/** The value with every object in it changed, the inner ones first. */
export function mapObjects(value: unknown, change: (object: JsonObject) => unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => mapObjects(inner, change));
  if (!isJsonObject(value)) return value;
  const mapped = Object.entries(value).map(([name, inner]) => [name, mapObjects(inner, change)] as const);
  return change(Object.fromEntries(mapped));
}

/** The value with every list in it changed. */
export function mapLists(value: unknown, change: (list: readonly unknown[]) => unknown): unknown {
  if (Array.isArray(value)) return change(value.map((inner) => mapLists(inner, change)));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapLists(inner, change)]));
}

import { stringifyJson } from "../../record/index.ts";

/** Entries that the list shows a second time, unchanged. */
export function repeatedEntries(body: unknown): string[] {
  const data: unknown = typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
  const entries = (Array.isArray(data) ? data : []).map((entry: unknown) => stringifyJson(entry));
  return entries.filter((entry, index) => entries.indexOf(entry) !== index);
}

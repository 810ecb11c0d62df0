// Two long values that differ in little are shown by what differs.
import { stringifyJson } from "../../record/index.ts";
import { sameValue } from "./sameValue.ts";

/** JSON up to this length is read at once. */
const shortText = 60;

type Members = Readonly<Record<string, unknown>>;

/**
 * The members in which two values differ, at any depth; elements of lists of equal length by their index, as `[2]`.
 * `undefined` when a value is short, or when they have no member in common.
 */
export function differingMembers(
  observed: unknown,
  expected: unknown,
): { readonly observed: unknown; readonly expected: unknown } | undefined {
  const isShort = [observed, expected].every((value) => (stringifyJson(value) ?? "").length <= shortText);
  return isShort ? undefined : differing(observed, expected);
}

function differing(
  observed: unknown,
  expected: unknown,
): { readonly observed: Members; readonly expected: Members } | undefined {
  const [seen, wanted] = [membersOf(observed), membersOf(expected)];
  if (seen === undefined || wanted === undefined) return undefined;
  if (Array.isArray(observed) && Object.keys(seen).length !== Object.keys(wanted).length) return undefined;
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(seen)])];
  const different = names.filter((name) => !sameValue(seen[name], wanted[name]));
  if (different.length === names.length && !different.some((name) => name in seen && name in wanted))
    return undefined;
  const parts = different.map((name) => {
    const inner = differing(seen[name], wanted[name]);
    return { name, observed: inner?.observed ?? seen[name], expected: inner?.expected ?? wanted[name] };
  });
  return {
    observed: Object.fromEntries(
      parts.filter(({ name }) => name in seen).map((one) => [one.name, one.observed]),
    ),
    expected: Object.fromEntries(
      parts.filter(({ name }) => name in wanted).map((one) => [one.name, one.expected]),
    ),
  };
}

function membersOf(value: unknown): Members | undefined {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return undefined;
  return Array.isArray(value)
    ? Object.fromEntries(value.map((one: unknown, index) => [`[${index}]`, one]))
    : (value as Members);
}

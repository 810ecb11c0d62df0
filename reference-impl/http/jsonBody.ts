// JSON from outside: parsed without losing digits, rejected when it is nested too deeply or sets a prototype.
import { parseJson } from "../base/json.ts";
import { badInput } from "../base/refusal.ts";

// No body of the interface is deeper than 5; recursion over a document must not exhaust the stack.
const maxDepth = 64;

/** Parses the text; throws a Refusal if it is not JSON, too deep or has a member `__proto__`. */
export function readJsonBody(text: string): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw badInput("the body: expected a JSON document, found other text");
  }
  assertHarmless(value, 1);
  return value;
}

function assertHarmless(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > maxDepth) throw badInput(`the body: expected JSON at most ${maxDepth} levels deep`);
  if (Object.hasOwn(value, "__proto__")) throw badInput("the body: no member may be named __proto__");
  for (const inner of Object.values(value)) assertHarmless(inner, depth + 1);
}

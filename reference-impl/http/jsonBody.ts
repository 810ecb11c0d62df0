// JSON from outside: parsed without losing digits, refused when it is built to hurt whoever walks through it.
import { parseJson } from "../base/json.ts";
import { badInput } from "../base/refusal.ts";

// No body of the interface is deeper than 5; whoever walks a document by recursion must not run out of stack.
const maxDepth = 64;

/** The document in the text; throws a Refusal when there is none, or one too deep or with a member `__proto__`. */
export function readJsonBody(text: string): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw badInput("the body: expected a JSON document, found text that is none");
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

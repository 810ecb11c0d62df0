import type { Behaviour } from "./behaviour.ts";
import { mapObjects } from "./exactJson.ts";

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const never = "0001-01-01T00:00:00Z";
const indiaMs = 5.5 * 3600 * 1000;

/** Changes members that hold time stamps; the zero value is a text that the interface gives. */
function timeStamps(write: (text: string) => string): Behaviour {
  return {
    value: (value) =>
      mapObjects(value, (object) =>
        Object.fromEntries(
          Object.entries(object).map(([name, inner]) => [
            name,
            typeof inner === "string" && /(At|After)$/.test(name) && instant.test(inner) && inner !== never
              ? write(inner)
              : inner,
          ]),
        ),
      ),
  };
}

function escaped(text: string): string {
  return text.replaceAll(/\\.|[aeo/]|[^ -~]/g, (found) => {
    if (found.startsWith("\\")) return found;
    return found === "/" ? String.raw`\/` : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function otherForm(digits: string): string {
  if (!/^-?\d{1,15}$/.test(digits)) return digits;
  if (/[1-9]000$/.test(digits)) return `${digits.slice(0, -3)}e3`;
  return `${digits}${[".0", "e0", "E+0", ""][Number(digits.at(-1)) % 4]}`;
}

export const notationBehaviours = {
  "pretty-json": {
    json: (text, place) =>
      place === "line" ? text : text.replaceAll(/("(?:[^"\\]|\\.)*")|([[{,:}\]])/g, spread),
  },
  "escaped-json": {
    json: (text) =>
      text.replaceAll(token, (found) => (found.startsWith('"') ? `"${escaped(found.slice(1, -1))}"` : found)),
  },
  "number-forms": {
    json: (text) => text.replaceAll(token, (found) => (found.startsWith('"') ? found : otherForm(found))),
  },
  "members-reversed": {
    value: (value) => mapObjects(value, (object) => Object.fromEntries(Object.entries(object).toReversed())),
  },
  "times-with-offset": timeStamps((text) => {
    const shifted = new Date(Date.parse(text) + indiaMs).toISOString();
    const fraction = instant.exec(text)?.[1] ?? "";
    return `${shifted.slice(0, 19)}${fraction}+05:30`;
  }),
  "times-with-fractions": timeStamps((text) => {
    const fraction = (instant.exec(text)?.[1] ?? ".").padEnd(10, "0");
    return `${text.slice(0, 19)}${fraction}Z`;
  }),
  "times-with-zero-offset": timeStamps((text) => text.replace("Z", "+00:00")),
} as const satisfies Readonly<Record<string, Behaviour>>;

/** White space around what holds JSON together, line ends of both kinds; strings are left alone. */
function spread(_found: string, text: string | undefined, mark: string | undefined): string {
  if (text !== undefined) return text;
  if (mark === ":") return " :\t";
  return mark === "{" || mark === "[" || mark === "," ? `${mark}\r\n  ` : `\n${mark}`;
}

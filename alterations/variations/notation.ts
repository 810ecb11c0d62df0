// How the same JSON value is written.
import { mapObjects } from "../wire/exactJson.ts";
import type { Variation, Variations } from "./variation.ts";

const json = "Conventions: a JSON object; RFC 8259 leaves the notation to the writer";
const time = "Conventions: RFC 3339 leaves offset and fraction to the writer";

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const never = "0001-01-01T00:00:00Z";

/** Changes members with timestamps; the zero value is a text that the interface states. */
function timestamps(differs: string, write: (text: string) => string): Variation {
  const written = (name: string, inner: unknown): unknown =>
    typeof inner === "string" && /(At|After)$/.test(name) && instant.test(inner) && inner !== never
      ? write(inner)
      : inner;
  return {
    differs,
    freedom: time,
    aspect: "timestamps",
    install: (at) =>
      at.jsonValue((value) =>
        mapObjects(value, (object) =>
          Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, written(name, inner)])),
        ),
      ),
  };
}

/** The same instant with an offset such as `+05:30`. */
function withOffset(text: string, offset: string): string {
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  const byMs = (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  const shifted = new Date(Date.parse(text) + byMs).toISOString();
  return `${shifted.slice(0, 19)}${instant.exec(text)?.[1] ?? ""}${offset}`;
}

function inTurns(offsets: readonly string[]): (text: string) => string {
  let turn = 0;
  return (text) => withOffset(text, offsets[turn++ % offsets.length] ?? "+00:00");
}

function escaped(text: string): string {
  return text.replaceAll(/\\u[\da-fA-F]{4}|\\.|[aeo/]|[^ -~]/g, (found) => {
    if (found.startsWith("\\")) return found;
    return found === "/" ? String.raw`\/` : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function otherForm(digits: string): string {
  if (!/^-?\d+$/.test(digits)) return digits;
  const [, first = "", others = ""] = /^(-?\d)(\d{15,})$/.exec(digits) ?? [];
  if (first !== "") return `${first}.${others}E${others.length}`;
  if (/[1-9]000$/.test(digits)) return `${digits.slice(0, -3)}e3`;
  return `${digits}${[".0", "e0", "E+0", ""][Number(digits.at(-1)) % 4]}`;
}

/** White space around the structural characters of JSON, line ends of both kinds; strings are left alone. */
function spread(_found: string, text: string | undefined, mark: string | undefined): string {
  if (text !== undefined) return text;
  if (mark === ":") return " :\t";
  return mark === "{" || mark === "[" || mark === "," ? `${mark}\r\n  ` : `\n${mark}`;
}

const shortMonths = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");

/** Crontab fields as another writer has them: a range for `*` of a step, numbers of two digits, names of months. */
function crontabField(name: string, text: unknown): unknown {
  if (typeof text !== "string") return text;
  const ranges: Readonly<Record<string, string>> = {
    minute: "0-59",
    hour: "0-23",
    day: "1-31",
    month: "1-12",
  };
  const spelled = text.replace("*/", `${ranges[name] ?? "0-6"}/`);
  if (name === "month" && /^\d+$/.test(text)) return shortMonths[Number(text) - 1] ?? text;
  return name === "dayOfWeek" || spelled.includes("/") ? spelled : spelled.replaceAll(/\b\d\b/g, "0$&");
}

export const notationVariations = {
  "crontab-spelled-out": {
    differs: "Crontab fields are shown with ranges before steps, two digits, and names of months",
    freedom: "Reboot configuration: the fields are crontab fields, of which crontab has several spellings",
    install: (at) =>
      at.jsonValue((value) =>
        mapObjects(value, (object) =>
          "minute" in object && "dayOfWeek" in object
            ? Object.fromEntries(
                Object.entries(object).map(([name, inner]) => [name, crontabField(name, inner)]),
              )
            : object,
        ),
      ),
  },
  "pretty-json": {
    differs: "JSON has line ends and indentation",
    freedom: json,
    install: (at) =>
      at.jsonText((text, place) =>
        place === "line" ? text : text.replaceAll(/("(?:[^"\\]|\\.)*")|([[{,:}\]])/g, spread),
      ),
  },
  "escaped-json": {
    differs: "Letters and slashes of JSON strings are written as escapes, in member names as well",
    freedom: json,
    install: (at) =>
      at.jsonText((text) =>
        text.replaceAll(token, (found) =>
          found.startsWith('"') ? `"${escaped(found.slice(1, -1))}"` : found,
        ),
      ),
  },
  "number-forms": {
    differs:
      "Whole numbers are written as 7.0, 7e0, 7E+0 and 1e3, and those of 64 bits as 1.8446744073709551615E19",
    freedom: json,
    install: (at) =>
      at.jsonText((text) =>
        text.replaceAll(token, (found) => (found.startsWith('"') ? found : otherForm(found))),
      ),
  },
  "members-reversed": {
    differs: "Members of objects are in the opposite order",
    freedom: json,
    install: (at) =>
      at.jsonValue((value) =>
        mapObjects(value, (object) => Object.fromEntries(Object.entries(object).toReversed())),
      ),
  },
  "times-with-offset": timestamps("Timestamps have an offset of five and a half hours", (text) =>
    withOffset(text, "+05:30"),
  ),
  "times-in-changing-notation": timestamps(
    "Timestamps have another offset each time",
    inTurns(["+05:45", "+00:00", "-09:30"]),
  ),
  "times-with-fractions": timestamps("Timestamps have eleven digits after the second", (text) => {
    const fraction = (instant.exec(text)?.[1] ?? ".").padEnd(12, "0");
    return `${text.slice(0, 19)}${fraction}Z`;
  }),
  "times-with-zero-offset": timestamps("Timestamps end with +00:00 instead of Z", (text) =>
    text.replace("Z", "+00:00"),
  ),
} as const satisfies Variations;

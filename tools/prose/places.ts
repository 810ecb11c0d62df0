// The English in a TypeScript file: comments, texts and names, each with its place.
import { parseSync, Visitor } from "oxc-parser";

export type PlaceKind = "comment" | "text" | "word" | "name" | "statement" | "title";

export interface Place {
  readonly kind: PlaceKind;
  readonly start: number;
  readonly end: number;
  /** As long as the source from `start` to `end`; what is no English is blank. */
  readonly text: string;
}

/** Comments, string literals, templates and identifiers, in the order of the file. A name counts once. */
export function placesOf(file: string, source: string): Place[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const places: Place[] = paragraphs(source, comments);
  const roles = new Map<number, "statement" | "title">();
  const specifiers = new Set<number>();
  const names = new Set<string>();
  const addText = (start: number, end: number): void => {
    const text = english(source.slice(start, end));
    if (!/\p{L}/u.test(text)) return;
    places.push({ kind: roles.get(start) ?? (/\s/.test(text) ? "text" : "word"), start, end, text });
  };
  const specifier = ({ source: from }: { source: { start: number } | null }): void => {
    if (from !== null) specifiers.add(from.start + 1);
  };
  new Visitor({
    ImportDeclaration: specifier,
    ExportNamedDeclaration: specifier,
    ExportAllDeclaration: specifier,
    ImportExpression: specifier,
    Property({ key, value }) {
      const role = key.type === "Identifier" ? roleOf(file, key.name) : undefined;
      if (role !== undefined && value.type === "Literal") roles.set(value.start + 1, role);
    },
    Literal({ value, start, end }) {
      if (typeof value === "string" && !specifiers.has(start + 1)) addText(start + 1, end - 1);
    },
    TemplateElement({ start, end, tail }) {
      addText(start + 1, end - (tail ? 1 : 2));
    },
    Identifier({ name, start }) {
      if (names.has(name)) return;
      names.add(name);
      places.push({ kind: "name", start, end: start + name.length, text: name });
    },
  }).visit(program);
  return places.toSorted((one, other) => one.start - other.start);
}

function roleOf(file: string, property: string): "statement" | "title" | undefined {
  if (property === "statement" && file.startsWith("interface/requirements/")) return "statement";
  return property === "title" && file.startsWith("suites/") ? "title" : undefined;
}

/** Comments; lines that follow each other are one paragraph, in which a phrase may be broken. */
function paragraphs(
  source: string,
  comments: readonly { readonly type: string; readonly start: number; readonly end: number }[],
): Place[] {
  const groups: { type: string; start: number; end: number }[] = [];
  for (const { type, start, end } of comments) {
    const last = groups.at(-1);
    const follows =
      last?.type === "Line" && type === "Line" && /^\r?\n[ \t]*$/.test(source.slice(last.end, start));
    if (last !== undefined && follows) last.end = end;
    else groups.push({ type, start, end });
  }
  return groups.map(({ start, end }) => ({
    kind: "comment",
    start,
    end,
    text: english(source.slice(start, end).replaceAll(/^[ \t]*(?:\/\/|\/\*\*?|\*)|\*\/$/gm, blank)),
  }));
}

/** Escapes and code between backticks are blank. */
function english(raw: string): string {
  return raw.replaceAll(/\\u\{[^}]*\}|\\u.{4}|\\x..|\\[\s\S]|`[^`\n]*`/g, blank);
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

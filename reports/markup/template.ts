// A tagged template that escapes every insert except markup from the same template.
import { visibleText } from "../text/visibleText.ts";

/** Markup that is safe to insert into a page. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** Values that a template accepts; `undefined` and `false` add no markup. */
export type Insert = Html | string | number | undefined | false | readonly Insert[];

const withoutIndent = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Creates markup. Every value that is not markup is escaped for text and for quoted attributes. */
export function html(parts: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  const texts = withoutIndent.get(parts) ?? parts.map((part) => part.replaceAll(/\n\s+/g, "\n"));
  withoutIndent.set(parts, texts);
  return new Html(texts.reduce((markup, text, index) => markup + toMarkup(inserts[index - 1]) + text));
}

function toMarkup(insert: Insert): string {
  if (insert === undefined || insert === false) return "";
  if (insert instanceof Html) return insert.markup;
  if (typeof insert === "object") return insert.map(toMarkup).join("");
  return escapeHtml(String(insert));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Text for an element or a quoted attribute; control characters become visible. */
function escapeHtml(text: string): string {
  return visibleText(text).replaceAll(/[&<>"'`]/g, (found) => entities[found] ?? "");
}

/** A value as JSON for a script element: no character of it can end the element. */
export function jsonForScript(value: unknown): Html {
  const escaped = JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return new Html(escaped);
}

/** Markup from this package, such as a style sheet or a script. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

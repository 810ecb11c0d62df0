/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | false | readonly Part[];

/** A template whose values are escaped unless they are HTML already. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return { html: texts.reduce((whole, text, index) => whole + render(values[index - 1]) + text) };
}

function render(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escape(String(part));
  if (Array.isArray(part)) return (part as readonly Part[]).map(render).join("");
  return (part as Html).html;
}

function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

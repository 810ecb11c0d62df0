import { html, type Html } from "./template.ts";

/** Text in which names between backticks become code; an unpaired backtick stays as it is. */
export function codeSpans(text: string): Html {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

import { html, type Html, type Insert } from "../markup/template.ts";
import { counted } from "../text/visibleText.ts";

const fewItems = 3;

/** The first ones, and all of them on demand. */
export function few<T>(items: readonly T[], noun: string, show: (item: T) => Insert): Html {
  const list = (some: readonly T[]): Html =>
    html`${some.map((item, index) => html`${index > 0 && ", "}${show(item)}`)}`;
  if (items.length <= fewItems) return list(items);
  return html`<details>
    <summary>${counted(items.length, noun)}: ${list(items.slice(0, 1))} and more</summary>
    ${list(items)}
  </details>`;
}

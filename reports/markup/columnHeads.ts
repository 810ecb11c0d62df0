import { html, type Html, type Insert } from "./template.ts";

/** The head of a table with the names of its columns. */
export function columnHeads(...names: readonly Insert[]): Html {
  return html`<thead>
    <tr>
      ${names.map((name) => html`<th scope="col">${name}</th>`)}
    </tr>
  </thead>`;
}

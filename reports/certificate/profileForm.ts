// The completed ICS and IXIT form of a gateway for signature, in Markdown and as a printable page.
import { columnHeads } from "../markup/columnHeads.ts";
import { htmlDocument } from "../markup/document.ts";
import { html, type Html } from "../markup/template.ts";
import { certificateStyle } from "./certificateStyle.ts";
import { markdownTable, markdownText } from "../text/markdownText.ts";

/** A part of the form: a table with a caption. */
interface FormTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface ProfileForm {
  readonly title: string;
  readonly tables: readonly FormTable[];
}

const blanks = ["Declared by", "Date", "Signature"];

/** The form as Markdown. */
export function formMarkdown({ title, tables }: ProfileForm): string {
  const parts = tables.map(
    ({ title: caption, columns, rows }) => `## ${markdownText(caption)}\n\n${markdownTable(columns, rows)}\n`,
  );
  const signing = blanks.map((name) => `${name}: ______________________________`).join("\n\n");
  return `# ${markdownText(title)}\n\n${parts.join("\n")}\n${signing}\n`;
}

/** The form as one page without network access. */
export function formPage({ title, tables }: ProfileForm): string {
  return htmlDocument({
    title,
    style: certificateStyle,
    body: html`<main>
      <h1>${title}</h1>
      ${tables.map(tableHtml)}
      <dl>
        ${blanks.map(
          (name) =>
            html`<div>
              <dt>${name}</dt>
              <dd>______________________________</dd>
            </div>`,
        )}
      </dl>
    </main>`,
  });
}

function tableHtml({ title, columns, rows }: FormTable): Html {
  return html`<table>
    <caption>
      ${title}
    </caption>
    ${columnHeads(...columns)}
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((text) => html`<td>${text}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

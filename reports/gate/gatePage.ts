// The result of the gate as one page without network access.
import type { GateReason, GateResult } from "../../record/index.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { htmlDocument } from "../markup/document.ts";
import { html, type Html } from "../markup/template.ts";
import { gateStyle } from "./gateStyle.ts";
import {
  comparisonCells,
  comparisonColumns,
  gateSubject,
  gateTitle,
  inOrder,
  kindWords,
} from "./gateText.ts";

/** The whole page as text. */
export function gatePage(result: GateResult): string {
  const { verdict, reasons, open, notes } = result;
  return htmlDocument({
    title: `${gateTitle(result)}: ${result.subject}`,
    style: gateStyle,
    body: html`<main>
      <header class="${verdict}">
        <h1>${gateTitle(result)}</h1>
        <p>${gateSubject(result)}</p>
      </header>
      ${reasonList("Reasons", reasons)} ${reasonList("Inconclusive", open)} ${measurements(result)}
      ${
        notes.length > 0 &&
        html`<section>
          <h2>Notes</h2>
          <ul>
            ${notes.map((note) => html`<li>${note}</li>`)}
          </ul>
        </section>`
      }
    </main>`,
  });
}

function reasonList(title: string, reasons: readonly GateReason[]): Html | undefined {
  if (reasons.length === 0) return undefined;
  return html`<section>
    <h2>${title}</h2>
    <ul>
      ${reasons.map(({ kind, text }) => html`<li><b>${kindWords[kind]}</b> ${text}</li>`)}
    </ul>
  </section>`;
}

function measurements({ comparisons }: GateResult): Html | undefined {
  if (comparisons.length === 0) return undefined;
  return html`<section>
    <h2>Measurements</h2>
    <table>
      ${columnHeads(...comparisonColumns)}
      <tbody>
        ${inOrder(comparisons).map(
          (one) =>
            html`<tr class="${one.result === "worse" ? "worse" : "same"}">
              ${comparisonCells(one).map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
    <p>
      Number of repetitions in brackets. A quantity is worse when a one-sided Mann-Whitney test (Holm's
      correction) rejects chance, the Hodges-Lehmann difference exceeds the threshold and the width of the
      measured intervals, and Cliff's delta shows the difference in most repetitions.
    </p>
  </section>`;
}

import type { TrendNight } from "../../record/index.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";
import { instant } from "../text/durations.ts";

/** The nights of a page, newest first. */
export function nightSection(nights: readonly TrendNight[]): Html {
  return html`<section id="nights" aria-labelledby="nights-title">
    <h2 id="nights-title">Nights</h2>
    <table>
      <caption class="hidden-word">
        The nights, newest first
      </caption>
      ${columnHeads("Started", "Level", "Selection", "Suite", "State")}
      <tbody>
        ${nights.toReversed().map(
          ({ startedAt, level, selection, suiteVersion, state, exitCode }) =>
            html`<tr>
              <th scope="row">${instant(startedAt)}</th>
              <td>${level}</td>
              <td>${selection === "" ? "all cases" : selection}</td>
              <td>${suiteVersion}</td>
              <td>${state}${exitCode !== undefined && `, exit code ${exitCode}`}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

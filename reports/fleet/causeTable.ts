// The cause of a new failure with its evidence: one row for each turn.
import type { Cause, CauseTurn } from "../../record/index.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";
import { changeWords, countWords, verdictWords } from "./causeText.ts";

export function causeTable(cause: Cause): Html {
  return html`<details class="cause">
    <summary>Cause: ${verdictWords(cause)}</summary>
    <table class="trend">
      <caption class="hidden-word">
        Evidence for the cause on ${cause.gateway}
      </caption>
      ${columnHeads("Changed", "Gateway", "Firmware, suite", "Failed")}
      <tbody>
        ${cause.turns.map(turnRow)}
      </tbody>
    </table>
    ${cause.note !== undefined && html`<p class="soft">${cause.note}</p>`}
  </details>`;
}

function turnRow(turn: CauseTurn): Html {
  const { gateway, firmware, suite, evidence } = turn;
  return html`<tr>
    <th scope="row">${changeWords(turn)}</th>
    <td data-label="Gateway"><span class="id">${gateway}</span></td>
    <td data-label="Firmware, suite">${firmware ?? "firmware not reported"}, rackproof ${suite}</td>
    <td data-label="Failed">
      ${countWords(turn)} ${evidence !== undefined && html`<div class="id soft">${evidence}</div>`}
    </td>
  </tr>`;
}

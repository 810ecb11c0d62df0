// Which verdicts change under another suite, as one page without network access.
import type { FlipReason, Preview, PreviewRun } from "../../record/index.ts";
import { gateStyle } from "../gate/gateStyle.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { htmlDocument } from "../markup/document.ts";
import { html, type Html } from "../markup/template.ts";
import { counted } from "../text/visibleText.ts";

export const flipWords: Readonly<Record<FlipReason, string>> = {
  "new-requirement": "new requirement",
  "new-case": "new case",
  "not-replayable": "not replayable",
  "changed-limit": "changed limit",
  "new-check": "new check",
  "changed-check": "changed check",
  removed: "removed",
};

/** The whole page as text. */
export function previewPage(preview: Preview): string {
  const { suite, set, runs } = preview;
  const flips = runs.reduce((sum, run) => sum + run.flips.length, 0);
  const title = flips === 0 ? "No verdict changes" : `${counted(flips, "verdict")} would change`;
  return htmlDocument({
    title,
    style: gateStyle,
    body: html`<main>
      <header class="${flips === 0 ? "release" : "hold"}">
        <h1>${title}</h1>
        <p>
          ${counted(runs.length, "run")} replayed under rackproof
          ${suite}${set !== undefined && `, requirement set ${set}`}
        </p>
      </header>
      ${runs.map(runSection)}
    </main>`,
  });
}

function runSection({ folder, gateway, suite, replayed, notReplayable, flips }: PreviewRun): Html {
  return html`<section>
    <h2>${gateway}: ${folder}</h2>
    <p>
      Recorded by rackproof ${suite}; ${counted(replayed, "case")} replayed, ${notReplayable} not replayable.
    </p>
    ${
      flips.length > 0 &&
      html`<table>
        ${columnHeads("Requirement", "Case", "Was", "Is", "Reason", "Detail")}
        <tbody>
          ${flips.map(
            (flip) =>
              html`<tr class="${flip.is === "fail" ? "worse" : "same"}">
                ${[
                  flip.requirement,
                  flip.case,
                  flip.was ?? "absent",
                  flip.is ?? "absent",
                  flipWords[flip.reason],
                  flip.detail,
                ].map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>`
    }
  </section>`;
}

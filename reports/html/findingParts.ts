// Parts that failed requirements and inconclusive cases share.
import { type CaseRecord, type CheckRecord, type Dispute, disputesOf } from "../../record/index.ts";
import { clip } from "../text/visibleText.ts";
import { marked } from "./difference.ts";
import { command } from "./parts.ts";
import { html, type Html } from "../markup/template.ts";

/** Expected and observed values of a check, side by side. */
export function versus({ expected, observed }: CheckRecord, maxCharacters: number): Html {
  const sides = marked(clip(expected, maxCharacters), clip(observed, maxCharacters));
  return html`<div class="versus">
    <div>
      <p class="part">Expected</p>
      <pre>${sides.expected}</pre>
    </div>
    <div class="observed">
      <p class="part">Observed</p>
      <pre>${sides.observed}</pre>
    </div>
  </div>`;
}

/** Command lines that reproduce a case. */
export function commands(one: CaseRecord, curl = one.curl): Html {
  return html`${one.reproduce !== undefined && command("Reproduce", one.reproduce)}${curl !== undefined && command("curl", curl)}`;
}

const disputeWords: Readonly<Record<Dispute["state"], string>> = {
  open: "disputed, not examined yet",
  upheld: "dispute upheld: the check will change",
  rejected: "dispute rejected: the check stays",
  "specification-silent": "dispute upheld: the interface leaves it open",
};

/** The state of the disputes about a check. */
export function disputeNotes(
  disputes: readonly Dispute[],
  caseId: string,
  requirement: string,
): Html | undefined {
  const found = disputesOf(disputes, caseId, requirement);
  if (found.length === 0) return undefined;
  return html`${found.map(
    ({ state, title, file }) =>
      html`<span class="dispute">${disputeWords[state]} (${title}, docs/disputes/${file})</span> `,
  )}`;
}

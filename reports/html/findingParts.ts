// Parts that failed requirements and inconclusive cases share.
import type { CaseRecord, CheckRecord } from "../../record/index.ts";
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

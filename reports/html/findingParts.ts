// What failures and undecided cases have in common.
import type { CaseRecord, CheckRecord } from "../../harness/record/campaign.ts";
import { clip } from "../visibleText.ts";
import { command } from "./parts.ts";
import { html, type Html } from "./template.ts";

/** What a check expected beside what it observed. */
export function versus({ expected, observed }: CheckRecord, maxCharacters: number): Html {
  return html`<div class="versus">
    <div>
      <h5>Expected</h5>
      <pre>${clip(expected, maxCharacters)}</pre>
    </div>
    <div class="observed">
      <h5>Observed</h5>
      <pre>${clip(observed, maxCharacters)}</pre>
    </div>
  </div>`;
}

/** The command lines that show a case again. */
export function commands(one: CaseRecord): Html {
  return html`${one.reproduce !== undefined && command("Reproduce", one.reproduce)}${one.curl !== undefined && command("By hand", one.curl)}`;
}

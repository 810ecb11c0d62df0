// Small parts that several sections of the page share.
import type { Measurement } from "../../record/index.ts";
import { measurementText } from "../text/measurementText.ts";
import { type ShownVerdict, verdictCounts, verdictWords } from "../text/verdictWords.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";

/** The verdict as a sign and a word. */
export function badge(verdict: ShownVerdict): Html {
  const { sign, word } = verdictWords[verdict];
  return html`<span class="badge v-${verdict}"
    ><span class="sign" aria-hidden="true">${sign}</span> ${word}</span
  >`;
}

/** Number of items with each verdict; verdicts without items are omitted. */
export function countList(items: readonly { readonly verdict: ShownVerdict }[]): Html {
  return html`<ul class="counts">
    ${verdictCounts(items).map(
      ({ verdict, count }) =>
        html`<li class="v-${verdict}">
          <span class="sign" aria-hidden="true">${verdictWords[verdict].sign}</span>
          <b>${count}</b> ${verdictWords[verdict].word}
        </li>`,
    )}
  </ul>`;
}

/** A command line with a button that copies it. */
export function command(label: string, text: string): Html {
  return html`<div class="command">
    <span class="label">${label}</span><code>${text}</code
    ><button type="button" class="copy" data-copied="Copied" aria-label="Copy ${label.toLowerCase()}">
      Copy
    </button>
  </div>`;
}

/** Anchor of a case on the page. */
export function caseAnchor(caseId: string): string {
  return `case:${caseId}`;
}

export function caseLink(caseId: string): Html {
  return html`<a href="#${encodeURIComponent(caseAnchor(caseId))}">${caseId}</a>`;
}

export function requirementAnchor(id: string): string {
  return `requirement:${id}`;
}

export function requirementLink(id: string): Html {
  return html`<a class="id" href="#${encodeURIComponent(requirementAnchor(id))}">${id}</a>`;
}

/** Measured intervals against their limits, in words. */
export function measurementTable(measurements: readonly Measurement[]): Html | undefined {
  if (measurements.length === 0) return undefined;
  return html`<table class="measurements">
    <caption>
      Measurements
    </caption>
    ${columnHeads("Quantity", "Measured", "Limits", "Result", "Observers")}
    <tbody>
      ${measurements.map(measurementRow)}
    </tbody>
  </table>`;
}

/** The observers, each with its own interval where that is recorded. */
function seenBy(measurement: Measurement): Html | string {
  const { observers, seenBy: own = [] } = measurement;
  const known = new Map(own.map(({ observer, low, high }) => [observer, { ...measurement, low, high }]));
  return html`${observers.map((observer, index) => {
    const one = known.get(observer);
    return html`${index > 0 && ", "}${observer}${one && html` <span class="soft">${measurementText(one).measured}</span>`}`;
  })}`;
}

function measurementRow(measurement: Measurement): Html {
  const { measured, allowed, relation } = measurementText(measurement);
  return html`<tr>
    <th scope="row">${measurement.name}</th>
    <td data-label="Measured">${measured}</td>
    <td data-label="Limits">${allowed}</td>
    <td data-label="Result" class="r-${relation.replaceAll(" ", "-")}">${relation}</td>
    <td data-label="Observers">${seenBy(measurement)}</td>
  </tr>`;
}

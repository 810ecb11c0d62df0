// Small pieces that several sections of the page share.
import type { Measurement } from "../../harness/record/campaign.ts";
import { measurementText } from "../measurementText.ts";
import { type ShownVerdict, verdictCounts, verdictWords } from "../verdictWords.ts";
import { html, type Html } from "./template.ts";

/** The verdict as a sign and a word. */
export function badge(verdict: ShownVerdict): Html {
  const { sign, word } = verdictWords[verdict];
  return html`<span class="badge v-${verdict}"
    ><span class="sign" aria-hidden="true">${sign}</span> ${word}</span
  >`;
}

/** How often each verdict occurs, those that do not occur left out. */
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

/** A bar of shares; the numbers stand beside it as text. */
export function shareBar(items: readonly { readonly verdict: ShownVerdict }[]): Html {
  let before = 0;
  const parts = verdictCounts(items).map(({ verdict, count }) => {
    const share = (count / items.length) * 100;
    const part = html`<rect
      class="f-${verdict}"
      x="${before.toFixed(2)}"
      width="${share.toFixed(2)}"
      height="8"
    />`;
    before += share;
    return part;
  });
  return html`<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    ${parts}
  </svg>`;
}

/** A command line with a button that copies it. */
export function command(label: string, text: string): Html {
  return html`<div class="command">
    <span class="label">${label}</span><code>${text}</code
    ><button type="button" class="copy" data-copied="Copied">Copy</button>
  </div>`;
}

/** The address of a case's place on the page. */
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

/** Measured intervals against their limits, in words and as bars. */
export function measurementTable(measurements: readonly Measurement[]): Html | undefined {
  if (measurements.length === 0) return undefined;
  return html`<table class="measurements">
    <caption>
      Measurements
    </caption>
    <thead>
      <tr>
        <th scope="col">Quantity</th>
        <th scope="col">Measured</th>
        <th scope="col">Allowed</th>
        <th scope="col">Interval and limits</th>
        <th scope="col">Seen by</th>
      </tr>
    </thead>
    <tbody>
      ${measurements.map(measurementRow)}
    </tbody>
  </table>`;
}

function measurementRow(measurement: Measurement): Html {
  const { measured, allowed, relation } = measurementText(measurement);
  return html`<tr>
    <th scope="row">${measurement.name}</th>
    <td data-label="Measured">${measured}</td>
    <td data-label="Allowed">${allowed}</td>
    <td data-label="Interval and limits" class="interval r-${relation.replaceAll(" ", "-")}">
      ${intervalBar(measurement)} <span>${relation}</span>
    </td>
    <td data-label="Seen by">${measurement.observers.join(", ")}</td>
  </tr>`;
}

const barWidth = 160;
const narrowestMark = 3;

/** The allowed range as a band, the measured interval as a bar on it. */
function intervalBar({ low, high, limitLow, limitHigh }: Measurement): Html | undefined {
  const ends = [low, high, limitLow, limitHigh].filter((end) => end !== undefined);
  const from = Math.min(...ends);
  const to = Math.max(...ends);
  if (!Number.isFinite(to - from) || (limitLow === undefined && limitHigh === undefined)) return undefined;
  const margin = (to - from) * 0.15 || Math.abs(to) * 0.1 || 1;
  const place = (value: number): number => ((value - from + margin) / (to - from + 2 * margin)) * barWidth;
  const bandFrom = limitLow === undefined ? 0 : place(limitLow);
  const bandTo = limitHigh === undefined ? barWidth : place(limitHigh);
  const length = Math.max(narrowestMark, place(high) - place(low));
  const start = (place(low) + place(high) - length) / 2;
  const limits = [limitLow, limitHigh].filter((limit) => limit !== undefined);
  return html`<svg
    class="bar"
    viewBox="0 0 ${barWidth} 20"
    width="${barWidth}"
    height="20"
    aria-hidden="true"
  >
    <line class="axis" x1="0" x2="${barWidth}" y1="10" y2="10" />
    <rect
      class="band"
      x="${bandFrom.toFixed(1)}"
      y="3"
      width="${Math.max(0, bandTo - bandFrom).toFixed(1)}"
      height="14"
    />
    ${limits.map((limit) => html`<line class="limit" x1="${place(limit).toFixed(1)}" x2="${place(limit).toFixed(1)}" y1="0" y2="20" />`)}
    <rect class="mark" x="${start.toFixed(1)}" y="6" width="${length.toFixed(1)}" height="8" rx="1" />
  </svg>`;
}

// A picture of a restart: who said what and when, a lane for each, with the same as a table for those who read.
import type { Timeline } from "../../harness/record/campaign.ts";
import { clip } from "../visibleText.ts";
import { html, type Html } from "./template.ts";

const widthPx = 920;
const laneHeightPx = 24;
const labelWidthPx = 130;
const axisHeightPx = 22;
const ticks = 6;
const textCharacters = 160;

/** The line as lanes of marks over a time axis, and folded below it every entry in words. */
export function timelineView({ title, entries }: Timeline): Html {
  const lanes = [...new Set(entries.map(({ who }) => who))];
  const endMs = Math.max(1, ...entries.map(({ atMs }) => atMs));
  const heightPx = lanes.length * laneHeightPx + axisHeightPx;
  const x = (atMs: number): string =>
    (labelWidthPx + (atMs / endMs) * (widthPx - labelWidthPx - 20)).toFixed(1);
  const middle = (who: string): number => lanes.indexOf(who) * laneHeightPx + laneHeightPx / 2;
  const seconds = (atMs: number): string => (atMs / 1000).toFixed(endMs < 10_000 ? 2 : 1);
  return html`<figure class="timeline">
    <figcaption>${title}, over ${seconds(endMs)} s</figcaption>
    <svg
      viewBox="0 0 ${widthPx} ${heightPx}"
      role="img"
      aria-label="${title}: ${lanes.join(", ")} over ${seconds(endMs)} seconds; every entry is in the table below"
    >
      ${lanes.map((who) => html`<text x="0" y="${middle(who) + 4}" class="lane">${who}</text><line x1="${labelWidthPx}" x2="${widthPx}" y1="${middle(who)}" y2="${middle(who)}" class="rail" />`)}
      ${entries.map(
        ({ atMs, who, what, uncertainMs = 0 }) =>
          html`<line
              x1="${x(Math.max(0, atMs - uncertainMs))}"
              x2="${x(atMs)}"
              y1="${middle(who)}"
              y2="${middle(who)}"
              class="span"
            /><circle cx="${x(atMs)}" cy="${middle(who)}" r="4" class="mark"
              ><title>${seconds(atMs)} s ${who}: ${clip(what, textCharacters)}</title></circle
            >`,
      )}
      ${Array.from({ length: ticks + 1 }, (_, index) => (index * endMs) / ticks).map(
        (atMs) =>
          html`<text x="${x(atMs)}" y="${heightPx - 4}" class="tick" text-anchor="middle"
            >${seconds(atMs)} s</text
          >`,
      )}
    </svg>
    <details class="fold">
      <summary>The same in words</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Second</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          ${entries.map(
            ({ atMs, who, what, uncertainMs }) =>
              html`<tr>
                <td>
                  ${(atMs / 1000).toFixed(3)}${uncertainMs !== undefined && uncertainMs >= 1 && html` <span class="soft">or up to ${Math.round(uncertainMs)} ms earlier</span>`}
                </td>
                <td>${who}</td>
                <td>${clip(what, textCharacters)}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </details>
  </figure>`;
}

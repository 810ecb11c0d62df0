// Timeline of a restart: a chart with a lane for each source, and a table with the same entries.
import type { Timeline } from "../../record/index.ts";
import { clip } from "../text/visibleText.ts";
import type { Gallery } from "./charts/gallery.ts";
import { timelineChart } from "./charts/timelineChart.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";

const textCharacters = 160;

/** The timeline as marks over a time axis, and below it a collapsed table of all entries. */
export function timelineView(line: Timeline, gallery: Gallery): Html {
  const { title, entries } = line;
  const lanes = [...new Set(entries.map(({ who }) => who))];
  const endMs = Math.max(1, ...entries.map(({ atMs }) => atMs));
  const seconds = (atMs: number): string => (atMs / 1000).toFixed(endMs < 10_000 ? 2 : 1);
  return html`<figure class="timeline">
    <figcaption>${title}, over ${seconds(endMs)} s</figcaption>
    ${gallery.picture({
      title,
      description: `${lanes.join(", ")} over ${seconds(endMs)} seconds; the table below lists every entry.`,
      draw: timelineChart(line),
    })}
    <details class="fold">
      <summary>Entries</summary>
      <table>
        ${columnHeads("Time, s", "Source", "Entry")}
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

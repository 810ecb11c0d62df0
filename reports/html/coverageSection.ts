import { cellKinds } from "../../interface/coverage/cell.ts";
import { cellById } from "../../interface/coverage/index.ts";
import type { Coverage } from "../../record/index.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";
import { counted } from "../text/visibleText.ts";
import { coverageLine, share } from "../text/coverageText.ts";
import type { Gallery } from "./charts/gallery.ts";
import { shareBar } from "./charts/shareBar.ts";
import type { PageParts } from "./pageParts.ts";
import { groupTitle } from "./requirementSection.ts";

type Tally = Coverage["byGroup"][number];
type Rest = Coverage["unobserved"][number];

/** Observed cells of the interface by group and kind, and the others with their reasons. */
export function coverageSection({ record, gallery }: PageParts): Html | undefined {
  const { coverage } = record;
  if (coverage === undefined) return undefined;
  return html`<section id="coverage" aria-labelledby="coverage-title">
    <h2 id="coverage-title">Coverage</h2>
    <p>${coverageLine(coverage)}</p>
    <div class="overview">
      ${tallyTable("Cells by group", coverage.byGroup, groupTitle, gallery)}
      ${tallyTable("Cells by kind", coverage.byKind, kindTitle, gallery)}
    </div>
    ${filterForm(coverage)} ${coverage.unobserved.map(restTable)}
  </section>`;
}

function kindTitle(id: string): string {
  return Object.entries(cellKinds).find(([known]) => known === id)?.[1] ?? id;
}

function tallyTable(
  caption: string,
  tallies: readonly Tally[],
  title: (id: string) => string,
  gallery: Gallery,
): Html {
  return html`<table class="groups">
    <caption>
      ${caption}
    </caption>
    ${columnHeads("Cells", html`<span class="hidden-word">Shares</span>`, "Observed")}
    <tbody>
      ${tallies.map(
        (one) =>
          html`<tr>
            <th scope="row">${title(one.id)}</th>
            <td>${bar(gallery, one)}</td>
            <td>${one.observed} of ${one.all} (${share(one)})</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function bar(gallery: Gallery, { all, observed }: Tally): Html {
  return shareBar(gallery, [
    ...Array.from({ length: observed }, () => ({ verdict: "pass" as const })),
    ...Array.from({ length: all - observed }, () => ({ verdict: "not-covered" as const })),
  ]);
}

/** The form that filters the list; the script of the page reads it. */
function filterForm({ byGroup }: Coverage): Html {
  return html`<form class="filters">
    <label>Text <input type="search" name="text" placeholder="cell" autocomplete="off" /></label>
    <label
      >Group
      <select name="group">
        <option value="">any</option>
        ${byGroup.map(({ id }) => html`<option value="${id}">${groupTitle(id)}</option>`)}
      </select></label
    >
    <button type="reset">Show all</button><output aria-live="polite"></output>
  </form>`;
}

function restTable({ reason, counts, cells }: Rest): Html {
  const subjects = Object.entries(cells).flatMap(([kind, some]) =>
    Object.entries(some).map(([subject, aspects]) => ({ kind, subject, aspects })),
  );
  const count = subjects.reduce((sum, { aspects }) => sum + aspects.length, 0);
  return html`<details>
    <summary>
      ${reason}: ${counted(count, "cell")}${!counts && html` <span class="soft">not counted</span>`}
    </summary>
    <table>
      <caption class="hidden-word">
        ${reason}
      </caption>
      ${columnHeads("Kind", "Subject", "Aspects")}
      <tbody>
        ${subjects.map(restRow)}
      </tbody>
    </table>
  </details>`;
}

function restRow({
  kind,
  subject,
  aspects,
}: {
  readonly kind: string;
  readonly subject: string;
  readonly aspects: readonly string[];
}): Html {
  const group = cellById.get(`${kind}/${subject}/${aspects[0] ?? ""}`)?.group;
  return html`<tr data-verdict="not-covered" data-group="${group ?? ""}">
    <td>${kind}</td>
    <th scope="row">${subject}</th>
    <td>${aspects.join(", ")}</td>
  </tr> `;
}

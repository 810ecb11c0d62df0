import type { CaseRecord, CheckRecord } from "../../record/index.ts";
import { duration } from "../text/durations.ts";
import { clip, counted } from "../text/visibleText.ts";
import { marked } from "./difference.ts";
import { commands, disputeNotes } from "./findingParts.ts";
import { measurementView } from "./measurementView.ts";
import { isFolded } from "../text/findings.ts";
import type { PageParts } from "./pageParts.ts";
import { badge, caseAnchor, requirementLink } from "./parts.ts";
import { filters } from "./requirementSection.ts";
import { CharacterBudget } from "./characterBudget.ts";
import { codeSpans } from "../markup/codeSpans.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";
import { timelineView } from "./timelineView.ts";

// A run has thousands of similar checks; the page shows some of each case, `campaign.json` holds all.
const charactersForOpenChecks = 300_000;
const charactersForPassedChecks = 500_000;
const charactersForTimelines = 450_000;
const passedChecksOnPage = 3000;
const fewestPassedChecksPerCase = 4;
const openChecksPerCase = 60;
const valueCharacters = 400;

/** Every case with its checks, measurements and notes, collapsed. */
export function caseSection(parts: PageParts): Html {
  const { record } = parts;
  const perCase = Math.floor(passedChecksOnPage / Math.max(1, record.cases.length));
  const budgets = {
    open: new CharacterBudget(charactersForOpenChecks),
    passed: new CharacterBudget(charactersForPassedChecks),
    timelines: new CharacterBudget(charactersForTimelines),
    passedPerCase: Math.max(fewestPassedChecksPerCase, perCase),
  };
  const groupIds = [...new Set(record.cases.map((one) => one.group))];
  const view = (one: CaseRecord): Html => caseView(one, parts, budgets);
  const folded = record.trouble === undefined ? [] : record.cases.filter(isFolded);
  const shown = folded.length === 0 ? record.cases : record.cases.filter((one) => !isFolded(one));
  return html`<section id="cases" aria-labelledby="cases-title">
    <h2 id="cases-title">Cases</h2>
    ${filters(groupIds, false)} ${shown.map(view)}
    ${
      folded.length > 0 &&
      html`<details class="fold">
        <summary>${counted(folded.length, "case")} not run</summary>
        ${folded.map(view)}
      </details>`
    }
  </section>`;
}

interface Budgets {
  readonly open: CharacterBudget;
  readonly passed: CharacterBudget;
  readonly timelines: CharacterBudget;
  readonly passedPerCase: number;
}

function caseView(one: CaseRecord, parts: PageParts, budgets: Budgets): Html {
  return html`<details
    class="case"
    id="${caseAnchor(one.id)}"
    data-verdict="${one.verdict}"
    data-group="${one.group}"
  >
    <summary>
      ${badge(one.verdict)} <span class="title">${codeSpans(one.title)}</span>
      <span class="id soft">${one.id}</span>
      <span class="soft">${duration(one.durationMs)}</span>
    </summary>
    <div>
      ${one.reason !== undefined && html`<p>${one.reason}${one.reasonCode !== undefined && html` <span class="soft">(${one.reasonCode})</span>`}</p>`}
      <p class="soft">
        Requirements: ${one.requirements.map((id) => html`${requirementLink(id)} `)}· Effect: ${one.effect} ·
        Seed: ${one.seed}
      </p>
      ${
        one.notes.length > 0 &&
        html`<ul>
          ${one.notes.map((note) => html`<li>${note}</li>`)}
        </ul>`
      }
      ${measurementView(one.measurements, parts)}
      ${[...budgets.timelines.fitting(one.timelines ?? [], (line) => timelineView(line, parts.gallery))]}
      ${checkTable(one, parts, budgets)} ${commands(one)}
      ${parts.evidence.ofCase(one)}${parts.evidence.fileLink(one.id)}
    </div>
  </details> `;
}

function checkTable({ id, checks }: CaseRecord, { disputes }: PageParts, budgets: Budgets): Html {
  const checkRow = (check: CheckRecord): Html => rowOf(check, disputeNotes(disputes, id, check.requirement));
  if (checks.length === 0) return html`<p class="none">No checks.</p>`;
  const open = checks.filter((check) => check.verdict !== "pass").slice(0, openChecksPerCase);
  const passed = checks.filter((check) => check.verdict === "pass").slice(0, budgets.passedPerCase);
  const rows = [...budgets.open.fitting(open, checkRow), ...budgets.passed.fitting(passed, checkRow)];
  const left = checks.length - rows.length;
  return html`<table class="checks">
      <caption>
        ${counted(checks.length, "check")}
      </caption>
      ${columnHeads("Requirement", "Checked", "Expected", "Observed", "Verdict")}
      <tbody>
        ${rows}
      </tbody>
    </table>
    ${left > 0 && html`<p class="again">${counted(left, "more check")} of this case in campaign.json.</p>`}`;
}

function rowOf(
  { requirement, what, expected, observed, verdict }: CheckRecord,
  dispute: Html | undefined,
): Html {
  const sides = marked(clip(expected, valueCharacters), clip(observed, valueCharacters));
  return html`<tr>
    <td>${requirementLink(requirement)}</td>
    <td>${codeSpans(what)}</td>
    <td data-label="Expected">${sides.expected}</td>
    <td data-label="Observed">${sides.observed}</td>
    <td>${badge(verdict)} ${dispute}</td>
  </tr> `;
}

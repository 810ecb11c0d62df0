import { groups } from "../../interface/vocabulary/groups.ts";
import type { CampaignRecord, RequirementRecord } from "../../record/index.ts";
import { shownVerdicts, verdictWords } from "../text/verdictWords.ts";
import { badge, caseLink, countList, requirementAnchor } from "./parts.ts";
import { codeSpans } from "../markup/codeSpans.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";

const casesInLine = 3;

/** Title of a group in the interface; the id for an unknown group. */
export function groupTitle(id: string): string {
  return Object.entries(groups).find(([known]) => known === id)?.[1].title ?? id;
}

/** Every requirement with its statement, place and verdict, by group. */
export function requirementSection(record: CampaignRecord): Html {
  const byGroup = Map.groupBy(record.requirements, (requirement) => requirement.group);
  return html`<section id="requirements" aria-labelledby="requirements-title">
    <h2 id="requirements-title">Requirements</h2>
    ${filters([...byGroup.keys()], true)}
    <table class="matrix">
      <caption class="hidden-word">
        All requirements by group
      </caption>
      ${columnHeads("Requirement", "Statement and place in the interface document", "Level", "Verdict", "Cases")}
      ${[...byGroup].map(([group, requirements]) => groupRows(group, requirements))}
    </table>
  </section>`;
}

function groupRows(group: string, requirements: readonly RequirementRecord[]): Html {
  return html`<tbody id="group:${group}">
    <tr class="group">
      <th scope="rowgroup" colspan="5">${groupTitle(group)}${countList(requirements)}</th>
    </tr>
    ${requirements.map(row)}
  </tbody> `;
}

function row(requirement: RequirementRecord): Html {
  const { id, level, group, statement, place, verdict, cases, reason, source } = requirement;
  return html`<tr
    id="${requirementAnchor(id)}"
    data-verdict="${verdict}"
    data-level="${level}"
    data-group="${group}"
  >
    <th scope="row" class="id">${id}</th>
    <td>
      ${codeSpans(statement)}
      <span class="place">${place}${source !== undefined && html`; source: ${source}`}</span>
    </td>
    <td>${level}</td>
    <td>${badge(verdict)}${reason !== undefined && html` <span class="soft">${reason}</span>`}</td>
    <td class="cases">${caseList(cases)}</td>
  </tr> `;
}

function caseList(ids: readonly string[]): Html | string {
  const links = ids.map((id, index) => html`${index > 0 && ", "}${caseLink(id)}`);
  if (ids.length <= casesInLine) return html`${links}`;
  return html`<details>
    <summary>${ids.length} cases</summary>
    ${links}
  </details>`;
}

/** The form that filters a list; the script of the page reads it. */
export function filters(groupIds: readonly string[], hasLevels: boolean): Html {
  return html`<form class="filters">
    <label>Text <input type="search" name="text" placeholder="id or text" autocomplete="off" /></label>
    <label
      >Verdict
      <select name="verdict">
        <option value="">any</option>
        <option value="open">failed, error or inconclusive</option>
        ${shownVerdicts
          .filter((verdict) => hasLevels || verdict !== "not-covered")
          .map((verdict) => html`<option value="${verdict}">${verdictWords[verdict].word}</option>`)}
      </select></label
    >
    ${
      hasLevels &&
      html`<label
        >Level
        <select name="level">
          <option value="">any</option>
          <option>stated</option>
          <option>published</option>
          <option>declared</option>
          <option>recommended</option>
        </select></label
      >`
    }
    <label
      >Group
      <select name="group">
        <option value="">any</option>
        ${groupIds.map((id) => html`<option value="${id}">${groupTitle(id)}</option>`)}
      </select></label
    >
    <button type="reset">Show all</button><output aria-live="polite"></output>
  </form>`;
}

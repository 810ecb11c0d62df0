// What does not pass in the last results: the worst first, the newest first, with the gateways that show it.
import { requirements as known } from "../../interface/requirements/index.ts";
import { causesOf, type FindingGroup, type FleetHistory, type FleetUnit } from "../../record/index.ts";
import { codeSpans } from "../markup/codeSpans.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";
import { counted } from "../text/visibleText.ts";
import { outcomeWords } from "../trend/trendText.ts";
import { causeTable } from "./causeTable.ts";
import { few } from "./few.ts";
import { firmwareOf, typeOf } from "./unitWords.ts";

const statements = new Map<string, string>(known.map(({ id, statement }) => [id, statement]));
const mostGroups = 60;

export function findingSection(history: FleetHistory, groups: readonly FindingGroup[]): Html {
  const failing = groups.filter(({ outcome }) => outcome === "fail");
  const others = groups.filter(({ outcome }) => outcome !== "fail" && outcome !== "quarantined");
  const quarantined = groups.filter(({ outcome }) => outcome === "quarantined");
  return html`<section id="findings" aria-labelledby="findings-title">
    <h2 id="findings-title">Failures since the last good night</h2>
    ${failing.length === 0 ? html`<p>No failure in the last results.</p>` : groupTable("Failures, the newest first", failing, history)}
    ${
      others.length > 0 &&
      html`<details>
        <summary>${counted(others.length, "group")} in error, inconclusive or flaky</summary>
        ${groupTable("Errors, inconclusive and flaky results", others, history)}
      </details>`
    }
    ${
      quarantined.length > 0 &&
      html`<h3>Quarantined requirements</h3>
        ${groupTable("Accepted until they expire", quarantined, history)}`
    }
  </section>`;
}

function groupTable(caption: string, groups: readonly FindingGroup[], history: FleetHistory): Html {
  const shown = groups.slice(0, mostGroups);
  return html`<table class="trend">
      <caption class="hidden-word">
        ${caption}
      </caption>
      ${columnHeads("Requirements", "Gateways", "Since, last good night", "Reason")}
      <tbody>
        ${shown.map((group) => groupRow(group, history))}
      </tbody>
    </table>
    ${
      groups.length > shown.length &&
      html`<p class="soft">
        ${counted(groups.length - shown.length, "more group")}: the table of requirements by night has them
        all.
      </p>`
    }`;
}

function groupRow(group: FindingGroup, history: FleetHistory): Html {
  const { nights } = history;
  const { outcome, isNew, since, lastGood, reason, evidence, requirements, units, flakyNights } = group;
  const { sign, word } = outcomeWords[outcome];
  const [first] = requirements;
  const dayOf = (night: number): string => nights[night]?.startedAt.slice(0, 10) ?? "";
  return html`<tr>
    <th scope="row">
      <span class="badge o-${outcome}"><span aria-hidden="true">${sign}</span> ${word}</span>
      ${isNew && html`<span class="badge new">new</span>`}
      ${flakyNights > 0 && outcome !== "flaky" && html`<span class="badge o-flaky">flaky in ${counted(flakyNights, "night")}</span>`}
      <div>${few(requirements, "requirement", (id) => html`<span class="id">${id}</span>`)}</div>
      ${requirements.length === 1 && html`<div class="soft">${codeSpans(statements.get(first ?? "") ?? "")}</div>`}
    </th>
    <td data-label="Gateways">
      ${few(units, "gateway", (unit) => html`<span class="id">${unit.name}</span>`)}
      <div class="soft">${commonWords(units)}</div>
    </td>
    <td data-label="Since">
      ${dayOf(since)}${since === 0 && nights.length > 1 && " or earlier"}
      <div class="soft">
        ${lastGood === undefined ? "no good night shown" : `last good ${dayOf(lastGood)}${firmwareChange(units, lastGood)}`}
      </div>
    </td>
    <td data-label="Reason" class="soft">
      ${reason} ${evidence !== undefined && html`<div class="id">${evidence}</div>`}
      ${causesOf(history, since, units, requirements).map(causeTable)}
    </td>
  </tr>`;
}

/** What the gateways have in common. */
function commonWords(units: readonly FleetUnit[]): string {
  const facts: [string, (unit: FleetUnit) => string | undefined][] = [
    ["type", typeOf],
    ["firmware", firmwareOf],
    ["lab", ({ lab }) => lab],
  ];
  return facts
    .flatMap(([what, of]) => {
      const values = [...new Set(units.map(of))];
      const [only] = values;
      if (values.length === 1) return only === undefined ? [] : [`${what} ${only}`];
      return [`${values.length} ${what === "firmware" ? "firmware versions" : `${what}s`}`];
    })
    .join(", ");
}

/** Another firmware since the last good night is the first suspicion. */
function firmwareChange(units: readonly FleetUnit[], lastGood: number): string {
  const changes = new Set(
    units.flatMap((unit) => {
      const [was, is] = [unit.turns[lastGood]?.firmware, firmwareOf(unit)];
      return was === undefined || is === undefined || was === is ? [] : [`firmware ${was} → ${is}`];
    }),
  );
  return changes.size === 1 ? `, ${[...changes].join("")}` : "";
}

// What could not be decided, by reason.
import type { CaseRecord } from "../../record/index.ts";
import { type UndecidedGroup, undecidedGroups } from "../text/findings.ts";
import { openChecks } from "../text/findingText.ts";
import { counted } from "../text/visibleText.ts";
import { commands, versus } from "./findingParts.ts";
import { measurementView } from "./measurementView.ts";
import type { PageParts } from "./pageParts.ts";
import { badge, caseLink, requirementLink } from "./parts.ts";
import { html, type Html } from "../markup/template.ts";

const checksPerCase = 3;
const valueCharacters = 1000;

/** The cases that ended in an error or undecided; those with the same reason together. */
export function undecidedSection(parts: PageParts): Html | undefined {
  const { record } = parts;
  const groups = undecidedGroups(record);
  const count = groups.reduce((sum, group) => sum + group.cases.length, 0);
  if (count === 0) return undefined;
  return html`<section id="undecided" aria-labelledby="undecided-title">
    <h2 id="undecided-title">${counted(count, "case")} not decided</h2>
    <p class="soft">
      An error is the fault of the harness or the rig, never the gateway’s. Inconclusive means that what was
      seen allows no verdict.
    </p>
    ${groups.map((group) => (group.cases.length === 1 ? alone(group, parts) : together(group)))}
  </section>`;
}

function alone({ verdict, reason, cases }: UndecidedGroup, parts: PageParts): Html {
  return html`<article class="failure v-${verdict}">
    ${cases.map(
      (one) =>
        html`<header><h3>${badge(verdict)} ${caseLink(one.id)}</h3></header>
          <p class="statement">${reason}</p>
          <p class="soft">
            ${one.title}. Requirements left open:
            ${openRequirements(one).map((id) => html`${requirementLink(id)} `)}
          </p>
          ${openChecks(one)
            .filter((check) => check.verdict !== "fail")
            .slice(0, checksPerCase)
            .map(
              (check) =>
                html`<section class="finding">
                  <h4>${check.what}</h4>
                  ${versus(check, valueCharacters)}${parts.evidence.ofCheck(one, check)}
                </section>`,
            )}
          ${measurementView(one.measurements, parts)} ${commands(one)}`,
    )}
  </article>`;
}

function together({ verdict, reason, cases }: UndecidedGroup): Html {
  return html`<article class="failure v-${verdict}">
    <header>
      <h3>${badge(verdict)} ${counted(cases.length, "case")}</h3>
    </header>
    <p class="statement">${reason}</p>
    <details>
      <summary>Which</summary>
      <ul>
        ${cases.map((one) => html`<li>${caseLink(one.id)} ${one.title}</li>`)}
      </ul>
    </details>
  </article>`;
}

function openRequirements(one: CaseRecord): string[] {
  const open = one.decided.filter(({ verdict }) => verdict === "inconclusive" || verdict === "error");
  return open.length === 0 ? one.requirements : open.map(({ requirement }) => requirement);
}

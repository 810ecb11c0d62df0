// Inconclusive cases and errors, by reason.
import type { CaseRecord } from "../../record/index.ts";
import { type InconclusiveGroup, inconclusiveGroups, inconclusiveTitle } from "../text/findings.ts";
import { openChecks } from "../text/findingText.ts";
import { counted } from "../text/visibleText.ts";
import { commands, versus } from "./findingParts.ts";
import { measurementView } from "./measurementView.ts";
import type { PageParts } from "./pageParts.ts";
import { badge, caseLink, requirementLink } from "./parts.ts";
import { codeSpans } from "../markup/codeSpans.ts";
import { html, type Html } from "../markup/template.ts";

const checksPerCase = 3;
const valueCharacters = 1000;

/** Cases that are inconclusive or ended in an error, grouped by reason. */
export function inconclusiveSection(parts: PageParts): Html | undefined {
  const { record } = parts;
  const groups = inconclusiveGroups(record);
  if (groups.length === 0) return undefined;
  return html`<section id="inconclusive" aria-labelledby="inconclusive-title">
    <h2 id="inconclusive-title">${inconclusiveTitle(record)}</h2>
    <p class="soft">
      Inconclusive: the observations allow no verdict. Error: the harness or the rig failed, not the gateway.
    </p>
    ${groups.map((group) => (group.cases.length === 1 ? alone(group, parts) : together(group)))}
  </section>`;
}

function alone({ verdict, reason, cases }: InconclusiveGroup, parts: PageParts): Html {
  return html`<article class="failure v-${verdict}">
    ${cases.map(
      (one) =>
        html`<header><h3>${badge(verdict)} ${caseLink(one.id)}</h3></header>
          <p class="statement">${reason}</p>
          <p class="soft">
            ${codeSpans(one.title)}. Requirements without a verdict:
            ${openRequirements(one).map((id) => html`${requirementLink(id)} `)}
          </p>
          ${openChecks(one)
            .filter((check) => check.verdict !== "fail" && check.verdict !== "advice")
            .slice(0, checksPerCase)
            .map(
              (check) =>
                html`<section class="finding">
                  <h4>${codeSpans(check.what)}</h4>
                  ${versus(check, valueCharacters)}${parts.evidence.ofCheck(one, check)}
                </section>`,
            )}
          ${measurementView(one.measurements, parts)} ${commands(one)}`,
    )}
  </article>`;
}

function together({ verdict, reason, cases }: InconclusiveGroup): Html {
  return html`<article class="failure v-${verdict}">
    <header>
      <h3>${badge(verdict)} ${counted(cases.length, "case")}</h3>
    </header>
    <p class="statement">${reason}</p>
    <details>
      <summary>Cases</summary>
      <ul>
        ${cases.map((one) => html`<li>${caseLink(one.id)} ${codeSpans(one.title)}</li>`)}
      </ul>
    </details>
  </article>`;
}

function openRequirements(one: CaseRecord): string[] {
  const open = one.decided.filter(({ verdict }) => verdict === "inconclusive" || verdict === "error");
  return open.length === 0 ? one.requirements : open.map(({ requirement }) => requirement);
}

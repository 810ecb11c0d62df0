// Advice: recommended requirements, and defaults that nobody declared, which the gateway does not meet.
import { advisedRequirements, type FailedRequirement, sourceOf } from "../text/findings.ts";
import { counted } from "../text/visibleText.ts";
import { commands, versus } from "./findingParts.ts";
import type { PageParts } from "./pageParts.ts";
import { badge, caseLink, requirementLink } from "./parts.ts";
import { codeSpans } from "../markup/codeSpans.ts";
import { html, type Html } from "../markup/template.ts";

const valueCharacters = 1000;

/** Every requirement with advice: its statement, its source, expected and observed values. */
export function adviceSection(parts: PageParts): Html | undefined {
  const advised = advisedRequirements(parts.record);
  if (advised.length === 0) return undefined;
  return html`<section id="advice" aria-labelledby="advice-title">
    <h2 id="advice-title">Advice on ${counted(advised.length, "requirement")}</h2>
    <p class="soft">
      Good practice with its source, and defaults that neither the profile nor the rack file declares. Advice
      is no failure and changes no verdict.
    </p>
    ${advised.map((one) => advice(one, parts))}
  </section>`;
}

function advice({ id, requirement, findings }: FailedRequirement, parts: PageParts): Html {
  const [first, ...others] = findings;
  const also = [...new Set(others.map((one) => one.case.id))].filter((caseId) => caseId !== first?.case.id);
  return html`<article class="failure v-advice">
    <header>
      <h3>
        ${badge("advice")} ${requirementLink(id)} <span class="level">${requirement?.level ?? ""}</span>
      </h3>
      <p class="statement">${codeSpans(requirement?.statement ?? "")}</p>
      <p class="place">Source: ${sourceOf(requirement)}</p>
    </header>
    ${
      first?.check !== undefined &&
      html`<section class="finding">
        <h4>${codeSpans(first.check.what)}</h4>
        ${versus(first.check, valueCharacters)}
        <p class="soft">Case ${caseLink(first.case.id)}: ${codeSpans(first.case.title)}</p>
        ${parts.evidence.ofCheck(first.case, first.check)}
        ${commands(first.case, parts.evidence.curlOf(first.case, first.check))}
      </section>`
    }
    ${also.length > 0 && html`<p>Also in: ${also.map((caseId) => html`${caseLink(caseId)} `)}</p>`}
  </article>`;
}

// Failed requirements with their findings.
import { besideNote, type FailedRequirement, failedRequirements, type Finding } from "../text/findings.ts";
import type { RequirementRecord } from "../../record/index.ts";
import { reasonOf } from "../text/findingText.ts";
import { counted } from "../text/visibleText.ts";
import { commands, disputeNotes, versus } from "./findingParts.ts";
import { measurementView } from "./measurementView.ts";
import type { PageParts } from "./pageParts.ts";
import { badge, caseLink, command, requirementLink } from "./parts.ts";
import { CharacterBudget } from "./characterBudget.ts";
import { codeSpans } from "../markup/codeSpans.ts";
import { html, type Html } from "../markup/template.ts";

const findingsPerRequirement = 15;
const charactersForFurtherFindings = 400_000;
const valueCharacters = 2000;
const valueCharactersOfMany = 400;
const many = 50;

/** Every failed requirement with its statement, place, expected and observed values, and how to reproduce it. */
export function failureSection(parts: PageParts): Html | undefined {
  const { record } = parts;
  const failed = failedRequirements(record);
  if (failed.length === 0) return undefined;
  const budget = new CharacterBudget(charactersForFurtherFindings);
  const shownCharacters = failed.length > many ? valueCharactersOfMany : valueCharacters;
  const view = (finding: Finding): Html => findingView(finding, parts, shownCharacters);
  return html`<section id="failures" aria-labelledby="failures-title">
    <h2 id="failures-title">${counted(failed.length, "requirement")} failed</h2>
    ${record.signIn !== undefined && signIn(record.signIn)} ${failed.map((one) => failure(one, view, budget))}
  </section>`;
}

function failure(
  { id, requirement, findings }: FailedRequirement,
  view: (finding: Finding) => Html,
  budget: CharacterBudget,
): Html {
  const [first, ...others] = findings;
  const firstView = first && view(first);
  const further = [
    ...budget.fitting(others.slice(0, findingsPerRequirement - 1), (one) => folded(one, view)),
  ];
  const left = others.slice(further.length);
  return html`<article class="failure v-fail" id="failure:${id}">
    <header>
      <h3>${badge("fail")} ${requirementLink(id)} ${levelNote(requirement)}</h3>
      <p class="statement">
        ${codeSpans(requirement?.statement ?? "The record lists no requirement with this id.")}
      </p>
      ${requirement !== undefined && html`<p class="place">Interface document: ${requirement.place}</p>`}
    </header>
    ${firstView} ${further}
    ${left.length > 0 && html`<p>${counted(left.length, "more finding")} in: ${[...new Set(left.map((one) => one.case.id))].map((caseId) => html`${caseLink(caseId)} `)}</p>`}
  </article>`;
}

function signIn(line: string): Html {
  return html`<details class="fold">
    <summary>Sign in before you use a curl line</summary>
    <p class="soft">Set PASSWORD to the password of the administrator; this report contains no password.</p>
    ${command("Sign in", line)}
  </details>`;
}

function folded(finding: Finding, view: (finding: Finding) => Html): Html {
  return html`<details class="fold">
    <summary>Also ${finding.case.id}: ${codeSpans(finding.check?.what ?? reasonOf(finding.case))}</summary>
    ${view(finding)}
  </details>`;
}

function levelNote(requirement: RequirementRecord | undefined): Html {
  return html`<span class="level">${besideNote(requirement) || "stated"}</span>`;
}

function findingView({ case: one, check }: Finding, parts: PageParts, shownCharacters: number): Html {
  // A case has several measurements; those of other checks are shown with the case.
  const measured = one.measurements.filter(({ name }) => check === undefined || name === check.what);
  return html`<section class="finding">
    ${
      check !== undefined &&
      html`<h4>${codeSpans(check.what)}</h4>
        ${disputeNotes(parts.disputes, one.id, check.requirement)} ${versus(check, shownCharacters)}`
    }
    ${check === undefined && html`<p>${reasonOf(one)}</p>`}
    <p class="soft">Case ${caseLink(one.id)}: ${codeSpans(one.title)}</p>
    ${measurementView(measured, parts)} ${check !== undefined && parts.evidence.ofCheck(one, check)}
    ${commands(one, check && parts.evidence.curlOf(one, check))}
  </section>`;
}

// What failed, by requirement.
import { type BrokenRequirement, brokenRequirements, type Finding } from "../text/findings.ts";
import { reasonOf } from "../text/findingText.ts";
import { counted } from "../text/visibleText.ts";
import { commands, versus } from "./findingParts.ts";
import { measurementView } from "./measurementView.ts";
import type { PageParts } from "./pageParts.ts";
import { badge, caseLink, command, requirementLink } from "./parts.ts";
import { Room } from "./room.ts";
import { html, type Html } from "../markup/template.ts";

const findingsPerRequirement = 15;
const charactersForFurtherFindings = 400_000;
const valueCharacters = 2000;
const valueCharactersOfMany = 400;
const many = 50;

/** The failures, each with everything needed to argue with it. */
export function failureSection(parts: PageParts): Html | undefined {
  const { record } = parts;
  const broken = brokenRequirements(record);
  if (broken.length === 0) return undefined;
  const room = new Room(charactersForFurtherFindings);
  const shownCharacters = broken.length > many ? valueCharactersOfMany : valueCharacters;
  const view = (finding: Finding): Html => findingView(finding, parts, shownCharacters);
  return html`<section id="failures" aria-labelledby="failures-title">
    <h2 id="failures-title">${counted(broken.length, "requirement")} not kept</h2>
    ${record.signIn !== undefined && signIn(record.signIn)} ${broken.map((one) => failure(one, view, room))}
  </section>`;
}

function failure(
  { id, requirement, findings }: BrokenRequirement,
  view: (finding: Finding) => Html,
  room: Room,
): Html {
  const [first, ...others] = findings;
  const firstView = first && view(first);
  const further = [...room.fitting(others.slice(0, findingsPerRequirement - 1), (one) => folded(one, view))];
  const left = others.slice(further.length);
  return html`<article class="failure v-fail" id="failure:${id}">
    <header>
      <h3>${badge("fail")} ${requirementLink(id)} ${levelNote(requirement?.level)}</h3>
      <p class="statement">${requirement?.statement ?? "The register has no requirement of this name."}</p>
      <p class="place">${requirement?.place}</p>
    </header>
    ${firstView} ${further}
    ${left.length > 0 && html`<p>And ${counted(left.length, "more finding")} in: ${[...new Set(left.map((one) => one.case.id))].map((caseId) => html`${caseLink(caseId)} `)}</p>`}
  </article>`;
}

function signIn(line: string): Html {
  return html`<details class="fold">
    <summary>To use the lines “By hand”, sign in first</summary>
    <p class="soft">Set PASSWORD to the administrator’s password first; none stands in this report.</p>
    ${command("Sign in", line)}
  </details>`;
}

function folded(finding: Finding, view: (finding: Finding) => Html): Html {
  return html`<details class="fold">
    <summary>Also: ${finding.check?.what ?? reasonOf(finding.case)}, in ${finding.case.id}</summary>
    ${view(finding)}
  </details>`;
}

function levelNote(level: string | undefined): Html {
  return html`<span class="level"
    >${level ?? "unknown"}${level !== "stated" && ", does not decide conformance"}</span
  >`;
}

function findingView({ case: one, check }: Finding, parts: PageParts, shownCharacters: number): Html {
  // A case measures several things; those of other checks stand with the case.
  const measured = one.measurements.filter(({ name }) => check === undefined || name === check.what);
  return html`<section class="finding">
    ${
      check !== undefined &&
      html`<h4>${check.what}</h4>
        ${versus(check, shownCharacters)}`
    }
    ${check === undefined && html`<p>${reasonOf(one)}</p>`}
    <p class="soft">Case ${caseLink(one.id)}: ${one.title}</p>
    ${measurementView(measured, parts)} ${check !== undefined && parts.evidence.ofCheck(one, check)}
    ${commands(one, check && parts.evidence.curlOf(one, check))}
  </section>`;
}

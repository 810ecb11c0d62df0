// What failed, by requirement, and what could not be decided, by case.
import type { CampaignRecord, CaseRecord } from "../../harness/record/campaign.ts";
import { type BrokenRequirement, brokenRequirements, type Finding, undecidedCases } from "../findings.ts";
import { openChecks, reasonOf } from "../findingText.ts";
import { clip, counted } from "../visibleText.ts";
import type { Evidence } from "./evidence.ts";
import { badge, caseLink, command, measurementTable, requirementLink } from "./parts.ts";
import { html, type Html } from "./template.ts";

const findingsPerRequirement = 15;
const fromThisManyWithIndex = 4;
const valueCharacters = 4000;

/** The failures, each with everything needed to argue with it. */
export function failureSection(record: CampaignRecord, evidence: Evidence): Html | undefined {
  const broken = brokenRequirements(record);
  if (broken.length === 0) return undefined;
  return html`<section id="failures" aria-labelledby="failures-title">
    <h2 id="failures-title">${counted(broken.length, "requirement")} not kept</h2>
    ${broken.length >= fromThisManyWithIndex && index(broken)} ${broken.map((one) => failure(one, evidence))}
  </section>`;
}

function index(broken: readonly BrokenRequirement[]): Html {
  return html`<ol class="jump">
    ${broken.map(
      ({ id, requirement }) =>
        html`<li>
          <a href="#${encodeURIComponent(`failure:${id}`)}"><span class="id">${id}</span></a>
          ${requirement?.statement}
        </li>`,
    )}
  </ol>`;
}

function failure({ id, requirement, findings }: BrokenRequirement, evidence: Evidence): Html {
  const [first, ...others] = findings;
  const shown = others.slice(0, findingsPerRequirement - 1);
  const left = others.slice(shown.length);
  return html`<article class="failure v-fail" id="failure:${id}">
    <header>
      <h3>${badge("fail")} ${requirementLink(id)} ${levelNote(requirement?.level)}</h3>
      <p class="statement">${requirement?.statement ?? "The register has no requirement of this name."}</p>
      <p class="place">${requirement?.place}</p>
    </header>
    ${first !== undefined && findingView(first, evidence)}
    ${shown.map(
      (finding) =>
        html`<details class="fold">
          <summary>Also: ${finding.check?.what ?? reasonOf(finding.case)}, in ${finding.case.id}</summary>
          ${findingView(finding, evidence)}
        </details>`,
    )}
    ${left.length > 0 && html`<p>And ${counted(left.length, "more finding")} in: ${[...new Set(left.map((one) => one.case.id))].map((caseId) => html`${caseLink(caseId)} `)}</p>`}
  </article>`;
}

function levelNote(level: string | undefined): Html {
  return html`<span class="level"
    >${level ?? "unknown"}${level !== "stated" && ", does not decide conformance"}</span
  >`;
}

function findingView({ case: one, check }: Finding, evidence: Evidence): Html {
  const reason = reasonOf(one);
  const saysMore = check === undefined || !(reason.includes(check.what) && reason.includes("expected"));
  return html`<section class="finding">
    ${
      check !== undefined &&
      html`<h4>${check.what}</h4>
        ${versus(check)}`
    }
    ${saysMore && html`<p>${reason}</p>`}
    <p class="soft">Case ${caseLink(one.id)}: ${one.title}</p>
    ${measurementTable(one.measurements)} ${check !== undefined && evidence.ofCheck(one, check)}
    ${commands(one)}
  </section>`;
}

function versus({ expected, observed }: { readonly expected: string; readonly observed: string }): Html {
  return html`<div class="versus">
    <div>
      <h5>Expected</h5>
      <pre>${clip(expected, valueCharacters)}</pre>
    </div>
    <div class="observed">
      <h5>Observed</h5>
      <pre>${clip(observed, valueCharacters)}</pre>
    </div>
  </div>`;
}

function commands(one: CaseRecord): Html {
  return html`${one.reproduce !== undefined && command("Reproduce", one.reproduce)}${one.curl !== undefined && command("By hand", one.curl)}`;
}

/** The cases that ended in an error or undecided. */
export function undecidedSection(record: CampaignRecord, evidence: Evidence): Html | undefined {
  const cases = undecidedCases(record);
  if (cases.length === 0) return undefined;
  return html`<section id="undecided" aria-labelledby="undecided-title">
    <h2 id="undecided-title">${counted(cases.length, "case")} not decided</h2>
    <p class="soft">
      An error is the fault of the harness or the rig, never the gateway’s. Inconclusive means that what was
      seen allows no verdict.
    </p>
    ${cases.map((one) => undecided(one, evidence))}
  </section>`;
}

function undecided(one: CaseRecord, evidence: Evidence): Html {
  const checks = openChecks(one).filter((check) => check.verdict !== "fail");
  return html`<article class="failure v-${one.verdict}">
    <header><h3>${badge(one.verdict)} ${caseLink(one.id)}</h3></header>
    <p class="statement">${reasonOf(one)}</p>
    <p class="soft">
      ${one.title}. Requirements left open:
      ${openRequirements(one).map((id) => html`${requirementLink(id)} `)}
    </p>
    ${checks.slice(0, 3).map(
      (check) =>
        html`<section class="finding">
          <h4>${check.what}</h4>
          ${versus(check)}${evidence.ofCheck(one, check)}
        </section>`,
    )}
    ${measurementTable(one.measurements)} ${commands(one)}
  </article>`;
}

function openRequirements(one: CaseRecord): string[] {
  const open = one.decided.filter(({ verdict }) => verdict === "inconclusive" || verdict === "error");
  return open.length === 0 ? one.requirements : open.map(({ requirement }) => requirement);
}

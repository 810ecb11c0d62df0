// The first screen: verdict, its reasons, and counts.
import type { CampaignRecord, RequirementRecord } from "../../record/index.ts";
import { campaignMs, duration, instant } from "../text/durations.ts";
import { failedRequirements } from "../text/findings.ts";
import { headline } from "../text/headline.ts";
import { type ShownVerdict, verdictCounts, verdictWords } from "../text/verdictWords.ts";
import { shareBar } from "./charts/shareBar.ts";
import type { PageParts } from "./pageParts.ts";
import { countList } from "./parts.ts";
import { groupTitle } from "./requirementSection.ts";
import { codeSpans } from "../markup/codeSpans.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";
import type { Gallery } from "./charts/gallery.ts";

const inBanner = 8;

const signs: Readonly<Record<CampaignRecord["summary"]["verdict"], ShownVerdict>> = {
  conformant: "pass",
  "non-conformant": "fail",
  inconclusive: "inconclusive",
};

export function verdictBanner(record: CampaignRecord): Html {
  const { title, reasons } = headline(record);
  const sign = verdictWords[signs[record.summary.verdict]].sign;
  return html`<section class="verdict ${record.summary.verdict}" aria-labelledby="verdict-title">
      <h1 id="verdict-title"><span aria-hidden="true">${sign}</span> <span>${title}</span></h1>
      <ul>
        ${reasons.map((reason) => html`<li>${reason}</li>`)}
      </ul>
      ${failedList(record)}
    </section>
    <dl class="facts">
      ${fact("Gateway", `${record.gateway.name} ${record.gateway.version}`)}
      ${fact("Interface", record.suite.interface)} ${fact("Started", instant(record.startedAt))}
      ${fact("Duration", duration(campaignMs(record)))} ${fact("Level", record.level)}
      ${fact("Selection", record.selection === "" ? "all cases" : record.selection)}
      ${record.gateway.fault !== undefined && fact("Injected fault", record.gateway.fault)}
    </dl>
    <p>
      <button type="button" class="copy" data-copies="summary" data-copied="Copied">
        Copy summary as text
      </button>
    </p>`;
}

/** The first failed requirements; the section below shows all of them. */
function failedList(record: CampaignRecord): Html | undefined {
  const failed = failedRequirements(record);
  if (failed.length === 0) return undefined;
  const left = failed.length - inBanner;
  return html`<ol class="broken">
    ${failed.slice(0, inBanner).map(
      ({ id, requirement }) =>
        html`<li>
          <a href="#${encodeURIComponent(`failure:${id}`)}"><span class="id">${id}</span></a>
          ${codeSpans(requirement?.statement ?? "")}
        </li>`,
    )}
    ${left > 0 && html`<li class="more"><a href="#failures">and ${left} more</a></li>`}
  </ol>`;
}

export function fact(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** Counts by level and by group, each with a bar. */
export function overviewSection({ record, gallery }: PageParts): Html {
  const ofLevel = (level: string): RequirementRecord[] =>
    record.requirements.filter((requirement) => requirement.level === level);
  return html`<section id="overview" aria-labelledby="overview-title">
    <h2 id="overview-title">Overview</h2>
    <div class="overview">
      <div>
        ${tally("Stated requirements", "decide conformance", ofLevel("stated"), gallery)}
        ${tally("Published requirements", "do not decide conformance", ofLevel("published"), gallery)}
        ${tally("Declared requirements", "do not decide conformance", ofLevel("declared"), gallery)}
        ${tally("Recommended requirements", "decide nothing", ofLevel("recommended"), gallery)}
        ${tally("Cases", "", record.cases, gallery)}
      </div>
      ${groupTable(record, gallery)}
    </div>
  </section>`;
}

function tally(
  title: string,
  note: string,
  items: readonly { readonly verdict: ShownVerdict }[],
  gallery: Gallery,
): Html | undefined {
  if (items.length === 0) return undefined;
  return html`<div class="tally">
    <h3>
      <span>${title}${note !== "" && html` <span class="soft">${note}</span>`}</span
      ><span>${items.length}</span>
    </h3>
    ${shareBar(gallery, items)}${countList(items)}
  </div>`;
}

function groupTable(record: CampaignRecord, gallery: Gallery): Html {
  const byGroup = Map.groupBy(record.requirements, (requirement) => requirement.group);
  return html`<table class="groups">
    <caption>
      Requirements by group
    </caption>
    ${columnHeads("Group", html`<span class="hidden-word">Shares</span>`, "Result")}
    <tbody>
      ${[...byGroup].map(([group, requirements]) => groupRow(group, requirements, gallery))}
    </tbody>
  </table>`;
}

function groupRow(group: string, requirements: readonly RequirementRecord[], gallery: Gallery): Html {
  const open = requirements.filter(({ verdict }) => ["fail", "error", "inconclusive"].includes(verdict));
  const passed = verdictCounts(requirements).find(({ verdict }) => verdict === "pass")?.count ?? 0;
  return html`<tr>
    <th scope="row"><a href="#${encodeURIComponent(`group:${group}`)}">${groupTitle(group)}</a></th>
    <td>${shareBar(gallery, requirements)}</td>
    <td>
      ${open.length > 0 ? countList(open) : html`<span class="soft">${passed === 0 ? "not tested" : `${passed} of ${requirements.length} passed`}</span>`}
    </td>
  </tr> `;
}

// The first screen: the verdict, what it rests on, and the numbers.
import type { CampaignRecord, RequirementRecord } from "../../record/index.ts";
import { campaignMs, duration, instant } from "../text/durations.ts";
import { brokenRequirements } from "../text/findings.ts";
import { headline } from "../text/headline.ts";
import { type ShownVerdict, verdictCounts, verdictWords } from "../text/verdictWords.ts";
import { shareBar } from "./charts/shareBar.ts";
import type { PageParts } from "./pageParts.ts";
import { countList } from "./parts.ts";
import { groupTitle } from "./requirementSection.ts";
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
      ${notKept(record)}
    </section>
    <dl class="facts">
      ${fact("Gateway", `${record.gateway.name} ${record.gateway.version}`)}
      ${fact("Interface", record.suite.interface)} ${fact("Started", instant(record.startedAt))}
      ${fact("Took", duration(campaignMs(record)))} ${fact("Level", record.level)}
      ${fact("Selection", record.selection === "" ? "everything" : record.selection)}
      ${record.gateway.fault !== undefined && fact("Fault switched on", record.gateway.fault)}
    </dl>
    <p>
      <button type="button" class="copy" data-copies="summary" data-copied="Copied">
        Copy summary as text
      </button>
    </p>`;
}

/** The first of the requirements that were not kept, in the interface's words; all of them stand below. */
function notKept(record: CampaignRecord): Html | undefined {
  const broken = brokenRequirements(record);
  if (broken.length === 0) return undefined;
  const left = broken.length - inBanner;
  return html`<ol class="broken">
    ${broken.slice(0, inBanner).map(
      ({ id, requirement }) =>
        html`<li>
          <a href="#${encodeURIComponent(`failure:${id}`)}"><span class="id">${id}</span></a>
          ${requirement?.statement}
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

/** Counts by level and by group, each beside a bar. */
export function overviewSection({ record, gallery }: PageParts): Html {
  const ofLevel = (level: string): RequirementRecord[] =>
    record.requirements.filter((requirement) => requirement.level === level);
  return html`<section id="overview" aria-labelledby="overview-title">
    <h2 id="overview-title">In numbers</h2>
    <div class="overview">
      <div>
        ${tally("Stated requirements", "decide conformance", ofLevel("stated"), gallery)}
        ${tally("Published requirements", "reported beside", ofLevel("published"), gallery)}
        ${tally("Declared requirements", "reported beside", ofLevel("declared"), gallery)}
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
    ${columnHeads("Group", html`<span class="hidden-word">Shares</span>`, "Outcome")}
    <tbody>
      ${[...byGroup].map(([group, requirements]) => groupRow(group, requirements, gallery))}
    </tbody>
  </table>`;
}

function groupRow(group: string, requirements: readonly RequirementRecord[], gallery: Gallery): Html {
  const open = requirements.filter(({ verdict }) => ["fail", "error", "inconclusive"].includes(verdict));
  const held = verdictCounts(requirements).find(({ verdict }) => verdict === "pass")?.count ?? 0;
  return html`<tr>
    <th scope="row"><a href="#${encodeURIComponent(`group:${group}`)}">${groupTitle(group)}</a></th>
    <td>${shareBar(gallery, requirements)}</td>
    <td>
      ${open.length > 0 ? countList(open) : html`<span class="soft">${held === 0 ? "nothing decided" : `${held} of ${requirements.length} pass`}</span>`}
    </td>
  </tr> `;
}

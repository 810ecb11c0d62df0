// The first screen: the verdict, what it rests on, and the numbers.
import type { CampaignRecord, RequirementRecord } from "../../harness/record/campaign.ts";
import { campaignMs, duration, instant } from "../durations.ts";
import { headline } from "../headline.ts";
import { type ShownVerdict, verdictCounts, verdictWords } from "../verdictWords.ts";
import { countList, shareBar } from "./parts.ts";
import { groupTitle } from "./requirementSection.ts";
import { html, type Html } from "./template.ts";

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

export function fact(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** Counts by level and by group, each beside a bar. */
export function overviewSection(record: CampaignRecord): Html {
  const ofLevel = (level: string): RequirementRecord[] =>
    record.requirements.filter((requirement) => requirement.level === level);
  return html`<section id="overview" aria-labelledby="overview-title">
    <h2 id="overview-title">In numbers</h2>
    <div class="overview">
      <div>
        ${tally("Stated requirements", "decide conformance", ofLevel("stated"))}
        ${tally("Published requirements", "reported beside", ofLevel("published"))}
        ${tally("Declared requirements", "reported beside", ofLevel("declared"))}
        ${tally("Cases", "", record.cases)}
      </div>
      ${groupTable(record)}
    </div>
  </section>`;
}

function tally(
  title: string,
  note: string,
  items: readonly { readonly verdict: ShownVerdict }[],
): Html | undefined {
  if (items.length === 0) return undefined;
  return html`<div class="tally">
    <h3>
      <span>${title}${note !== "" && html` <span class="soft">${note}</span>`}</span
      ><span>${items.length}</span>
    </h3>
    ${shareBar(items)}${countList(items)}
  </div>`;
}

function groupTable(record: CampaignRecord): Html {
  const byGroup = Map.groupBy(record.requirements, (requirement) => requirement.group);
  return html`<table class="groups">
    <caption>
      Requirements by group
    </caption>
    <thead>
      <tr>
        <th scope="col">Group</th>
        <th scope="col"><span class="hidden-word">Shares</span></th>
        <th scope="col">Outcome</th>
      </tr>
    </thead>
    <tbody>
      ${[...byGroup].map(([group, requirements]) => groupRow(group, requirements))}
    </tbody>
  </table>`;
}

function groupRow(group: string, requirements: readonly RequirementRecord[]): Html {
  const open = requirements.filter(({ verdict }) => ["fail", "error", "inconclusive"].includes(verdict));
  const held = verdictCounts(requirements).find(({ verdict }) => verdict === "pass")?.count ?? 0;
  return html`<tr>
    <th scope="row"><a href="#${encodeURIComponent(`group:${group}`)}">${groupTitle(group)}</a></th>
    <td>${shareBar(requirements)}</td>
    <td>
      ${open.length > 0 ? countList(open) : html`<span class="soft">${held === 0 ? "nothing decided" : `${held} of ${requirements.length} pass`}</span>`}
    </td>
  </tr> `;
}

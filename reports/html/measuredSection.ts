// Measurements of the whole campaign: times and limits, response times, throughput, stream intervals.
import type {
  Cadence,
  CampaignRecord,
  CaseRecord,
  Distribution,
  LoadTrial,
  Measurement,
} from "../../record/index.ts";
import { figure, measurementText } from "../text/measurementText.ts";
import { counted } from "../text/visibleText.ts";
import { cadenceChart } from "./charts/cadenceChart.ts";
import { loadChart, lossPercent } from "./charts/loadChart.ts";
import { spreadChart, spreadLine, spreadRange } from "./charts/spreadChart.ts";
import { alike, intervals, isLimited, titleOf } from "./measurementView.ts";
import type { PageParts } from "./pageParts.ts";
import { caseLink } from "./parts.ts";
import { CharacterBudget } from "./characterBudget.ts";
import { codeSpans } from "../markup/codeSpans.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";

const slowestOperations = 10;
const fromThisManyWithoutLimit = 3;
const spreadWidthPx = 180;
const charactersForViews = 500_000;

type Placed = Measurement & { readonly caseId: string };

/** Undefined for a campaign without measurements. */
export function measuredSection(parts: PageParts): Html | undefined {
  const { record } = parts;
  const answers = answerTimes(record, parts);
  const budget = new CharacterBudget(charactersForViews);
  const limited = timings(parts);
  const ofCases = record.cases.flatMap((one) => ofCase(one, parts));
  const [first, last] = [limited, ofCases].map((makers) => [...budget.fitting(makers, (make) => make())]);
  const left = limited.length + ofCases.length - (first?.length ?? 0) - (last?.length ?? 0);
  if (answers === undefined && limited.length + ofCases.length === 0) return undefined;
  return html`<section id="measured" aria-labelledby="measured-title">
    <h2 id="measured-title">Measurements</h2>
    ${first}${answers}${last}
    ${left > 0 && html`<p class="again">${counted(left, "more chart")} omitted to limit the size of this page; campaign.json holds the values.</p>`}
  </section>`;
}

/** A chart for each pair of limits, and for each quantity that was measured repeatedly. */
function timings({ record, gallery }: PageParts): (() => Html)[] {
  const placed = record.cases.flatMap((one) =>
    one.measurements.map((measurement): Placed => ({ ...measurement, caseId: one.id })),
  );
  const worst = (group: readonly Placed[]): number =>
    Math.min(...group.map((one) => urgency[measurementText(one).relation]));
  return alike(placed)
    .filter((group) => isLimited(group[0]) || group.length >= fromThisManyWithoutLimit)
    .toSorted((a, b) => worst(a) - worst(b))
    .map((group) => () => {
      const isOneQuantity = new Set(group.map(({ name }) => name)).size === 1;
      const rows = group.map((one) => ({
        label: isOneQuantity ? one.caseId : `${one.name}`,
        measurement: one,
      }));
      return html`<figure class="chart">
        <figcaption>${titleOf(group)}</figcaption>
        ${gallery.picture(intervals(titleOf(group), rows, false))} ${placedTable(group)}
      </figure>`;
    });
}

const urgency = { outside: 0, "overlaps a limit": 1, inside: 2, "no limit": 3 } as const;

function placedTable(group: readonly Placed[]): Html {
  return figuresTable(
    ["Case", "Quantity", "Measured", "Limits", "Result"],
    group.map((one) => {
      const { measured, allowed, relation } = measurementText(one);
      return [caseLink(one.caseId), one.name, measured, allowed, relation];
    }),
  );
}

/** The values of a chart, collapsed below it. */
function figuresTable(
  titles: readonly string[],
  rows: readonly (readonly (Html | string | number)[])[],
): Html {
  return html`<details class="fold">
    <summary>Values</summary>
    ${plainTable(titles, rows)}
  </details>`;
}

function plainTable(titles: readonly string[], rows: readonly (readonly (Html | string | number)[])[]): Html {
  return html`<table class="figures">
    ${columnHeads(...titles)}
    <tbody>
      ${rows.map(
        ([first, ...others]) =>
          html`<tr>
            <th scope="row">${first}</th>
            ${others.map((cell, index) => html`<td data-label="${titles[index + 1]}">${cell}</td>`)}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

function answerTimes({ answerTimes: times }: CampaignRecord, { gallery }: PageParts): Html | undefined {
  if (times === undefined) return undefined;
  const { all, operations } = times;
  const bySlowness = operations.toSorted((a, b) => percentile(b, 99) - percentile(a, 99));
  const domain = spreadRange(operations);
  const rows = bySlowness.map((one) => [
    one.name,
    one.count,
    ...[50, 90, 99].map((percent) => figure(percentile(one, percent))),
    figure(one.max),
    gallery.inline(spreadWidthPx, spreadLine(one, domain)),
  ]);
  const titles = ["Operation", "Responses", "p50, ms", "p90, ms", "p99, ms", "Longest, ms", "Distribution"];
  const isShort = rows.length <= slowestOperations;
  return html`<figure class="chart" id="answer-times">
    <figcaption>Response times of the gateway</figcaption>
    <p class="soft">
      ${counted(all.count, "response")} of ${counted(operations.length, "operation")}, measured by the harness
      with up to four concurrent requests; use them to compare runs, not to rate the gateway. ${summary(all)}.
    </p>
    ${gallery.picture({
      title: "Histogram of all response times",
      description: `${all.count} responses, ${summary(all)}. The axis is logarithmic.`,
      draw: spreadChart(all),
    })}
    ${
      isShort
        ? plainTable(titles, rows)
        : html`<h3>The ${slowestOperations} slowest operations</h3>
            ${plainTable(titles, rows.slice(0, slowestOperations))}
            <details class="fold">
              <summary>${counted(operations.length - slowestOperations, "more operation")}</summary>
              ${plainTable(titles, rows.slice(slowestOperations))}
            </details>`
    }
  </figure>`;
}

function percentile({ percentiles, max }: Distribution, percent: number): number {
  return percentiles.find(([one]) => one === percent)?.[1] ?? max;
}

function summary(spread: Distribution): string {
  const words = [50, 99].map(
    (percent) => `${percent} % within ${figure(percentile(spread, percent))} ${spread.unit}`,
  );
  return `${words.join(", ")}, the longest ${figure(spread.max)} ${spread.unit}`;
}

function ofCase(one: CaseRecord, parts: PageParts): (() => Html)[] {
  const { loadTrials, distributions = [], cadences = [] } = one;
  return [
    ...(loadTrials === undefined ? [] : [() => throughput(one, loadTrials, parts)]),
    ...distributions.map((spread) => () => spreadOf(one, spread, parts)),
    ...cadences.map((cadence) => () => cadenceOf(one, cadence, parts)),
  ];
}

function throughput(one: CaseRecord, trials: readonly LoadTrial[], { gallery }: PageParts): Html {
  const title = "Loss by throughput";
  const words = trials.map(
    (trial) =>
      `${trial.clients} clients, ${figure(trial.changesPerSec)} changes per second: ${figure(lossPercent(trial))} % lost`,
  );
  return html`<figure class="chart">
    <figcaption>${title}: ${codeSpans(one.title)}</figcaption>
    <p class="soft">
      Case ${caseLink(one.id)}. A cross marks a load with changes lost, repeated or out of order.
    </p>
    ${gallery.picture({ title, description: `${words.join("; ")}.`, draw: loadChart(trials) })}
    ${figuresTable(
      ["Clients", "Changes per second", "Received", "Lost", "Repeated", "Out of order"],
      trials.map((trial) => [
        trial.clients,
        figure(trial.changesPerSec),
        trial.received,
        `${trial.lost} (${figure(lossPercent(trial))} %)`,
        trial.repeated,
        trial.disordered,
      ]),
    )}
  </figure>`;
}

function spreadOf(one: CaseRecord, spread: Distribution, { gallery }: PageParts): Html {
  return html`<figure class="chart">
    <figcaption>${codeSpans(one.title)}</figcaption>
    <p class="soft">Case ${caseLink(one.id)}: ${spread.name}, ${counted(spread.count, "value")}.</p>
    ${gallery.picture({
      title: `Histogram: ${spread.name}`,
      description: `${spread.count} values, ${summary(spread)}. The axis is logarithmic.`,
      draw: spreadChart(spread),
    })}
    ${figuresTable(
      ["Share of the values", `At most, ${spread.unit}`],
      spread.percentiles.map(([percent, value]) => [`${percent} %`, figure(value)]),
    )}
  </figure>`;
}

function cadenceOf(one: CaseRecord, cadence: Cadence, { gallery }: PageParts): Html {
  const { intervalMs, gapsMs, name } = cadence;
  const sorted = gapsMs.toSorted((a, b) => a - b);
  const at = (share: number): string => figure(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  const mean = figure(gapsMs.reduce((sum, gapMs) => sum + gapMs, 0) / Math.max(1, gapsMs.length));
  return html`<figure class="chart">
    <figcaption>Intervals of a stream with streamInterval ${intervalMs} ms</figcaption>
    <p class="soft">Case ${caseLink(one.id)}, ${name}.</p>
    ${gallery.picture({
      title: `Intervals of a stream at ${intervalMs} ms`,
      description: `${gapsMs.length} intervals between values, ${mean} ms on average, from ${at(0)} to ${at(1)} ms.`,
      draw: cadenceChart(cadence),
    })}
    ${figuresTable(
      ["Intervals", "Mean, ms", "Shortest, ms", "Median, ms", "Longest, ms"],
      [[gapsMs.length, mean, at(0), at(0.5), at(1)]],
    )}
  </figure>`;
}

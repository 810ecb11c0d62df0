// What was measured over the whole campaign: times against their limits, answer times, throughput, rhythm of streams.
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
import { Room } from "./room.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";

const slowestOperations = 10;
const fromThisManyWithoutLimit = 3;
const spreadWidthPx = 180;
const charactersForViews = 500_000;

type Placed = Measurement & { readonly caseId: string };

/** Undefined when the campaign measured nothing. */
export function measuredSection(parts: PageParts): Html | undefined {
  const { record } = parts;
  const answers = answerTimes(record, parts);
  const room = new Room(charactersForViews);
  const limited = timings(parts);
  const ofCases = record.cases.flatMap((one) => ofCase(one, parts));
  const [first, last] = [limited, ofCases].map((makers) => [...room.fitting(makers, (make) => make())]);
  const left = limited.length + ofCases.length - (first?.length ?? 0) - (last?.length ?? 0);
  if (answers === undefined && limited.length + ofCases.length === 0) return undefined;
  return html`<section id="measured" aria-labelledby="measured-title">
    <h2 id="measured-title">Measured</h2>
    ${first}${answers}${last}
    ${left > 0 && html`<p class="again">${counted(left, "further picture")} would make this page too big: see campaign.json.</p>`}
  </section>`;
}

/** A picture for each band that something was held against, and for each quantity that was measured again and again. */
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

const urgency = { outside: 0, "across a limit": 1, inside: 2, "no limit": 3 } as const;

function placedTable(group: readonly Placed[]): Html {
  return figuresTable(
    ["Case", "Quantity", "Measured", "Allowed", "Lies"],
    group.map((one) => {
      const { measured, allowed, relation } = measurementText(one);
      return [caseLink(one.caseId), one.name, measured, allowed, relation];
    }),
  );
}

/** The figures of a picture, folded below it. */
function figuresTable(
  titles: readonly string[],
  rows: readonly (readonly (Html | string | number)[])[],
): Html {
  return html`<details class="fold">
    <summary>The figures</summary>
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
  const titles = ["Operation", "Answers", "p50, ms", "p90, ms", "p99, ms", "Longest, ms", "Spread"];
  const isShort = rows.length <= slowestOperations;
  return html`<figure class="chart" id="answer-times">
    <figcaption>How long the gateway took to answer</figcaption>
    <p class="soft">
      ${counted(all.count, "answer")} of ${counted(operations.length, "operation")}, as the harness saw them
      while it asked up to four things at a time: to compare runs, not to rate the gateway. ${summary(all)}.
    </p>
    ${gallery.picture({
      title: "Histogram of all answer times",
      description: `${all.count} answers, ${summary(all)}. The axis is logarithmic.`,
      draw: spreadChart(all),
    })}
    ${
      isShort
        ? plainTable(titles, rows)
        : html`<h3>The slowest ${slowestOperations}</h3>
            ${plainTable(titles, rows.slice(0, slowestOperations))}
            <details class="fold">
              <summary>The other ${operations.length - slowestOperations} operations</summary>
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
    ...cadences.map((cadence) => () => rhythm(one, cadence, parts)),
  ];
}

function throughput(one: CaseRecord, trials: readonly LoadTrial[], { gallery }: PageParts): Html {
  const title = "Throughput against loss";
  const words = trials.map(
    (trial) =>
      `${trial.clients} clients, ${figure(trial.changesPerSec)} changes a second: ${figure(lossPercent(trial))} % lost`,
  );
  return html`<figure class="chart">
    <figcaption>${title}: ${one.title}</figcaption>
    <p class="soft">
      Case ${caseLink(one.id)}. A cross is a load of which something was lost, repeated or out of order.
    </p>
    ${gallery.picture({ title, description: `${words.join("; ")}.`, draw: loadChart(trials) })}
    ${figuresTable(
      ["Clients", "Changes a second", "Received", "Lost", "Repeated", "Out of order"],
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
    <figcaption>${one.title}</figcaption>
    <p class="soft">Case ${caseLink(one.id)}: ${spread.name}, ${counted(spread.count, "value")}.</p>
    ${gallery.picture({
      title: `Histogram: ${spread.name}`,
      description: `${spread.count} values, ${summary(spread)}. The axis is logarithmic.`,
      draw: spreadChart(spread),
    })}
    ${figuresTable(
      ["Percent of the values", `At most, ${spread.unit}`],
      spread.percentiles.map(([percent, value]) => [`${percent} %`, figure(value)]),
    )}
  </figure>`;
}

function rhythm(one: CaseRecord, cadence: Cadence, { gallery }: PageParts): Html {
  const { intervalMs, gapsMs, name } = cadence;
  const sorted = gapsMs.toSorted((a, b) => a - b);
  const at = (share: number): string => figure(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  const mean = figure(gapsMs.reduce((sum, gapMs) => sum + gapMs, 0) / Math.max(1, gapsMs.length));
  return html`<figure class="chart">
    <figcaption>Rhythm of a stream that was asked for every ${intervalMs} ms</figcaption>
    <p class="soft">Case ${caseLink(one.id)}, ${name}.</p>
    ${gallery.picture({
      title: `Rhythm of a stream at ${intervalMs} ms`,
      description: `${gapsMs.length} gaps between values, ${mean} ms on average, from ${at(0)} to ${at(1)} ms.`,
      draw: cadenceChart(cadence),
    })}
    ${figuresTable(
      ["Gaps", "Mean, ms", "Shortest, ms", "Median, ms", "Longest, ms"],
      [[gapsMs.length, mean, at(0), at(0.5), at(1)]],
    )}
  </figure>`;
}

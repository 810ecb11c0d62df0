// `soak.html`: the verdicts of a soak, its curves and its events; one file without network access and without a script.
import type { SoakEvent, SoakFinding, SoakRecord, SoakSeries } from "../../record/index.ts";
import { Gallery } from "../html/charts/gallery.ts";
import { fact } from "../html/overviewSection.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { codeSpans } from "../markup/codeSpans.ts";
import { htmlDocument } from "../markup/document.ts";
import { style } from "../markup/style.ts";
import { html, type Html } from "../markup/template.ts";
import { duration, instant } from "../text/durations.ts";
import { eventChart, eventWords, seriesChart, type TimeAxis } from "./soakCharts.ts";
import { isShown, needs, soakTitle, soakVerdictWords } from "./soakText.ts";

const soakStyle = `
.v-not-measured { --tone: var(--rest); --tone-soft: var(--rest-soft); }
.verdict.pass { --tone: var(--pass); --tone-soft: var(--pass-soft); } .verdict.fail { --tone: var(--fail); --tone-soft: var(--fail-soft); }
`;

/** Curves that are always shown; those of single operations are folded. */
const isMain = ({ id }: SoakSeries): boolean => !id.startsWith("operation/");

export function soakPage(record: SoakRecord): string {
  const gallery = new Gallery();
  const axis: TimeAxis = { endSec: record.soakedSec, events: record.timeline };
  const chart = (series: SoakSeries): Html => curve(series, record, { gallery, axis });
  const others = record.series.filter((series) => !isMain(series));
  return htmlDocument({
    title: `${soakTitle(record)} · ${record.gateway.name} · ${instant(record.startedAt)}`,
    style: style + soakStyle,
    body: html`<a class="skip" href="#main">Skip to the verdict</a>
      <nav aria-label="Sections">
        <ul>
          <li>${record.gateway.name} ${record.gateway.version}</li>
          <li><a href="#findings">Verdicts</a></li>
          <li><a href="#curves">Curves</a></li>
          <li><a href="#events">Events</a></li>
          <li><a href="#operations">Operations</a></li>
        </ul>
      </nav>
      <main id="main">
        ${banner(record)} ${findingTable(record.findings.filter(isShown))}
        <section id="curves" aria-labelledby="curves-title">
          <h2 id="curves-title">Curves</h2>
          <p>
            All pictures share one time axis. A dashed line is a restart or an interruption. The first minutes
            after each boot are no part of a trend.
          </p>
          ${
            axis.events.length > 0 &&
            html`<figure class="chart">
              <figcaption>Events</figcaption>
              ${gallery.picture({
                title: "Events of the soak",
                description: "Events by kind over the time of the soak; the section Events lists them.",
                draw: eventChart(axis),
              })}
            </figure>`
          }
          ${record.series.filter(isMain).map(chart)}
          ${
            others.length > 0 &&
            html`<details class="fold">
              <summary>Answer time of each operation</summary>
              ${others.map(chart)}
            </details>`
          }
        </section>
        ${eventSection(record.timeline)} ${operationTable(record)}
        <footer>
          rackproof ${record.suite.version}, ${record.suite.interface}. Times are UTC. A rise counts when a
          Mann-Kendall test rejects chance (corrected for autocorrelation and the number of quantities), and
          the Theil-Sen estimate of the change exceeds its threshold.
        </footer>
      </main>`,
  });
}

function banner(record: SoakRecord): Html {
  const { gateway, verdict, findings } = record;
  const open = findings.filter(
    (one) => isShown(one) && (one.verdict === "fail" || one.verdict === "inconclusive"),
  );
  return html`<section class="verdict ${verdict}" aria-labelledby="verdict-title">
      <h1 id="verdict-title">
        <span aria-hidden="true">${soakVerdictWords[verdict].sign}</span> <span>${soakTitle(record)}</span>
      </h1>
      <ul>
        ${open.map((one) => html`<li>${one.title}: ${codeSpans(one.text)}${needs(one)}</li>`)}
        ${record.left.map((one) => html`<li>Not restored: ${one}</li>`)}
      </ul>
    </section>
    <dl class="facts">
      ${fact("Gateway", `${gateway.name} ${gateway.version}, ${gateway.kind}`)}
      ${fact("Address", gateway.baseUrl)} ${fact("Started", instant(record.startedAt))}
      ${fact("Ended", instant(record.endedAt))}
      ${fact("Soaked", `${duration(record.soakedSec * 1000)} of ${duration(record.plannedSec * 1000)}`)}
      ${fact("Changes received", record.changes.received.toLocaleString("en"))}
      ${fact("Events received", record.events.received.toLocaleString("en"))}
      ${fact("Seed", String(record.seed))}
      ${gateway.fault !== undefined && fact("Injected fault", gateway.fault)}
    </dl>`;
}

function findingTable(findings: readonly SoakFinding[]): Html {
  return html`<section id="findings" aria-labelledby="findings-title">
    <h2 id="findings-title">Verdicts</h2>
    <table class="figures">
      ${columnHeads("Quantity", "Verdict", "Finding", "Test")}
      <tbody>
        ${findings.map((one) => {
          const { sign, word } = soakVerdictWords[one.verdict];
          return html`<tr>
            <th scope="row">${one.title}</th>
            <td data-label="Verdict">
              <span class="badge v-${one.verdict}"
                ><span class="sign" aria-hidden="true">${sign}</span> ${word}</span
              >
            </td>
            <td data-label="Finding">${codeSpans(one.text)}${needs(one)}</td>
            <td data-label="Test" class="soft">${testWords(one)}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </section>`;
}

function testWords({ trend, unit }: SoakFinding): string {
  if (trend === undefined) return "exact count";
  const { adjustedPValue: p, threshold, blocks, blockSec, inflation } = trend;
  const chance = p < 0.0001 ? "p < 0.0001" : `p = ${Number(p.toPrecision(2))}`;
  return `${chance}, threshold ${threshold} ${unit ?? ""}, ${blocks} blocks of ${blockSec} s, autocorrelation factor ${inflation}`;
}

function curve(
  series: SoakSeries,
  { findings }: SoakRecord,
  { gallery, axis }: { readonly gallery: Gallery; readonly axis: TimeAxis },
): Html {
  const finding = findings.find(({ id }) => id === series.id);
  const values = series.points.map(([, , y]) => y);
  const first = values[0] ?? 0;
  const last = values.at(-1) ?? 0;
  const range = `from ${first} to ${last} ${series.unit}, lowest ${Math.min(...values)}, highest ${Math.max(...values)}`;
  return html`<figure class="chart" id="curve-${series.id.replaceAll(/[^a-z0-9]+/gi, "-")}">
    <figcaption>${series.title}</figcaption>
    ${gallery.picture({ title: series.title, description: range, draw: seriesChart(series, axis) })}
    ${finding !== undefined && html`<p class="soft">${soakVerdictWords[finding.verdict].word}: ${finding.text}</p>`}
  </figure>`;
}

function eventSection(events: readonly SoakEvent[]): Html {
  return html`<section id="events" aria-labelledby="events-title">
    <h2 id="events-title">Events</h2>
    ${
      events.length === 0
        ? html`<p>None.</p>`
        : html`<table class="figures">
            ${columnHeads("Time", "Soaked", "Kind", "Event")}
            <tbody>
              ${events.map(
                ({ at, sec, kind, text }) =>
                  html`<tr>
                    <th scope="row">${instant(at)}</th>
                    <td data-label="Soaked">${duration(sec * 1000)}</td>
                    <td data-label="Kind">${eventWords[kind]}</td>
                    <td data-label="Event">${text}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
  </section>`;
}

function operationTable({ operations, omitted }: SoakRecord): Html {
  return html`<section id="operations" aria-labelledby="operations-title">
    <h2 id="operations-title">Operations</h2>
    <table class="figures">
      ${columnHeads("Operation", "Calls", "Median, ms", "Longest, ms", "Not accepted")}
      <tbody>
        ${operations.map(
          ({ operation, calls, medianMs, longestMs, errors }) =>
            html`<tr>
              <th scope="row">${operation}</th>
              <td data-label="Calls">${calls}</td>
              <td data-label="Median, ms">${medianMs}</td>
              <td data-label="Longest, ms">${longestMs}</td>
              <td data-label="Not accepted">
                ${
                  Object.entries(errors)
                    .map(([what, count]) => `${what}: ${count}`)
                    .join(", ") || "none"
                }
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      omitted.length > 0 &&
      html`<h3>Omitted actions</h3>
        <ul>
          ${omitted.map(({ action, reason }) => html`<li>${action}: ${reason}</li>`)}
        </ul>`
    }
  </section>`;
}

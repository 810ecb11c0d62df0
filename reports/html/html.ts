// report.html: one file without network, the verdict and its reasons first.
import { join } from "node:path";
import type { CampaignRecord, CaseRecord, CheckRecord, Measurement } from "../../harness/record/campaign.ts";
import type { Exchange } from "../../harness/record/exchange.ts";
import { writeWhole } from "../../harness/record/store.ts";
import type { Reporter, ReportInput } from "../reporter.ts";
import { countWords, verdictWords } from "../terminal.ts";
import { type Html, html } from "./markup.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

export const htmlReporter: Reporter = {
  name: "report.html",
  write: (input) => writeWhole(join(input.folder, "report.html"), page(input).html),
};

const shownCharacters = 20_000;

function page({ record, exchangesOf }: ReportInput): Html {
  const open = record.cases.filter((one) => one.verdict !== "pass" && one.verdict !== "not-applicable");
  const title = `${verdictWords(record).split(":")[0] ?? ""} - ${record.gateway.name} - rackproof`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${{ html: style }}
        </style>
      </head>
      <body>
        <header>
          <p class="quiet">rackproof ${record.suite.version}, ${record.suite.interface}</p>
          <h1
            class="${record.summary.verdict === "conformant" ? "pass" : record.summary.verdict === "non-conformant" ? "fail" : "inconclusive"}"
          >
            ${verdictWords(record)}
          </h1>
          <p>${countWords(record)}</p>
          ${tiles(record)}
        </header>
        <main>
          <section aria-labelledby="open">
            <h2 id="open">What needs attention</h2>
            ${open.length === 0 ? html`<p>Nothing: every case that was run passed.</p>` : open.map((one) => openCase(record, one, exchangesOf(one.id)))}
          </section>
          <section aria-labelledby="matrix">
            <h2 id="matrix">Requirements</h2>
            ${filterForm("requirements", ["verdict", "level", "group"], record)}${requirementTable(record)}
          </section>
          <section aria-labelledby="cases-title">
            <h2 id="cases-title">Cases</h2>
            ${filterForm("cases", ["verdict", "group"], record)}${caseTable(record)}
          </section>
          <section aria-labelledby="environment">
            <h2 id="environment">Environment</h2>
            ${environment(record)}
          </section>
        </main>
        <footer class="quiet">
          Made from campaign.json; the exchanges of every case are in the folder exchanges beside this file.
        </footer>
        <script>
          ${{ html: script }};
        </script>
      </body>
    </html> `;
}

function tiles(record: CampaignRecord): Html {
  const { pass, fail, inconclusive, error, notApplicable } = record.summary;
  const entries = [
    ["pass", pass],
    ["fail", fail],
    ["inconclusive", inconclusive],
    ["error", error],
    ["not applicable", notApplicable],
  ] as const;
  return html`<ul class="tiles">
    ${entries.map(([name, count]) => html`<li class="${name.replace(" ", "-")}"><b>${count}</b>${name}</li>`)}
  </ul>`;
}

function openCase(record: CampaignRecord, one: CaseRecord, exchanges: readonly Exchange[]): Html {
  const checks = one.checks.filter((check) => check.verdict !== "pass");
  return html`<details class="failure" open>
    <summary>
      <span class="verdict ${one.verdict}">${one.verdict}</span> <b>${one.title}</b>
      <span class="quiet">${one.id}</span>
    </summary>
    ${checks.length === 0 ? html`<p>${one.reason ?? ""}</p>` : checks.map((check) => openCheck(record, check, exchanges))}
    ${one.notes.map((note) => html`<p class="quiet">${note}</p>`)}
    ${one.reproduce === undefined ? undefined : copyable("See it again", one.reproduce)}
    ${one.curl === undefined ? undefined : copyable("The request by hand", one.curl)}
    ${measurementList(one.measurements)}
    ${
      exchanges.length === 0
        ? undefined
        : html`<details>
            <summary>All ${exchanges.length} exchanges</summary>
            ${exchanges.map(exchangeBlock)}
          </details>`
    }
  </details>`;
}

function openCheck(record: CampaignRecord, check: CheckRecord, exchanges: readonly Exchange[]): Html {
  const requirement = record.requirements.find((one) => one.id === check.requirement);
  const exchange = exchanges.find((one) => one.number === check.exchange);
  return html`<h3>
      ${check.requirement} <span class="quiet">${requirement?.level ?? ""}, ${requirement?.place ?? ""}</span>
    </h3>
    <p>${requirement?.statement ?? ""}</p>
    <p>${check.what}</p>
    <div class="pair">
      <div>
        <b>expected</b>
        <pre>${check.expected}</pre>
      </div>
      <div>
        <b>observed</b>
        <pre>${check.observed}</pre>
      </div>
    </div>
    ${exchange === undefined ? undefined : exchangeBlock(exchange)}`;
}

function copyable(label: string, text: string): Html {
  return html`<div>
    <b>${label}</b> <button type="button" data-copy>copy</button>
    <pre>${text}</pre>
  </div>`;
}

function exchangeBlock({ number, request, answer, noAnswer, durationMs, session }: Exchange): Html {
  const head = (headers: Readonly<Record<string, string>>): string =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join("");
  const received =
    answer === undefined
      ? (noAnswer?.message ?? "no answer")
      : `${answer.status}\n${head(answer.headers)}\n${pretty(answer.body)}`;
  return html`<details>
    <summary>${number}. ${request.method} ${request.url} (${session}, ${durationMs.toFixed(1)} ms)</summary>
    <pre>
${request.method} ${request.url}
${head(request.headers)}
${request.body === undefined ? "" : pretty(request.body)}</pre>
    <pre>${received}</pre>
  </details>`;
}

function pretty(text: string): string {
  const whole =
    text.length > shownCharacters
      ? `${text.slice(0, shownCharacters)}\n... (${text.length} characters)`
      : text;
  // Re-printing JSON would round long integers, so only line breaks are added where there are none.
  return whole.includes("\n") ? whole : whole.replaceAll(/([{,])(?=")/g, "$1\n  ");
}

function filterForm(
  table: string,
  names: readonly ("verdict" | "level" | "group")[],
  record: CampaignRecord,
): Html {
  const rows: readonly Readonly<Record<string, unknown>>[] =
    table === "cases" ? record.cases : record.requirements;
  const options = (name: string): string[] => [...new Set(rows.map((row) => String(row[name])))].toSorted();
  return html`<form data-filters="${table}">
    <label>search <input name="text" type="search" /></label> ${names.map(
      (name) =>
        html`<label
          >${name}
          <select name="${name}">
            <option value="">any</option>
            ${options(name).map((value) => html`<option>${value}</option>`)}
          </select></label
        >`,
    )}<output class="quiet"></output>
  </form>`;
}

function requirementTable(record: CampaignRecord): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Requirements">
    <table id="requirements">
      <thead>
        <tr>
          <th scope="col">id</th>
          <th scope="col">verdict</th>
          <th scope="col">statement</th>
          <th scope="col">level</th>
          <th scope="col">place</th>
          <th scope="col">cases</th>
        </tr>
      </thead>
      <tbody>
        ${record.requirements.map(
          (one) =>
            html`<tr data-verdict="${one.verdict}" data-level="${one.level}" data-group="${one.group}">
              <th scope="row">${one.id}</th>
              <td class="verdict ${one.verdict}">${one.verdict}</td>
              <td>
                ${one.statement}${one.reason === undefined ? undefined : html` <span class="quiet">(${one.reason})</span>`}
              </td>
              <td>${one.level}</td>
              <td>${one.place}</td>
              <td>${one.cases.join(", ")}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function caseTable(record: CampaignRecord): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Cases">
    <table id="cases">
      <thead>
        <tr>
          <th scope="col">case</th>
          <th scope="col">verdict</th>
          <th scope="col">title</th>
          <th scope="col">ms</th>
          <th scope="col">checks</th>
          <th scope="col">measured</th>
        </tr>
      </thead>
      <tbody>
        ${record.cases.map(
          (one) =>
            html`<tr data-verdict="${one.verdict}" data-group="${one.group}">
              <th scope="row"><a href="exchanges/${one.id.replaceAll("/", ".")}.json">${one.id}</a></th>
              <td class="verdict ${one.verdict}">${one.verdict}</td>
              <td>
                ${one.title}${one.verdict === "not-applicable" ? html` <span class="quiet">(${one.reason ?? ""})</span>` : undefined}
              </td>
              <td>${Math.round(one.durationMs)}</td>
              <td>${one.checks.length}</td>
              <td>${measurementList(one.measurements)}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function measurementList(measurements: readonly Measurement[]): Html | undefined {
  if (measurements.length === 0) return undefined;
  return html`<ul>
    ${measurements.map((one) => html`<li>${one.name}: ${one.low.toFixed(3)} to ${one.high.toFixed(3)} ${one.unit}, limits ${one.limitLow ?? "none"} to ${one.limitHigh ?? "none"}, seen by ${one.observers.join(", ")}</li>`)}
  </ul>`;
}

function environment(record: CampaignRecord): Html {
  const facts: [string, string][] = [
    [
      "gateway",
      `${record.gateway.name} ${record.gateway.version} (${record.gateway.kind}) at ${record.gateway.baseUrl}`,
    ],
    ["fault switched on", record.gateway.fault ?? "none"],
    ["profile", `${record.profile.name}, SHA-256 ${record.profile.sha256}`],
    [
      "level, seed, selection",
      `${record.level}, ${record.seed}, ${record.selection === "" ? "everything" : record.selection}`,
    ],
    ["started, ended", `${record.startedAt}, ${record.endedAt}`],
    [
      "machine",
      `${record.machine.cores} x ${record.machine.cpu}, ${record.machine.os}, Node ${record.machine.node}`,
    ],
    ...record.notes.map((note): [string, string] => ["note", note]),
  ];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Environment">
    <table>
      <tbody>
        ${facts.map(
          ([name, value]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

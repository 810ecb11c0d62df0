// report.html: one file that needs no network, reads well on paper and on a phone, and works without its script.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { CampaignRecord } from "../../harness/record/campaign.ts";
import { writeWhole } from "../../harness/record/store.ts";
import { instant } from "../durations.ts";
import { headline } from "../headline.ts";
import type { Reporter, ReportInput } from "../reporter.ts";
import { summaryText } from "../terminal.ts";
import { caseSection } from "./caseSection.ts";
import { Evidence } from "./evidence.ts";
import { failureSection } from "./failureSection.ts";
import { fact, overviewSection, verdictBanner } from "./overviewSection.ts";
import { requirementSection } from "./requirementSection.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";
import { undecidedSection } from "./undecidedSection.ts";
import { html, type Html, jsonForScript, trusted } from "./template.ts";

const summaryWidth = 100;

export const htmlReporter: Reporter = {
  name: "report.html",
  write: (input) => writeWhole(join(input.folder, "report.html"), `${page(input).markup}\n`),
};

// Only this page's own style and script may run, whatever a gateway managed to get into the record. The two are put
// into the page with their tags because white space between tag and text would change what is hashed.
const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** The whole page. */
function page(input: ReportInput): Html {
  const { record } = input;
  const evidence = new Evidence(input);
  const failures = failureSection(record, evidence);
  const undecided = undecidedSection(record, evidence);
  const { title } = headline(record);
  const summary = summaryText(record, { width: summaryWidth, colours: false }).trim();
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title} · ${record.gateway.name} · ${instant(record.startedAt)}</title>
        <link rel="icon" href="data:," />
        ${trusted(`<style>${style}</style>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the verdict</a>
        <nav aria-label="Sections">
          <ul>
            <li>${record.gateway.name} ${record.gateway.version}</li>
            ${failures !== undefined && html`<li><a href="#failures">Failures</a></li>`}
            ${undecided !== undefined && html`<li><a href="#undecided">Not decided</a></li>`}
            <li><a href="#requirements">Requirements</a></li>
            <li><a href="#cases">Cases</a></li>
            <li><a href="#run">This run</a></li>
          </ul>
        </nav>
        <main id="main">
          ${verdictBanner(record)} ${overviewSection(record)}${failures}${undecided}
          ${requirementSection(record)} ${caseSection(record, evidence)} ${runSection(record)}
          <footer>
            rackproof ${record.suite.version}, ${record.suite.interface}. Times are UTC. Secrets are masked.
          </footer>
        </main>
        <div id="announcer" class="hidden-word" aria-live="polite"></div>
        <script type="application/json" id="summary-text">
          ${jsonForScript(summary)}
        </script>
        ${trusted(`<script>${script}</script>`)}
      </body>
    </html>`;
}

function runSection(record: CampaignRecord): Html {
  const { gateway, profile, machine, suite } = record;
  return html`<section id="run" aria-labelledby="run-title">
    <h2 id="run-title">This run</h2>
    ${
      record.notes.length > 0 &&
      html`<ul>
        ${record.notes.map((note) => html`<li>${note}</li>`)}
      </ul>`
    }
    <dl class="facts">
      ${fact("Gateway", `${gateway.name} ${gateway.version}, ${gateway.kind}`)}
      ${fact("Address", gateway.baseUrl)} ${fact("Profile", profile.name)}
      ${fact("Profile, SHA-256", profile.sha256)}
      ${fact("Suite", `rackproof ${suite.version}, ${suite.interface}`)} ${fact("Level", record.level)}
      ${fact("Seed", String(record.seed))} ${fact("Started", instant(record.startedAt))}
      ${fact("Ended", instant(record.endedAt))}
      ${fact("Ran to its end", record.complete ? "yes" : "no, it was interrupted")}
      ${fact("Machine", `${machine.cpu}, ${machine.cores} cores`)}
      ${fact("System", `${machine.os}, Node ${machine.node}`)}
    </dl>
    <p>
      <a href="campaign.json">campaign.json</a> has every check and measurement,
      <a href="junit.xml">junit.xml</a> the same for a build server,
      <a href="console.log">console.log</a> what the gateway said.
    </p>
  </section>`;
}

// report.html: one file without network access, readable on paper and on a phone, and without its script.
import { join } from "node:path";
import { writeWhole } from "../../record/index.ts";
import { instant } from "../text/durations.ts";
import { headline } from "../text/headline.ts";
import { type ReportInput, reportFiles } from "../text/reporter.ts";
import { summaryText } from "../text/terminal.ts";
import { adviceSection } from "./adviceSection.ts";
import { coverageSection } from "./coverageSection.ts";
import { caseSection } from "./caseSection.ts";
import { Gallery } from "./charts/gallery.ts";
import { Evidence } from "./evidence.ts";
import { failureSection } from "./failureSection.ts";
import { overviewSection, verdictBanner } from "./overviewSection.ts";
import { measuredSection } from "./measuredSection.ts";
import type { PageParts } from "./pageParts.ts";
import { CharacterBudget } from "./characterBudget.ts";
import { runSection } from "./runSection.ts";
import { requirementSection } from "./requirementSection.ts";
import { script } from "./script.ts";
import { style } from "../markup/style.ts";
import { inconclusiveSection } from "./inconclusiveSection.ts";
import { htmlDocument } from "../markup/document.ts";
import { html, jsonForScript } from "../markup/template.ts";

const summaryWidth = 100;
const charactersForPictures = 350_000;

/** Writes report.html into the run's folder. */
export function writePage(input: ReportInput): Promise<void> {
  return writeWhole(join(input.folder, reportFiles.page), page(input));
}

/** The whole page. */
function page(input: ReportInput): string {
  const { record } = input;
  const parts: PageParts = {
    record,
    evidence: new Evidence(input),
    disputes: input.disputes ?? [],
    gallery: new Gallery(),
    picturesBudget: new CharacterBudget(charactersForPictures),
  };
  const failures = failureSection(parts);
  const inconclusive = inconclusiveSection(parts);
  const advice = adviceSection(parts);
  const measured = measuredSection(parts);
  const coverage = coverageSection(parts);
  const { title } = headline(record);
  const summary = summaryText(record, { width: summaryWidth, colours: false }).trim();
  return htmlDocument({
    title: `${title} · ${record.gateway.name} · ${instant(record.startedAt)}`,
    style,
    script,
    body: html`<a class="skip" href="#main">Skip to the verdict</a>
      <nav aria-label="Sections">
        <ul>
          <li>${record.gateway.name} ${record.gateway.version}</li>
          ${failures !== undefined && html`<li><a href="#failures">Failures</a></li>`}
          ${inconclusive !== undefined && html`<li><a href="#inconclusive">Inconclusive</a></li>`}
          ${advice !== undefined && html`<li><a href="#advice">Advice</a></li>`}
          <li><a href="#requirements">Requirements</a></li>
          ${coverage !== undefined && html`<li><a href="#coverage">Coverage</a></li>`}
          ${measured !== undefined && html`<li><a href="#measured">Measurements</a></li>`}
          <li><a href="#cases">Cases</a></li>
          <li><a href="#run">Run</a></li>
        </ul>
      </nav>
      <main id="main">
        ${verdictBanner(record)} ${failures}${inconclusive}${advice} ${overviewSection(parts)}
        ${requirementSection(record)} ${coverage} ${measured} ${caseSection(parts)} ${runSection(record)}
        <footer>
          rackproof ${record.suite.version}, ${record.suite.interface}. Times are UTC. Secrets are masked.
        </footer>
      </main>
      <div id="announcer" class="hidden-word" aria-live="polite"></div>
      <script type="application/json" id="summary-text">
        ${jsonForScript(summary)}
      </script>`,
  });
}

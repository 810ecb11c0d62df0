// The nights of a fleet as one page without network access: what fails and since when, and every requirement by night,
// folded by lab, type, firmware or gateway.
import type { FindingGroup, FleetHistory, FleetUnit } from "../../record/index.ts";
import { contentPolicy, htmlDocument } from "../markup/document.ts";
import { style } from "../markup/style.ts";
import { html, type Html, jsonForScript, trusted } from "../markup/template.ts";
import { instant } from "../text/durations.ts";
import { counted } from "../text/visibleText.ts";
import { nightSection } from "../trend/nightSection.ts";
import { trendStyle } from "../trend/trendStyle.ts";
import { packFleet } from "./fleetData.ts";
import { findingSection } from "./findingSection.ts";
import { fleetScript } from "./fleetScript.ts";
import { fleetStyle } from "./fleetStyle.ts";
import { labSection, notRunSection } from "./labSection.ts";

export interface FleetPageInput {
  readonly history: FleetHistory;
  readonly groups: readonly FindingGroup[];
  /** The page follows the database: it is served, not a file. */
  readonly isLive?: boolean;
}

const wholeStyle = style + trendStyle + fleetStyle;
const powers = { style: wholeStyle, script: fleetScript };

/** Content security policy of the live page for the response header; pages of other origins must not frame the page. */
export const fleetPagePolicy = `${contentPolicy({ ...powers, mayConnect: true })}; frame-ancestors 'none'`;

/** The whole page as text. */
export function fleetPage(input: FleetPageInput): string {
  const { history, groups, isLive = false } = input;
  const { nights } = history;
  const packed = packFleet(history);
  return htmlDocument({
    title: titleOf(history),
    ...powers,
    mayConnect: isLive,
    body: html`<a class="skip" href="#main">Skip to the failures</a>
      <nav aria-label="Sections">
        <ul>
          <li>Fleet</li>
          <li><a href="#findings">Failures</a></li>
          <li><a href="#not-run">Stale or not run</a></li>
          <li><a href="#matrix">Requirements by night</a></li>
          <li><a href="#labs">Labs</a></li>
          <li><a href="#nights">Nights</a></li>
        </ul>
      </nav>
      <main id="main" ${isLive && trusted('data-live="yes"')}>
        <div class="part-of-page" id="part-summary">
          ${banner(input)} ${findingSection(history, groups)} ${notRunSection(history)}
        </div>
        ${isLive && runningSection()} ${matrixSection()}
        <div class="part-of-page" id="part-labs">${labSection(history)} ${nightSection(nights)}</div>
        <footer>
          ${isLive && html`<p id="link">Follows the database.</p>`} Made ${instant(history.madeAt)}. Type: the
          label <code>model</code>. Flaky: passed after a repetition. Last good night: the last one in which
          the requirement passed on these gateways. Times are UTC.
        </footer>
      </main>
      <div id="announcer" class="hidden-word" role="status" aria-live="polite"></div>
      <script type="application/json" id="fleet-data">
        ${jsonForScript(packed.data)}
      </script>
      <script type="text/plain" id="fleet-cells">
        ${packed.cells}
      </script>`,
  });
}

type Tone = "non-conformant" | "conformant" | "inconclusive";

function lastOutcome({ turns, last }: FleetUnit): string {
  return last === undefined ? "waiting" : (turns[last.night]?.outcome ?? "waiting");
}

function titleOf({ units }: FleetHistory): string {
  const all = counted(units.length, "gateway");
  const failing = units.filter((unit) => lastOutcome(unit) === "non-conformant").length;
  if (failing > 0) return `${failing} of ${all} not conformant`;
  const conformant = units.filter((unit) => lastOutcome(unit) === "conformant").length;
  return conformant === units.length ? `${all}, all conformant` : `${conformant} of ${all} conformant`;
}

function banner({ history, groups }: FleetPageInput): Html {
  const { units, nights } = history;
  const title = titleOf(history);
  const outcomes = units.map(lastOutcome);
  const tone: Tone = outcomes.includes("non-conformant")
    ? "non-conformant"
    : outcomes.every((one) => one === "conformant") && units.length > 0
      ? "conformant"
      : "inconclusive";
  const sign = { "non-conformant": "✕", conformant: "✓", inconclusive: "?" }[tone];
  const fresh = groups.filter(({ isNew, outcome }) => isNew && outcome === "fail");
  const newRequirements = new Set(fresh.flatMap(({ requirements }) => requirements)).size;
  const newUnits = new Set(fresh.flatMap((group) => group.units)).size;
  const stale = units.filter(
    ({ staleHours, lastResultAt }) => staleHours !== undefined || lastResultAt === undefined,
  );
  const night = nights.at(-1);
  return html`<section class="verdict ${tone}" aria-labelledby="verdict-title">
    <h1 id="verdict-title"><span aria-hidden="true">${sign}</span> <span>${title}</span></h1>
    <ul>
      <li>
        ${
          newRequirements === 0
            ? "No new failure since the last good night"
            : `New since the last good night: ${counted(newRequirements, "requirement")} on ${counted(newUnits, "gateway")}`
        }
      </li>
      ${stale.length > 0 && html`<li>Stale: ${counted(stale.length, "gateway")}</li>`}
      <li>
        ${
          night === undefined
            ? "No night yet"
            : `Last night: ${instant(night.startedAt)}, level ${night.level}${night.state === "finished" ? "" : `, ${night.state}`}`
        }
      </li>
    </ul>
  </section>`;
}

/** Shown while turns are under way; the script of the page fills it. */
function runningSection(): Html {
  return html`<section id="running" aria-labelledby="running-title" hidden>
    <h2 id="running-title">Under way</h2>
    <ul id="tails"></ul>
  </section>`;
}

/** The script of the page fills it. */
function matrixSection(): Html {
  const select = (name: string, label: string, first: string): Html =>
    html`<label
      >${label}<select name="${name}">
        <option value="">${first}</option>
      </select></label
    >`;
  return html`<section id="matrix" aria-labelledby="matrix-title">
    <h2 id="matrix-title">Requirements by night</h2>
    <noscript><p>This table needs JavaScript; the other sections do not.</p></noscript>
    <form class="filters" aria-label="Filter and fold the table">
      <label>Requirement or gateway<input type="search" name="text" autocomplete="off" /></label>
      <label
        >Fold by<select name="fold">
          <option value="lab">lab</option>
          <option value="type">type</option>
          <option value="firmware">firmware</option>
          <option value="name">gateway</option>
        </select></label
      >
      ${select("lab", "Lab", "all labs")} ${select("type", "Type", "all types")}
      ${select("firmware", "Firmware", "all firmware")}
      <label
        >Rows<select name="rows">
          <option value="">not passed in some night</option>
          <option value="now">not passed in the last result</option>
          <option value="all">all</option>
        </select></label
      >
      <output></output>
    </form>
    <p class="soft" id="matrix-help">
      Newest night first. Arrow keys move, Enter unfolds a row or shows the gateways of a cell, Escape hides
      them. A number counts the gateways with the worst result of the night.
    </p>
    <div class="wide" id="grid-place"></div>
    <div id="detail" role="region" tabindex="0" aria-live="polite" aria-label="Selected cell" hidden></div>
    <button type="button" id="more-rows" hidden>Show more rows</button>
  </section>`;
}

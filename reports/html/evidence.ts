// Selects the exchanges of a case for the page: all of them would make it too large for an e-mail.
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type CaseRecord,
  type CheckRecord,
  type Exchange,
  curlLine,
  exchangesFile,
} from "../../record/index.ts";
import type { ReportInput } from "../text/reporter.ts";
import { CharacterBudget } from "./characterBudget.ts";
import { exchangeLine, exchangeView } from "./exchangeView.ts";
import { transcriptView } from "./transcriptView.ts";
import { clip } from "../text/visibleText.ts";
import { badge, command } from "./parts.ts";
import { html, type Html } from "../markup/template.ts";

const exchangesPerCase = 12;
const checksPerStep = 6;
const charactersForPointed = 500_000;
const charactersForOthers = 450_000;

/** Shows exchanges until the character budget is spent, each at most once. */
export class Evidence {
  readonly #input: ReportInput;
  readonly #shown = new Set<string>();
  readonly #budgetForPointed = new CharacterBudget(charactersForPointed);
  readonly #budgetForOthers = new CharacterBudget(charactersForOthers);

  constructor(input: ReportInput) {
    this.#input = input;
  }

  /** The exchange of a check, or one line about it when the page already shows it. */
  ofCheck(one: CaseRecord, check: CheckRecord): Html | undefined {
    const caseId = check.exchangeCase ?? one.id;
    const exchange = this.#exchangeOf(one, check);
    const transcript = transcriptView(check);
    const lines =
      transcript !== undefined && this.#budgetForPointed.take(transcript) ? transcript : undefined;
    if (exchange === undefined) return lines;
    const key = `${exchange.number} ${caseId}`;
    if (this.#shown.has(key)) {
      return html`<p class="again">Exchange shown above: ${exchangeLine(exchange)}</p>
        ${lines}`;
    }
    const view = exchangeView(exchange);
    if (!this.#budgetForPointed.take(view)) return html`<p class="again">${exchangeLine(exchange)}</p>`;
    this.#shown.add(key);
    return html`${view} ${lines}`;
  }

  /** Curl line that reproduces the check: that of its own exchange, otherwise that of the case. */
  curlOf(one: CaseRecord, check: CheckRecord): string | undefined {
    const decisive = one.checks.find(
      ({ verdict, exchange }) => verdict === one.verdict && exchange !== undefined,
    );
    if (check === decisive && one.curl !== undefined) return one.curl;
    const exchange = this.#exchangeOf(one, check);
    return exchange === undefined ? one.curl : curlLine(exchange);
  }

  /** Exchanges of a case that did not pass, in order and with their checks; the nearest to the decisive one. */
  ofCase(one: CaseRecord): Html | undefined {
    const all = this.#input.exchangesOf(one.id);
    if (one.verdict === "pass" || one.verdict === "not-applicable" || all.length === 0) return undefined;
    const shown = nearest(all, one);
    const views = [...this.#budgetForOthers.fitting(shown, (exchange) => stepView(one, exchange))];
    const left = all.length - views.length;
    return html`<h3>Steps</h3>
      <ol class="steps" start="${shown[0]?.number ?? 1}">
        ${views}
      </ol>
      ${left > 0 && html`<p class="again">${left} of ${all.length} steps are in the file below only.</p>`}`;
  }

  /** Link to the exchange file of the case, if it exists. */
  fileLink(caseId: string): Html | undefined {
    const file = exchangesFile("", caseId);
    if (!existsSync(join(this.#input.folder, file))) return undefined;
    const address = file.split("/").map(encodeURIComponent).join("/");
    return html`<p><a href="${address}">All exchanges of this case (JSON)</a></p>`;
  }

  #exchangeOf(one: CaseRecord, check: CheckRecord): Exchange | undefined {
    const all = this.#input.exchangesOf(check.exchangeCase ?? one.id);
    return all.find(({ number }) => number === check.exchange);
  }
}

function stepView(one: CaseRecord, exchange: Exchange): Html {
  const checks = one.checks.filter(
    (check) => check.exchange === exchange.number && (check.exchangeCase ?? one.id) === one.id,
  );
  return html`<li>
    <details class="fold">
      <summary>${exchangeLine(exchange)}</summary>
      ${exchangeView(exchange)} ${command("curl", curlLine(exchange))}
    </details>
    ${
      checks.length > 0 &&
      html`<ul>
        ${checks.slice(0, checksPerStep).map(({ verdict, what }) => html`<li>${badge(verdict)} ${clip(what, 200)}</li>`)}
      </ul>`
    }
  </li> `;
}

function nearest(all: readonly Exchange[], one: CaseRecord): Exchange[] {
  if (all.length <= exchangesPerCase) return [...all];
  const pointed = one.checks.findLast((check) => check.verdict !== "pass")?.exchange;
  const index = all.findLastIndex(({ number }) => number === pointed);
  const end = Math.max(exchangesPerCase, index < 0 ? all.length : Math.min(all.length, index + 3));
  return all.slice(end - exchangesPerCase, end);
}

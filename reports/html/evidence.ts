// Which exchanges of a case are put into the page: all of them would make it too big to mail.
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
import { Room } from "./room.ts";
import { exchangeLine, exchangeView } from "./exchangeView.ts";
import { clip } from "../text/visibleText.ts";
import { badge, command } from "./parts.ts";
import { html, type Html } from "../markup/template.ts";

const exchangesPerCase = 12;
const checksPerStep = 6;
const charactersForPointed = 500_000;
const charactersForOthers = 450_000;

/** Shows exchanges as long as there is room for them, each at most once. */
export class Evidence {
  readonly #input: ReportInput;
  readonly #shown = new Set<string>();
  readonly #roomForPointed = new Room(charactersForPointed);
  readonly #roomForOthers = new Room(charactersForOthers);

  constructor(input: ReportInput) {
    this.#input = input;
  }

  /** The exchange that a check points at; a line saying where it is when it has been shown before. */
  ofCheck(one: CaseRecord, check: CheckRecord): Html | undefined {
    const caseId = check.exchangeCase ?? one.id;
    const exchange = this.#exchangeOf(one, check);
    if (exchange === undefined) return undefined;
    const key = `${exchange.number} ${caseId}`;
    if (this.#shown.has(key)) {
      return html`<p class="again">The exchange is the one shown above: ${exchangeLine(exchange)}</p>`;
    }
    const view = exchangeView(exchange);
    if (!this.#roomForPointed.take(view)) return html`<p class="again">${exchangeLine(exchange)}</p>`;
    this.#shown.add(key);
    return view;
  }

  /** The line for the shell that shows the check again: that of its own exchange, else the one that the case has. */
  curlOf(one: CaseRecord, check: CheckRecord): string | undefined {
    const culprit = one.checks.find(
      ({ verdict, exchange }) => verdict === one.verdict && exchange !== undefined,
    );
    if (check === culprit && one.curl !== undefined) return one.curl;
    const exchange = this.#exchangeOf(one, check);
    return exchange === undefined ? one.curl : curlLine(exchange);
  }

  /** What a case that did not pass did, step by step, each with what was checked by it; those nearest to what it points at. */
  ofCase(one: CaseRecord): Html | undefined {
    const all = this.#input.exchangesOf(one.id);
    if (one.verdict === "pass" || one.verdict === "not-applicable" || all.length === 0) return undefined;
    const shown = nearest(all, one);
    const views = [...this.#roomForOthers.fitting(shown, (exchange) => stepView(one, exchange))];
    const left = all.length - views.length;
    return html`<h3>Steps</h3>
      <ol class="steps" start="${shown[0]?.number ?? 1}">
        ${views}
      </ol>
      ${left > 0 && html`<p class="again">${left} of ${all.length} steps are only in the file.</p>`}`;
  }

  /** Link to the case's file, where there is one. */
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
      ${exchangeView(exchange)} ${command("By hand", curlLine(exchange))}
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

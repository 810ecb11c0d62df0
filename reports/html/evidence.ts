// Which exchanges of a case are put into the page: all of them would make it too big to mail.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CaseRecord, CheckRecord } from "../../harness/record/campaign.ts";
import { exchangesFile } from "../../harness/record/store.ts";
import type { Exchange } from "../../harness/record/exchange.ts";
import type { ReportInput } from "../reporter.ts";
import { Room } from "./room.ts";
import { exchangeLine, exchangeView } from "./exchangeView.ts";
import { html, type Html } from "./template.ts";

const exchangesPerCase = 12;
const charactersForPointed = 700_000;
const charactersForOthers = 700_000;

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
    const exchange = this.#input.exchangesOf(caseId).find(({ number }) => number === check.exchange);
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

  /** The exchanges of a case that did not pass, folded, those nearest to what it points at. */
  ofCase(one: CaseRecord): Html | undefined {
    const all = this.#input.exchangesOf(one.id);
    if (one.verdict === "pass" || one.verdict === "not-applicable" || all.length === 0) return undefined;
    const views = [
      ...this.#roomForOthers.fitting(
        nearest(all, one),
        (exchange) =>
          html`<details class="fold">
            <summary>${exchangeLine(exchange)}</summary>
            ${exchangeView(exchange)}
          </details>`,
      ),
    ];
    const left = all.length - views.length;
    return html`<h4>Exchanges</h4>
      ${views}${left > 0 && html`<p class="again">${left} of ${all.length} exchanges are only in the file.</p>`}`;
  }

  /** Link to the case's file, where there is one. */
  fileLink(caseId: string): Html | undefined {
    const file = exchangesFile("", caseId);
    if (!existsSync(join(this.#input.folder, file))) return undefined;
    const address = file.split("/").map(encodeURIComponent).join("/");
    return html`<p><a href="${address}">All exchanges of this case (JSON)</a></p>`;
  }
}

function nearest(all: readonly Exchange[], one: CaseRecord): Exchange[] {
  if (all.length <= exchangesPerCase) return [...all];
  const pointed = one.checks.findLast((check) => check.verdict !== "pass")?.exchange;
  const index = all.findLastIndex(({ number }) => number === pointed);
  const end = Math.max(exchangesPerCase, index < 0 ? all.length : Math.min(all.length, index + 3));
  return all.slice(end - exchangesPerCase, end);
}

// One gateway over the nights: requirements that did not pass every night, slower quantities, excluded cases.
import { requirements } from "../../interface/requirements/index.ts";
import type { Cell, TrendGateway, TrendNight, TrendRow } from "../../record/index.ts";
import { instant } from "../text/durations.ts";
import { codeSpans } from "../markup/codeSpans.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";
import { counted } from "../text/visibleText.ts";
import { gatewayAnchor } from "./changeSection.ts";
import { nightStrip } from "./nightStrip.ts";
import { isNotPassed, sinceWhen, tallyOf } from "./streak.ts";
import { outcomeWords, turnWords } from "./trendText.ts";

const known = new Map<string, (typeof requirements)[number]>(requirements.map((one) => [one.id, one]));

export function gatewaySection(gateway: TrendGateway, nights: readonly TrendNight[]): Html {
  const turn = gateway.turns.at(-1);
  const outcome = turn?.outcome ?? "waiting";
  const { sign, word } = turnWords[outcome];
  const shown = [...gateway.requirements].filter(([, row]) => row.some(isNotPassed));
  const passed = gateway.requirements.size - shown.length;
  return html`<section class="gateway" id="${gatewayAnchor(gateway.name)}">
    <h3>
      ${gateway.name}
      <span class="badge t-${outcome}"><span aria-hidden="true">${sign}</span> ${word}</span>
    </h3>
    ${turn?.reason !== undefined && html`<p>${turn.reason}</p>`}
    <p class="soft">
      ${turn?.firmware !== undefined && html`Firmware ${turn.firmware}. `}${counted(turn?.attempts ?? 0, "attempt")}.
      ${turn?.folder !== undefined && html`<a href="${reportAddress(turn.folder)}">Report of the first attempt</a>`}
    </p>
    ${
      (turn?.withoutParts ?? []).length > 0 &&
      html`<p>Rig parts excluded for this night:</p>
        <ul>
          ${turn?.withoutParts.map((part) => html`<li>${part}</li>`)}
        </ul>`
    }
    ${requirementTable(shown, nights)}
    <p class="soft">${counted(passed, "requirement")} passed or not applicable in every night shown.</p>
    ${slowerTable(gateway)} ${leftOutList(gateway)}
  </section>`;
}

function reportAddress(folder: string): string {
  return `${folder.split("/").map(encodeURIComponent).join("/")}/report.html`;
}

/** The worst of the last night first. */
function requirementTable(
  shown: readonly (readonly [string, TrendRow])[],
  nights: readonly TrendNight[],
): Html | undefined {
  if (shown.length === 0) return undefined;
  const rank = (row: TrendRow): number => {
    const cell = row.at(-1);
    return cell === undefined
      ? 9
      : ["fail", "error", "not-concluded", "inconclusive", "quarantined", "flaky"].indexOf(cell.outcome) +
          1 || 8;
  };
  return html`<table class="trend">
    <caption class="hidden-word">
      Requirements that did not pass in every night
    </caption>
    ${columnHeads("Requirement", "Last night", "Since", "Nights, oldest first", "Reason")}
    <tbody>
      ${shown.toSorted(([, a], [, b]) => rank(a) - rank(b)).map(([id, row]) => requirementRow(id, row, nights))}
    </tbody>
  </table>`;
}

function requirementRow(id: string, row: TrendRow, nights: readonly TrendNight[]): Html {
  const cell = row.at(-1);
  const { failed, flaky, tested } = tallyOf(row);
  const label = `failed in ${failed}, flaky in ${flaky} of ${counted(tested, "night")}`;
  const reason = cell?.reason ?? row.findLast(isNotPassed)?.reason ?? "";
  return html`<tr>
    <th scope="row">
      <span class="id">${id}</span>
      <div class="soft">${codeSpans(known.get(id)?.statement ?? "")}</div>
      <div class="soft">${known.get(id)?.place}</div>
    </th>
    <td data-label="Last night">${outcomeBadge(cell)}</td>
    <td data-label="Since">${sinceText(row, nights)}</td>
    <td data-label="Nights">
      ${nightStrip(
        row.map((one, index) => stripCell(one, nights[index])),
        label,
      )}
      <div class="soft">${label}</div>
    </td>
    <td data-label="Reason" class="soft">${reason}</td>
  </tr>`;
}

function outcomeBadge(cell: Cell | undefined): Html {
  if (cell === undefined) return html`<span class="soft">not tested</span>`;
  const { sign, word } = outcomeWords[cell.outcome];
  return html`<span class="badge o-${cell.outcome}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

function sinceText(row: TrendRow, nights: readonly TrendNight[]): string {
  const since = sinceWhen(row, nights);
  if (since === undefined) return "";
  return since === nights[0] && nights.length > 1
    ? `${instant(since.startedAt).slice(0, 10)} or earlier`
    : instant(since.startedAt).slice(0, 10);
}

function stripCell(cell: Cell | undefined, night: TrendNight | undefined) {
  if (cell === undefined) return undefined;
  const when = instant(night?.startedAt ?? "").slice(0, 16);
  return {
    kind: cell.outcome,
    isMarked: isNotPassed(cell),
    title: `${when}: ${outcomeWords[cell.outcome].word}`,
  };
}

function slowerTable({ slower }: TrendGateway): Html | undefined {
  if (slower.length === 0) return undefined;
  const figure = (value: number): string => String(Number(value.toPrecision(4)));
  return html`<table>
    <caption>
      Worse than in previous nights
    </caption>
    ${columnHeads("Quantity", "Median, last nights", "Median, previous nights", "Worse by")}
    <tbody>
      ${slower.map(
        (one) =>
          html`<tr>
            <th scope="row">${one.name} <span class="id">${one.case}</span></th>
            <td>${figure(one.median)} ${one.unit} (${one.count})</td>
            <td>${figure(one.baselineMedian)} ${one.unit} (${one.baselineCount})</td>
            <td>
              ${Number.isFinite(one.worseByPercent) ? `${one.worseByPercent.toFixed(0)} %` : "unlimited"}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function leftOutList({ leftOut }: TrendGateway): Html | undefined {
  if (leftOut.size === 0) return undefined;
  const byReason = Map.groupBy(leftOut, ([, reason]) => reason);
  return html`<details>
    <summary>${counted(leftOut.size, "case")} excluded before the run</summary>
    <ul>
      ${[...byReason].map(
        ([reason, cases]) =>
          html`<li>${reason}: <span class="id">${cases.map(([id]) => id).join(", ")}</span></li>`,
      )}
    </ul>
  </details>`;
}

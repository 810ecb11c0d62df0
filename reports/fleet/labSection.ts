// Gateways without a result, and the labs.
import type { FleetHistory, FleetLab, FleetUnit, TurnOutcome } from "../../record/index.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";
import { duration, instant } from "../text/durations.ts";
import { counted } from "../text/visibleText.ts";
import { few } from "./few.ts";
import { nightStrip } from "../trend/nightStrip.ts";
import { turnWords } from "../trend/trendText.ts";

/** Stale gateways, those that were not run in their last night, and turns under way; those with the same reason together. */
export function notRunSection({ units, staleAfterHours }: FleetHistory): Html {
  const rows = units.flatMap((unit) => {
    const why = notRun(unit, staleAfterHours);
    return why === undefined ? [] : [{ unit, ...why }];
  });
  const groups = Map.groupBy(rows, ({ unit, word, reason }) =>
    JSON.stringify([word, reason, unit.lastResultAt?.slice(0, 13)]),
  );
  return html`<section id="not-run" aria-labelledby="not-run-title">
    <h2 id="not-run-title">Stale or not run</h2>
    ${
      rows.length === 0
        ? html`<p>Every gateway has a result of the last ${staleAfterHours} h.</p>`
        : html`<table class="trend">
            <caption class="hidden-word">
              Gateways without a recent result
            </caption>
            ${columnHeads("Gateways", "State", "Last result", "Reason")}
            <tbody>
              ${[...groups.values()].map(notRunRow)}
            </tbody>
          </table>`
    }
  </section>`;
}

function notRunRow(group: readonly (NotRun & { readonly unit: FleetUnit })[]): Html | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const { kind, word, reason, unit } = first;
  const units = group.map((one) => one.unit);
  return html`<tr>
    <th scope="row">${few(units, "gateway", ({ name }) => html`<span class="id">${name}</span>`)}</th>
    <td data-label="State"><span class="badge t-${kind}">${word}</span></td>
    <td data-label="Last result">${unit.lastResultAt === undefined ? "none" : instant(unit.lastResultAt)}</td>
    <td data-label="Reason" class="soft">${reason}</td>
  </tr>`;
}

interface NotRun {
  readonly kind: TurnOutcome;
  readonly word: string;
  readonly reason: string | undefined;
}

function notRun({ turns, staleHours, lastResultAt }: FleetUnit, staleAfterHours: number): NotRun | undefined {
  const turn = turns.at(-1);
  if (turn?.runningSince !== undefined)
    return { kind: "waiting", word: "▸ running", reason: `since ${instant(turn.runningSince)}` };
  const lastTurn = turns.findLast((one) => one !== undefined && one.outcome !== "waiting");
  const reason = lastTurn?.reason;
  if (lastTurn?.outcome === "set-aside") return { kind: "set-aside", word: "! quarantined", reason };
  if (staleHours !== undefined)
    return { kind: "inconclusive", word: `! no result for ${Math.floor(staleHours)} h`, reason };
  return lastResultAt === undefined
    ? {
        kind: "inconclusive",
        word: `! no result yet`,
        reason: reason ?? `expected within ${staleAfterHours} h`,
      }
    : undefined;
}

/** Each lab with its gateways over the nights. */
export function labSection({ labs, units, nights }: FleetHistory): Html {
  return html`<section id="labs" aria-labelledby="labs-title">
    <h2 id="labs-title">Labs</h2>
    <table class="trend">
      <caption class="hidden-word">
        Each lab with its nights
      </caption>
      ${columnHeads("Lab", "State", "Nights, oldest first")}
      <tbody>
        ${labs.map((lab) => {
          const own = units.filter((unit) => unit.lab === lab.name);
          const cells = nights.map(({ startedAt }, night) => labCell(own, night, startedAt));
          const good = cells.filter((cell) => cell?.kind === "conformant").length;
          const label = `all gateways conformant in ${good} of ${counted(cells.filter((cell) => cell !== undefined).length, "night")}`;
          return html`<tr>
            <th scope="row">
              ${lab.name}
              <div class="soft">${lab.host}, ${counted(own.length, "gateway")}</div>
            </th>
            <td data-label="State">${labState(lab)}</td>
            <td data-label="Nights">
              ${nightStrip(cells, label)}
              <div class="soft">${label}</div>
            </td>
          </tr>`;
        })}
      </tbody>
    </table>
  </section>`;
}

function labState({ state, silentMs }: FleetLab): Html {
  const kind = state === "running" ? "conformant" : "set-aside";
  return html`<span class="badge t-${kind}"
    >${state === "silent" ? `silent for ${duration(silentMs)}` : state}</span
  >`;
}

const worstFirst: readonly TurnOutcome[] = [
  "non-conformant",
  "set-aside",
  "incomplete",
  "inconclusive",
  "conformant",
];

function labCell(units: readonly FleetUnit[], night: number, startedAt: string) {
  const outcomes = units.flatMap(({ turns }) => turns[night]?.outcome ?? []);
  const worst = worstFirst.find((one) => outcomes.includes(one));
  if (worst === undefined) return undefined;
  const count = outcomes.filter((one) => one === worst).length;
  return {
    kind: worst,
    isMarked: worst !== "conformant",
    title: `${instant(startedAt).slice(0, 16)}: ${count} of ${outcomes.length} ${turnWords[worst].word}`,
  };
}

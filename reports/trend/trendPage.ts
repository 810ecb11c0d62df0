// The nights of a rack as one page without network access: changes first, then every gateway over time.
import type { Trend, TrendGateway, TrendNight } from "../../record/index.ts";
import { instant } from "../text/durations.ts";
import { style } from "../markup/style.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { htmlDocument } from "../markup/document.ts";
import { html, type Html } from "../markup/template.ts";
import { counted } from "../text/visibleText.ts";
import { changeSection, gatewayAnchor } from "./changeSection.ts";
import { gatewaySection } from "./gatewaySection.ts";
import { nightSection } from "./nightSection.ts";
import { nightStrip } from "./nightStrip.ts";
import { trendStyle } from "./trendStyle.ts";
import { isWorse, turnWords } from "./trendText.ts";

const wholeStyle = style + trendStyle;

/** The whole page as text. */
export function trendPage(trend: Trend): string {
  const { nights, gateways, changes, rack } = trend;
  const title = titleOf(trend);
  return htmlDocument({
    title: `${title} · ${rack}`,
    style: wholeStyle,
    body: html`<a class="skip" href="#main">Skip to the changes</a>
      <nav aria-label="Sections">
        <ul>
          <li>${rack}</li>
          <li><a href="#changes">Changes</a></li>
          <li><a href="#rack">Rack</a></li>
          <li><a href="#gateways">Gateways</a></li>
          <li><a href="#nights">Nights</a></li>
        </ul>
      </nav>
      <main id="main">
        ${banner(trend, title)} ${changeSection(changes, nights.length <= 1)} ${rackSection(gateways, nights)}
        <section id="gateways" aria-labelledby="gateways-title">
          <h2 id="gateways-title">Gateways</h2>
          ${gateways.map((gateway) => gatewaySection(gateway, nights))}
        </section>
        ${nightSection(nights)}
        <footer>
          A marked square: not passed or not conformant. Flaky: passed after a repetition. Times are UTC.
        </footer>
      </main>`,
  });
}

function titleOf({ gateways }: Trend): string {
  const outcomes = gateways.map(({ turns }) => turns.at(-1)?.outcome ?? "waiting");
  const bad = Object.entries(turnWords).flatMap(([outcome, { word }]) => {
    const count = outcomes.filter((one) => one === outcome).length;
    return count === 0 || outcome === "conformant" ? [] : [`${count} ${word}`];
  });
  const all = counted(gateways.length, "gateway");
  return bad.length === 0 ? `${all}, all conformant` : `${all}: ${bad.join(", ")}`;
}

function banner({ nights, gateways, changes }: Trend, title: string): Html {
  const night = nights.at(-1);
  const outcomes = gateways.map(({ turns }) => turns.at(-1)?.outcome ?? "waiting");
  const tone = outcomes.includes("non-conformant")
    ? "non-conformant"
    : outcomes.every((one) => one === "conformant")
      ? "conformant"
      : "inconclusive";
  const sign = { "non-conformant": "✕", conformant: "✓", inconclusive: "?" }[tone];
  const worse = changes.filter(({ kind }) => isWorse(kind)).length;
  return html`<section class="verdict ${tone}" aria-labelledby="verdict-title">
    <h1 id="verdict-title"><span aria-hidden="true">${sign}</span> <span>${title}</span></h1>
    <ul>
      <li>
        ${counted(changes.length, "change")} since the previous
        night${worse > 0 && `, ${counted(worse, "regression")}`}
      </li>
      <li>
        Night of ${instant(night?.startedAt ?? "")}, level ${night?.level ?? ""},
        ${night?.selection === "" ? "all cases" : `selection ${night?.selection ?? ""}`}
      </li>
      ${night?.state !== "finished" && html`<li>State of the night: ${night?.state ?? "unknown"}</li>`}
    </ul>
  </section>`;
}

function rackSection(gateways: readonly TrendGateway[], nights: readonly TrendNight[]): Html {
  return html`<section id="rack" aria-labelledby="rack-title">
    <h2 id="rack-title">Rack</h2>
    <table class="trend">
      <caption class="hidden-word">
        Every gateway with its nights
      </caption>
      ${columnHeads("Gateway", "Last night", "Nights, oldest first")}
      <tbody>
        ${gateways.map((gateway) => rackRow(gateway, nights))}
      </tbody>
    </table>
  </section>`;
}

function rackRow({ name, turns }: TrendGateway, nights: readonly TrendNight[]): Html {
  const outcome = turns.at(-1)?.outcome ?? "waiting";
  const conformant = turns.filter((turn) => turn?.outcome === "conformant").length;
  const label = `conformant in ${conformant} of ${counted(turns.filter((turn) => turn !== undefined).length, "night")}`;
  const cells = turns.map((turn, index) =>
    turn === undefined
      ? undefined
      : {
          kind: turn.outcome,
          isMarked: turn.outcome !== "conformant",
          title: `${instant(nights[index]?.startedAt ?? "").slice(0, 16)}: ${turnWords[turn.outcome].word}`,
        },
  );
  return html`<tr>
    <th scope="row"><a href="#${encodeURIComponent(gatewayAnchor(name))}">${name}</a></th>
    <td data-label="Last night">
      <span class="badge t-${outcome}"
        ><span aria-hidden="true">${turnWords[outcome].sign}</span> ${turnWords[outcome].word}</span
      >
    </td>
    <td data-label="Nights">
      ${nightStrip(cells, label)}
      <div class="soft">${label}</div>
    </td>
  </tr>`;
}

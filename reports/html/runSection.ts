// The run itself: gateway, profile, machine and rig.
import type { CampaignRecord, RigInventory } from "../../record/index.ts";
import { instant } from "../text/durations.ts";
import { tlsLines } from "../text/tlsText.ts";
import { troubleTitle } from "../text/trouble.ts";
import { counted } from "../text/visibleText.ts";
import { fact } from "./overviewSection.ts";
import { columnHeads } from "../markup/columnHeads.ts";
import { html, type Html } from "../markup/template.ts";

/** Place, time and equipment of the campaign. */
export function runSection(record: CampaignRecord): Html {
  const { gateway, profile, machine, suite, rig } = record;
  return html`<section id="run" aria-labelledby="run-title">
    <h2 id="run-title">Run</h2>
    ${
      record.notes.length > 0 &&
      html`<ul>
        ${record.notes.map((note) => html`<li>${note}</li>`)}
      </ul>`
    }
    <dl class="facts">
      ${fact("Gateway", `${gateway.name} ${gateway.version}, ${gateway.kind}`)}
      ${fact("Address", gateway.baseUrl)}
      ${tlsLines(gateway.tls).map((line, index) => fact(index === 0 ? "TLS certificate" : `TLS certificate ${index + 1}`, line))}
      ${fact("Profile", profile.name)} ${fact("Profile, SHA-256", profile.sha256)}
      ${fact("Suite", `rackproof ${suite.version}, ${suite.interface}`)} ${fact("Level", record.level)}
      ${fact("Seed", String(record.seed))} ${fact("Started", instant(record.startedAt))}
      ${fact("Ended", instant(record.endedAt))}
      ${fact("Complete", record.complete ? "yes" : `no: ${record.trouble === undefined ? "interrupted" : troubleTitle(record.trouble)}`)}
      ${fact("Machine", `${machine.cpu}, ${machine.cores} cores`)}
      ${fact("System", `${machine.os}, Node ${machine.node}`)}
    </dl>
    ${rig !== undefined && inventory(rig)}
    <p>
      Files: <a href="campaign.json">campaign.json</a> (every check and measurement),
      <a href="junit.xml">junit.xml</a> (results for a build server),
      <a href="console.log">console.log</a> (console of the gateway).
    </p>
  </section>`;
}

function inventory({ controls, devices, missing }: RigInventory): Html {
  const points = devices.reduce((sum, device) => sum + device.points, 0);
  return html`<h3>Rig</h3>
    <p>
      Controls: ${controls.length === 0 ? "none besides the interface" : controls.join(", ")}. Field devices:
      ${devices.length === 0 ? "none" : `${devices.length}, with ${counted(points, "point")}`}.
    </p>
    ${
      missing.length > 0 &&
      html`<ul>
        ${missing.map((one) => html`<li>Missing: ${one}</li>`)}
      </ul>`
    }
    ${
      devices.length > 0 &&
      html`<details class="fold">
        <summary>Field devices</summary>
        ${deviceTable(devices)}
      </details>`
    }`;
}

function deviceTable(devices: RigInventory["devices"]): Html {
  return html`<table class="figures">
    ${columnHeads("Name", "Kind", "Address", "Points", "Polled every")}
    <tbody>
      ${devices.map(
        ({ name, kind, simulated, address, points, pollIntervalsMs }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td data-label="Kind">${kind}, ${simulated ? "simulated" : "real"}</td>
            <td data-label="Address">${address}</td>
            <td data-label="Points">${points}</td>
            <td data-label="Polled every">
              ${pollIntervalsMs === undefined ? "–" : `${[...new Set(pollIntervalsMs)].join(" to ")} ms`}
            </td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}

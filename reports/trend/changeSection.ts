import type { Change } from "../../record/index.ts";
import { html, type Html } from "../markup/template.ts";
import { counted } from "../text/visibleText.ts";
import { changeWords, isWorse } from "./trendText.ts";

const fewSubjects = 3;
const better: ReadonlySet<Change["kind"]> = new Set<Change["kind"]>([
  "back",
  "fixed",
  "decided-again",
  "steady-again",
]);

/** Changes since the previous night, the worst first. */
export function changeSection(changes: readonly Change[], isFirstNight: boolean): Html {
  return html`<section id="changes" aria-labelledby="changes-title">
    <h2 id="changes-title">Changes since the previous night</h2>
    ${isFirstNight && html`<p>First night: no previous night to compare with.</p>`}
    ${
      changes.length === 0
        ? !isFirstNight && html`<p>No changes.</p>`
        : html`<ul class="changes">
            ${changes.map(changeItem)}
          </ul>`
    }
  </section>`;
}

function changeItem({ kind, gateway, subjects, text }: Change): Html {
  const tone = isWorse(kind) ? "worse" : better.has(kind) ? "better" : "other";
  return html`<li class="${tone}">
    <span class="badge">${changeWords[kind]}</span>
    <div>
      <p><a href="#${encodeURIComponent(gatewayAnchor(gateway))}">${gateway}</a> ${subjectList(subjects)}</p>
      <p class="soft">${text}</p>
    </div>
  </li>`;
}

function subjectList(subjects: readonly string[]): Html | undefined {
  if (subjects.length === 0) return undefined;
  const list = subjects.map((subject, index) => html`${index > 0 && ", "}<span class="id">${subject}</span>`);
  if (subjects.length <= fewSubjects) return html`${list}`;
  return html`<details>
    <summary>${counted(subjects.length, "case")}</summary>
    ${list}
  </details>`;
}

/** Anchor of a gateway on the page. */
export function gatewayAnchor(name: string): string {
  return `gateway:${name}`;
}

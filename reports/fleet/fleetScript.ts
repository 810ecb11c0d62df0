import { gridScript } from "./gridScript.ts";

/** The only script of the fleet's page. Texts of gateways enter it as text, never as markup. */
export const fleetScript = `
"use strict";
document.documentElement.classList.add("js");
const byId = (id) => document.getElementById(id);
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
const counted = (count, noun) => count + " " + noun + (count === 1 ? "" : "s");

// Codes of results: their sign, their word, and their order from worst to best.
const kinds = ["none", "pass", "flaky", "fail", "error", "inconclusive", "not-applicable", "not-concluded", "quarantined"];
const signs = ["", "·", "~", "✕", "!", "?", "–", "…", "Q"];
const words = ["not tested", "passed", "flaky", "failed", "in error", "inconclusive", "not applicable", "not completed", "quarantined"];
const turnWords = ["not run", "conformant", "flaky", "not conformant", "quarantined", "inconclusive", "not applicable", "incomplete", "quarantined"];
const codeCount = kinds.length, worstFirst = [3, 4, 5, 7, 8, 2, 1, 6];
const turnCodes = { c: 1, x: 3, i: 5, o: 7, s: 4, w: 0, "-": 0 };
const isBad = (code) => (code >= 2 && code <= 5) || code === 8;

let data, cells, R, N;
async function readPage(from) {
  const text = from.getElementById("fleet-cells").textContent.trim();
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  cells = new Uint8Array(await new Response(stream).arrayBuffer());
  data = JSON.parse(from.getElementById("fleet-data").textContent);
  R = data.requirements.length; N = data.nights.length;
}
/** Requirement -1 is the gateway's outcome of the night. */
const codeAt = (unit, night, requirement) => requirement < 0 ? turnCodes[data.units[unit].turns[night]] : cells[(unit * N + night) * R + requirement];
${gridScript}
const form = document.querySelector("#matrix form");
function options(name, values) {
  const select = form.elements[name], chosen = select.value;
  select.replaceChildren(select.options[0], ...[...new Set(values)].sort().map((value) => element("option", { value }, value)));
  select.value = chosen;
  if (select.selectedIndex < 0) select.selectedIndex = 0;
}
function begin() {
  options("lab", data.units.map((unit) => unit.lab));
  options("type", data.units.map((unit) => unit.type));
  options("firmware", data.firmware);
  choose(Object.fromEntries(new FormData(form)));
}
form.addEventListener("input", () => { mostRows = rowsAtOnce; expanded.clear(); byId("detail").hidden = true; choose(Object.fromEntries(new FormData(form))); });
form.addEventListener("submit", (event) => event.preventDefault());
byId("more-rows").addEventListener("click", () => { mostRows += rowsAtOnce; draw(); });

const main = byId("main");
function tellAge() {
  const hours = (Date.now() - Date.parse(data.madeAt)) / 3600000;
  if (main.dataset.live || hours < data.staleAfterHours || byId("old-page")) return;
  main.prepend(element("p", { id: "old-page" }, "This page is " + Math.floor(hours) + " h old."));
}
let reading = Promise.resolve();
async function follow() {
  const answer = await fetch(location.pathname, { cache: "no-store" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  await readPage(page);
  document.title = page.title;
  for (const part of document.querySelectorAll(".part-of-page")) {
    // A redraw must not take the focus or a selection from under a reader.
    if (part.contains(document.activeElement) || !getSelection().isCollapsed) continue;
    const open = new Set([...part.querySelectorAll("details[open] > summary")].map((one) => one.textContent));
    part.replaceChildren(...page.getElementById(part.id).childNodes);
    for (const summary of part.querySelectorAll("details > summary")) if (open.has(summary.textContent)) summary.parentElement.open = true;
  }
  byId("announcer").textContent = page.title;
  begin();
}
reading = readPage(document).then(() => { begin(); tellAge(); performance.mark("drawn"); });
if (main.dataset.live) {
  const source = new EventSource("events");
  const link = (text) => { byId("link").textContent = text; };
  source.addEventListener("changed", () => { link("Follows the database."); reading = reading.then(follow).catch(() => undefined); });
  source.addEventListener("tails", ({ data }) => {
    const tails = JSON.parse(data);
    if (byId("tails").contains(document.activeElement)) return;
    byId("running").hidden = tails.length === 0;
    byId("tails").replaceChildren(...tails.map(({ gateway, lines }) =>
      element("li", {}, element("span", { class: "id" }, gateway), element("pre", { tabindex: "0", role: "group", "aria-label": "Last lines of " + gateway }, lines.join("\\n")))));
  });
  source.addEventListener("away", () => link("The database does not answer; the page shows its last state."));
  source.addEventListener("error", () => link("Connection lost; the page shows the last state received."));
  source.addEventListener("open", () => link("Follows the database."));
}
`;

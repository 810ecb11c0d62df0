/** The only script of the live view. Text from a gateway enters the page as text, never as markup. */
export const liveScript = `
"use strict";
const words = { "pass": "✓ passed", "fail": "✕ failed", "error": "! error", "inconclusive": "? inconclusive", "not-applicable": "– not applicable" };
const states = { waiting: "… waiting", held: "… reserved by another user", checking: "▸ checking the rig", running: "▸ running", "set-aside": "! quarantined", done: "■ finished" };
const byId = (id) => document.getElementById(id);
const charts = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...children) {
  const made = name === "svg" || name === "path" ? document.createElementNS(charts, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
const badge = (text, kind) => element("span", { class: "badge " + kind }, text);
const seconds = (ms) => ms < 60000 ? Math.round(ms / 1000) + " s" : Math.floor(ms / 60000) + " min " + Math.round(ms % 60000 / 1000) + " s";
const figure = (value) => value >= 100 ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(3)).toString();

const now = () => Date.now();

function line(values, from, to, top) {
  let path = "", pen = "M";
  for (const [at, value] of values) {
    const x = (at - from) / Math.max(1, to - from) * 300, y = 60 - value / top * 56;
    path += pen + x.toFixed(1) + " " + y.toFixed(1); pen = "L";
  }
  return path;
}
function chart(title, readings, series, unit) {
  const values = series.map(({ pick }) => readings.flatMap((one) => { const value = pick(one); return value === undefined ? [] : [[one.at, value]]; }));
  const all = values.flat().map(([, value]) => value);
  const last = values.map((one) => one.at(-1)?.[1]);
  if (last[0] === undefined) return element("p", { class: "soft" }, title + ": no values yet");
  const text = title + ": " + series.map(({ name }, index) => name + " " + figure(last[index]) + " " + unit).join(", ");
  const from = readings[0].at, to = readings.at(-1).at, top = Math.max(...all, 1e-9);
  const svg = element("svg", { class: "chart", viewBox: "0 0 300 62", preserveAspectRatio: "none", role: "img", "aria-label": text });
  values.forEach((one, index) => svg.append(element("path", { d: line(one, from, to, top), class: series[index].name })));
  return element("figure", { class: "exchange" }, svg, element("figcaption", {}, text + "; maximum of the chart " + figure(top) + " " + unit));
}

function counts(run) {
  return element("ul", { class: "counts" }, ...Object.keys(words).filter((verdict) => run.counts[verdict])
    .map((verdict) => element("li", { class: "v-" + verdict }, element("b", {}, String(run.counts[verdict])), " " + words[verdict])));
}
function list(items, placeholder) {
  return items.length === 0 ? element("p", { class: "soft" }, placeholder) : element("ul", {}, ...items);
}
function pane(title, ...content) { return element("div", {}, element("h3", {}, title), ...content); }

function drawRun(run) {
  const until = run.ended === undefined ? now() : run.lastAt;
  const bar = element("progress", { max: Math.max(1, run.planned), value: run.done, "aria-label": "Finished cases of " + run.gateway });
  const tail = element("pre", { class: "tail", tabindex: "0", "aria-label": "Last lines of the console" }, run.console.join("\\n") || "no output yet");
  const section = element("section", { class: "run", "aria-label": run.gateway },
    element("h2", {}, run.gateway + " "),
    element("p", { class: "soft" }, [run.address, "level " + run.level, run.selection || "all cases", seconds(until - run.startedAt)].filter(Boolean).join(" · ")),
    bar, element("p", {}, run.done + " of " + run.planned + " cases finished" + (run.ended !== undefined ? ": " + run.ended : until - run.lastAt > 60000 ? "; no update for " + seconds(until - run.lastAt) : "")), counts(run),
    element("div", { class: "panes" },
      pane("Now", list(run.running.map((one) => element("li", {}, element("span", { class: "id" }, one.case), " " + seconds(Math.max(0, now() - one.since)))), run.ended === undefined ? "between two cases" : "finished")),
      pane("Not passed", list(run.open.map((one) => element("li", {}, badge(words[one.verdict], "v-" + one.verdict), " ", element("span", { class: "id" }, one.case), element("div", { class: "soft" }, one.reason))), "none so far")),
      pane("Latest", list(run.latest.map((one) => element("li", {}, badge(words[one.verdict], "v-" + one.verdict), " ", element("span", { class: "id" }, one.case), " " + Math.round(one.durationMs) + " ms")), "none yet")),
      pane("Streams",
        chart("Rate", run.streams, [{ name: "rate", pick: (one) => one.valuesPerSec }], "values/s"),
        chart("Latency", run.streams, [{ name: "median", pick: (one) => one.latencyMs?.median }, { name: "highest", pick: (one) => one.latencyMs?.highest }], "ms")),
      pane("Console", tail)));
  requestAnimationFrame(() => { tail.scrollTop = tail.scrollHeight; });
  return section;
}

function drawTurn(turn) {
  const attempt = turn.attempt > 1 ? " attempt " + turn.attempt : "";
  return element("li", {}, turn.gateway + " ", badge(states[turn.state] + attempt, "s-" + turn.state), turn.note === undefined ? "" : element("span", { class: "soft" }, " " + turn.note));
}

let state;
function draw() {
  if (state === undefined) return;
  // A redraw must not remove a selection or the focus.
  if (!getSelection().isCollapsed || byId("runs").contains(document.activeElement)) return;
  const isNight = state.turns.length > 0;
  const over = state.turns.filter((one) => one.state === "done" || one.state === "set-aside").length;
  const title = isNight ? over + " of " + state.turns.length + " gateways finished" : state.runs[0] === undefined ? "Waiting for the first state" : state.runs[0].gateway + ": " + state.runs[0].done + " of " + state.runs[0].planned + " cases";
  const text = state.ended === undefined ? title : title + " (ended: " + state.ended + ")";
  document.title = text; byId("title").textContent = text; byId("folder").textContent = state.folder;
  byId("queue").hidden = !isNight;
  byId("turns").replaceChildren(...state.turns.map(drawTurn));
  byId("runs").replaceChildren(...state.runs.map(drawRun));
}

// Announced at most every 15 s, not at every case.
let announced = 0;
function announce() {
  if (state === undefined || Date.now() - announced < 15000) return;
  announced = Date.now();
  const failed = state.runs.reduce((sum, run) => sum + (run.counts.fail ?? 0), 0);
  byId("announcer").textContent = document.title + (failed > 0 ? ", " + failed + " failed" : "");
}

const source = new EventSource("events");
source.addEventListener("state", (event) => {
  state = JSON.parse(event.data);
  byId("link").textContent = "";
  draw(); announce();
});
source.addEventListener("error", () => { byId("link").textContent = "· connection lost; the page shows the last state received"; });
setInterval(draw, 1000);
`;

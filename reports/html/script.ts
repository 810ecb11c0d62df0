/** The only script of the page: copying, filtering, opening link targets. The page is readable without it. */
export const script = `
"use strict";
document.documentElement.classList.add("js");
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

async function copyText(text) {
  try { await navigator.clipboard.writeText(text); return true; } catch {
    const area = document.createElement("textarea");
    area.value = text; document.body.append(area); area.select();
    const done = document.execCommand("copy"); area.remove(); return done;
  }
}
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.copy");
  if (button === null) return;
  const text = button.dataset.copies === "summary"
    ? JSON.parse(document.getElementById("summary-text").textContent)
    : button.parentElement.querySelector("code").textContent;
  const word = button.dataset.word ??= button.textContent;
  const done = await copyText(text);
  button.focus();
  button.textContent = done ? button.dataset.copied : "Could not copy";
  document.getElementById("announcer").textContent = button.textContent;
  setTimeout(() => { button.textContent = word; }, 2000);
});

const appliers = new Map();
for (const form of all("form.filters")) {
  const section = form.closest("section");
  const items = all("[data-verdict]", section).map((element) => ({ element, text: undefined }));
  // Read at the first search, not while the page loads.
  const textOf = (item) => item.text ??= item.element.textContent.toLowerCase();
  const counter = form.querySelector("output");
  const apply = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.text.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
      const { element } = item;
      const { verdict, level, group } = element.dataset;
      const fits = words.every((word) => textOf(item).includes(word))
        && (!wanted.verdict || (wanted.verdict === "open" ? /^(fail|error|inconclusive)$/.test(verdict) : verdict === wanted.verdict))
        && (!wanted.level || level === wanted.level) && (!wanted.group || group === wanted.group);
      element.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const body of all("tbody", section)) body.hidden = all("[data-verdict]", body).length > 0 && all("[data-verdict]:not([hidden])", body).length === 0;
    counter.textContent = shown + " of " + items.length + " shown";
  };
  const byHand = () => {
    apply();
    const wanted = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
    const address = "#" + section.id + (wanted.size === 0 ? "" : "?" + wanted);
    try { history.replaceState(null, "", address); } catch { location.hash = address; }
  };
  form.addEventListener("input", byHand);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(byHand));
  appliers.set(section.id, (query) => {
    for (const name of ["text", "verdict", "level", "group"]) if (form.elements[name]) form.elements[name].value = query.get(name) ?? "";
    apply();
  });
  counter.textContent = items.length + " of " + items.length + " shown";
}

// The part after # is an anchor; after a question mark follows the filter of a section.
function openTarget() {
  const [place, query] = location.hash.slice(1).split("?");
  let id = "";
  try { id = decodeURIComponent(place); } catch { return; }
  const target = id === "" ? null : document.getElementById(id);
  if (target === null) return;
  if (query !== undefined) appliers.get(id)?.(new URLSearchParams(query));
  if (target.closest("[hidden]")) appliers.get(target.closest("section").id)?.(new URLSearchParams());
  for (let element = target; element !== null; element = element.parentElement) {
    if (element.tagName === "DETAILS") element.open = true;
  }
  setTimeout(() => target.scrollIntoView());
}
addEventListener("hashchange", openTarget);
openTarget();

let opened = [];
addEventListener("beforeprint", () => {
  opened = all("#failures details:not([open]), #inconclusive details:not([open])");
  for (const element of opened) element.open = true;
});
addEventListener("afterprint", () => { for (const element of opened) element.open = false; });
`;

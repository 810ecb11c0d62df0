/** The table of requirements by night: folding, keyboard, and the gateways of a cell. */
export const gridScript = `
const rowsAtOnce = 50, groupsAtOnce = 40, unitsAtOnce = 60;
let mostRows = rowsAtOnce, wish = {}, chosen = [], rows = [], at = { row: 0, column: 0 };
const expanded = new Set();

/** The gateways, and with a firmware the nights in which they had it. */
function fits(unit, night, firmware) { return firmware === "" || data.firmware[data.units[unit].firmware[night]] === firmware; }
function countsOf(members, requirement, firmware) {
  const counts = new Uint16Array(N * codeCount);
  for (const unit of members) for (let night = 0; night < N; night++) if (fits(unit, night, firmware)) counts[night * codeCount + codeAt(unit, night, requirement)]++;
  return counts;
}
/** For all requirements in one pass over the cells. */
function countAll(members, firmware) {
  const counts = new Uint16Array(R * N * codeCount);
  for (const unit of members) for (let night = 0; night < N; night++) {
    if (!fits(unit, night, firmware)) continue;
    let place = (unit * N + night) * R;
    for (let requirement = 0; requirement < R; requirement++) counts[(requirement * N + night) * codeCount + cells[place++]]++;
  }
  return counts;
}
/** How many fail now, of these newly, and how many nights had a bad result. */
function standing(members, requirement, counts, begin, firmware) {
  const found = { fail: 0, fresh: 0, open: 0, flaky: 0, quarantined: 0, nights: 0, tested: false };
  for (let night = 0; night < N; night++) {
    const place = begin + night * codeCount;
    for (let code = 1; code < codeCount; code++) if (counts[place + code] > 0) found.tested = true;
    if (counts[place + 2] + counts[place + 3] + counts[place + 4] + counts[place + 5] + counts[place + 8] > 0) found.nights++;
  }
  if (found.nights === 0) return found;
  for (const unit of members) {
    const last = requirement < 0 ? lastTurn(unit) : data.units[unit].last;
    if (last < 0 || !fits(unit, last, firmware)) continue;
    const code = codeAt(unit, last, requirement);
    if (code === 2) found.flaky++;
    if (code === 8) found.quarantined++;
    if (code === 4 || code === 5) found.open++;
    if (code !== 3) continue;
    found.fail++;
    let before = last - 1;
    while (before >= 0 && [0, 6, 7].includes(codeAt(unit, before, requirement))) before--;
    if (before >= 0 ? codeAt(unit, before, requirement) !== 3 : data.units[unit].turns.slice(0, last).match(/[cxi]/)) found.fresh++;
  }
  return found;
}
function lastTurn(unit) {
  for (let night = N - 1; night >= 0; night--) if (turnCodes[data.units[unit].turns[night]] !== 0) return night;
  return -1;
}
const byStanding = (a, b) => b.now.fresh - a.now.fresh || b.now.fail - a.now.fail || b.now.open - a.now.open || b.now.quarantined - a.now.quarantined || b.now.flaky - a.now.flaky || b.now.nights - a.now.nights;

let requirementRows = [];
function choose(next) {
  wish = next;
  const search = wish.text.toLowerCase().split(/\\s+/).filter(Boolean);
  const textOf = (unit) => (unit.name + " " + unit.labels).toLowerCase();
  const inScope = data.units.map((unit, index) => index).filter((index) => {
    const unit = data.units[index];
    return (!wish.lab || unit.lab === wish.lab) && (!wish.type || unit.type === wish.type);
  });
  // Words that name gateways choose gateways, the others requirements.
  const ofUnits = search.filter((word) => inScope.some((index) => textOf(data.units[index]).includes(word)));
  const ofRequirements = search.filter((word) => !ofUnits.includes(word));
  chosen = inScope.filter((index) => ofUnits.every((word) => textOf(data.units[index]).includes(word)));
  const counts = countAll(chosen, wish.firmware);
  requirementRows = data.requirements.map(([id, statement], requirement) => {
    const begin = requirement * N * codeCount;
    return { key: id, id, statement, requirement, level: 1, members: chosen, firmware: wish.firmware, counts: counts.subarray(begin, begin + N * codeCount), now: standing(chosen, requirement, counts, begin, wish.firmware) };
  }).filter((row) => row.now.tested && ofRequirements.every((word) => (row.id + " " + row.statement).toLowerCase().includes(word))
    && (wish.rows === "all" || (wish.rows === "now" ? row.now.fail + row.now.open + row.now.quarantined + row.now.flaky > 0 : row.now.nights > 0)))
    .sort((a, b) => byStanding(a, b) || (a.id < b.id ? -1 : 1));
  const own = countsOf(chosen, -1, wish.firmware);
  requirementRows.unshift({ key: "gateways", id: "All gateways", statement: counted(chosen.length, "gateway"), requirement: -1, level: 1, members: chosen, firmware: wish.firmware, counts: own, now: standing(chosen, -1, own, 0, wish.firmware) });
  form.querySelector("output").textContent = counted(requirementRows.length - 1, "requirement") + ", " + counted(chosen.length, "gateway");
  draw();
}

/** The rows below a row: the groups of the fold, then the gateways of a group. */
function below(row) {
  const fold = row.level === 1 ? wish.fold : "name";
  const groups = new Map();
  for (const unit of row.members) {
    const names = fold === "firmware" ? new Set(data.units[unit].firmware.filter((index) => index >= 0).map((index) => data.firmware[index])) : [data.units[unit][fold]];
    for (const name of names) groups.set(name, [...(groups.get(name) ?? []), unit]);
  }
  const made = [...groups].map(([name, members]) => {
    const firmware = fold === "firmware" ? name : row.firmware;
    const counts = countsOf(members, row.requirement, firmware);
    return { key: row.key + "\\n" + name, id: fold === "firmware" ? "Firmware " + name : name, statement: fold === "name" ? about(data.units[members[0]]) : counted(members.length, "gateway"), requirement: row.requirement, level: row.level + 1, members, firmware, counts, isUnit: fold === "name", now: standing(members, row.requirement, counts, 0, firmware) };
  }).filter((one) => one.now.tested).sort((a, b) => byStanding(a, b) || (a.id < b.id ? -1 : 1));
  const bad = made.filter((one) => one.now.nights > 0), most = fold === "name" ? unitsAtOnce : groupsAtOnce;
  const shown = (bad.length > 0 ? bad : made).slice(0, most), hidden = made.length - shown.length;
  return hidden === 0 ? shown : [...shown, { key: row.key + "\\nrest", id: hidden + " more", statement: bad.length > shown.length ? "choose a lab or type to see them" : "passed in every night", level: row.level + 1, isRest: true }];
}
const about = (unit) => [unit.type, unit.lab, unit.labels].filter(Boolean).join(" · ");
const flat = (row) => [row, ...(expanded.has(row.key) ? below(row).flatMap(flat) : [])];

function cellOf(row, night) {
  const words_ = row.requirement < 0 ? turnWords : words;
  let total = 0, worst = 0;
  for (let code = 1; code < codeCount; code++) total += row.counts[night * codeCount + code];
  worst = worstFirst.find((code) => row.counts[night * codeCount + code] > 0) ?? 0;
  const count = row.counts[night * codeCount + worst];
  const cell = element("td", { role: "gridcell", tabindex: "-1", class: worst === 0 ? "none" : "k-" + kinds[worst] }, worst === 0 ? "" : (worst === 1 || worst === 6 || row.isUnit) ? signs[worst] : String(count));
  cell.ariaLabel = data.nights[night].title + ": " + (worst === 0 ? words_[0] : (row.isUnit ? "" : count + " of " + total + " ") + words_[worst]);
  return cell;
}
function badges({ now, isUnit }) {
  const count = (many) => isUnit ? "" : many + " ";
  return [now.fail > 0 && ["o-fail", "✕ " + count(now.fail) + "now"], now.fresh > 0 && ["new", count(now.fresh) + "new"], now.open > 0 && ["o-inconclusive", "? " + count(now.open) + "open"], now.quarantined > 0 && ["o-quarantined", "Q " + count(now.quarantined) + "quarantined"], now.flaky > 0 && ["o-flaky", "~ " + count(now.flaky) + "flaky"]]
    .filter(Boolean).flatMap(([kind, text]) => [" ", element("span", { class: "badge " + kind }, text)]);
}
function rowOf(row) {
  const head = element("th", { scope: "row", role: "rowheader", tabindex: "-1" },
    element("span", { class: "line" }, element("span", { class: "id" }, row.id), ...(row.isRest ? [] : badges(row))), element("span", { class: "line soft" }, row.statement));
  const made = element("tr", { role: "row", "aria-level": String(row.level) }, head);
  if (!row.isRest && !row.isUnit) made.setAttribute("aria-expanded", String(expanded.has(row.key)));
  for (let night = N - 1; night >= 0; night--) made.append(row.isRest ? element("td", { role: "gridcell", class: "none", tabindex: "-1" }) : cellOf(row, night));
  return made;
}
let body;
function draw() {
  const place = byId("grid-place"), hadFocus = place.contains(document.activeElement);
  const [top, left] = [place.scrollTop, place.scrollLeft];
  rows = requirementRows.slice(0, mostRows).flatMap(flat);
  body = element("tbody", {}, ...rows.map(rowOf));
  const heads = Array.from({ length: N }, (_, index) => { const night = data.nights[N - 1 - index]; return element("th", { scope: "col", role: "columnheader", title: night.title }, element("span", {}, night.day)); });
  place.replaceChildren(element("table", { class: "by-night", role: "treegrid", "aria-labelledby": "matrix-title", "aria-describedby": "matrix-help" },
    element("thead", {}, element("tr", { role: "row" }, element("th", { scope: "col", role: "columnheader" }, "Requirement"), ...heads)), body));
  byId("more-rows").hidden = requirementRows.length <= mostRows;
  place.scrollTop = top; place.scrollLeft = left;
  move(at.row, at.column, hadFocus);
}
/** Exactly one cell is in the order of the Tab key. */
function move(row, column, hasFocus = true) {
  body.rows[at.row]?.cells[at.column]?.setAttribute("tabindex", "-1");
  at = { row: Math.max(0, Math.min(row, rows.length - 1)), column: Math.max(0, Math.min(column, N)) };
  const cell = body.rows[at.row]?.cells[at.column];
  cell?.setAttribute("tabindex", "0");
  if (hasFocus) { cell?.focus(); cell?.scrollIntoView({ block: "nearest", inline: "nearest" }); }
}
function fold(row, isOpen) {
  if (row.isRest || row.isUnit || expanded.has(row.key) === isOpen) return false;
  if (isOpen) expanded.add(row.key); else expanded.delete(row.key);
  draw();
  return true;
}
function act() {
  const row = rows[at.row];
  if (row === undefined || row.isRest) return;
  if (at.column > 0) detail(row, N - at.column); else fold(row, !expanded.has(row.key));
}
/** The gateways of a cell, the worst first. */
function detail(row, night) {
  const place = byId("detail"), found = new Map();
  for (const unit of row.members) {
    const code = fits(unit, night, row.firmware) ? codeAt(unit, night, row.requirement) : 0;
    if (code !== 0) found.set(code, [...(found.get(code) ?? []), unit]);
  }
  const words_ = row.requirement < 0 ? turnWords : words;
  const lines = worstFirst.filter((code) => found.has(code)).flatMap((code) => {
    const units = found.get(code);
    // Those that passed are counted, unless they are few.
    const isListed = isBad(code) || code === 7 || units.length <= 5;
    return [element("p", {}, signs[code] + " " + counted(units.length, "gateway") + " " + words_[code]), ...(isListed ? [element("ul", {}, ...units.slice(0, unitsAtOnce).map((unit) => unitLine(unit, night, row.requirement)), ...(units.length > unitsAtOnce ? [element("li", {}, counted(units.length - unitsAtOnce, "more gateway"))] : []))] : [])];
  });
  const close = element("button", { type: "button" }, "Close");
  close.addEventListener("click", () => { place.hidden = true; move(at.row, at.column); });
  place.replaceChildren(close, element("h3", {}, (row.requirement < 0 ? "Gateways" : data.requirements[row.requirement][0]) + ", night of " + data.nights[night].title), ...(row.requirement < 0 ? [] : [element("p", { class: "soft" }, data.requirements[row.requirement][1])]), ...(lines.length === 0 ? [element("p", {}, "Not tested in this night.")] : lines));
  place.hidden = false;
}
function unitLine(unit, night, requirement) {
  const one = data.units[unit], firmware = data.firmware[one.firmware[night]];
  const line = element("li", {}, element("span", { class: "id" }, one.name), " " + about(one) + (firmware === undefined ? "" : " · firmware " + firmware));
  const isLast = one.last === night;
  const text = requirement < 0 ? one.asides.find(([index]) => index === night)?.[1] : isLast ? one.reasons.find(([index]) => index === requirement)?.[1] : undefined;
  if (text !== undefined) line.append(element("div", { class: "soft" }, data.texts[text]));
  if (isLast && one.evidence !== undefined && isBad(codeAt(unit, night, requirement))) line.append(element("div", { class: "soft id" }, one.evidence));
  return line;
}
const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: [-15, 0], PageDown: [15, 0] };
byId("grid-place").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || body === undefined) return;
  const row = rows[at.row];
  if (event.key in moves) move(at.row + moves[event.key][0], at.column);
  else if (event.key === "ArrowRight") { if (at.column > 0 || !fold(row, true)) move(at.row, at.column + 1); }
  else if (event.key === "ArrowLeft") { if (at.column > 0 || !fold(row, false)) move(at.row, at.column - 1); }
  else if (event.key === "Home") move(at.row, 0);
  else if (event.key === "End") move(at.row, N);
  else if (event.key === "Escape") byId("detail").hidden = true;
  else if (event.key === "Enter" || event.key === " ") act();
  else return;
  event.preventDefault();
});
byId("grid-place").addEventListener("click", (event) => {
  const cell = event.target.closest("tbody th, tbody td");
  if (cell === null) return;
  move(cell.parentElement.sectionRowIndex, cell.cellIndex);
  act();
});
`;

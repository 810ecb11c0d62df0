/** The page's only style sheet. Every verdict has a word besides its colour. */
export const style = `
:root { color-scheme: light dark;
  --page: #fff; --panel: #f5f6f8; --line: #d5d9e0; --text: #1a1f27; --soft: #56606e; --link: #0b57b0;
  --fail: #b3261e; --fail-soft: #fdeceb; --pass: #1b6e37; --pass-soft: #e8f5ec; --open: #805300; --open-soft: #fdf3dd;
  --error: #6d35a8; --error-soft: #f3ecfb; --rest: #56606e; --rest-soft: #eceef2; --band: #cfe8d7;
  --share-fail: var(--fail); --share-error: var(--error); --share-inconclusive: var(--open); --share-advice: var(--link); --share-pass: #5f9d75; --share-not-applicable: #b6bcc6; --share-not-covered: #d5d9e0; }
@media (prefers-color-scheme: dark) { :root {
  --page: #14171c; --panel: #1d2128; --line: #383f4a; --text: #e7eaef; --soft: #a3adba; --link: #86b8ff;
  --fail: #ff9d94; --fail-soft: #3a1c1b; --pass: #7fd69b; --pass-soft: #17301f; --open: #f0c267; --open-soft: #36290f;
  --error: #cda8f7; --error-soft: #2c2039; --rest: #a3adba; --rest-soft: #2a2f38; --band: #24492f; --share-pass: #4d8a63; --share-not-applicable: #5b636f; --share-not-covered: #434a55; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 3.5rem; }
body { margin: 0; overflow-wrap: anywhere; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main, .top { max-width: 75rem; margin: 0 auto; padding: 0 1.25rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
tr:target, tbody:target .group, .case:target > summary, .failure:target > header { background: var(--open-soft); }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
h2 { font-size: 1.35rem; margin: 3rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; } h4 { font-size: 1rem; margin: 1rem 0 .4rem; }
.part { font-size: .8rem; font-weight: 600; color: var(--soft); margin: 0 0 .25rem; }
p { margin: .35rem 0; }
code, pre, .id { font-family: ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace; font-size: .85rem; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.soft, .place, .again, .none { color: var(--soft); font-size: .875rem; }
.matrix .place, .matrix td > .soft { display: block; }
:is(.statement, .broken, h4, .title) code { font-size: .92em; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: .5rem; background: var(--page); padding: .5rem; z-index: 3; }
.hidden-word { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
nav { position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 auto; padding: .6rem 1.25rem; max-width: 75rem; list-style: none; font-size: .925rem; }
nav li:first-child { font-weight: 600; margin-right: auto; }
.verdict { margin: 1.5rem 0; padding: 1.5rem 1.75rem; border-left: .6rem solid var(--tone); background: var(--tone-soft); }
.verdict h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); color: var(--tone); display: flex; gap: .75rem; }
.verdict ul { margin: .75rem 0 0; padding-left: 1.2rem; }
.verdict.conformant { --tone: var(--pass); --tone-soft: var(--pass-soft); }
.verdict.non-conformant { --tone: var(--fail); --tone-soft: var(--fail-soft); }
.verdict.inconclusive { --tone: var(--open); --tone-soft: var(--open-soft); }
.facts { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; margin: 1rem 0; }
.facts dt { color: var(--soft); font-size: .8rem; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.overview { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; }
@media (min-width: 60rem) { .overview { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 3rem; } }
.tally { margin: 0 0 1.1rem; } .tally h3 { font-size: .95rem; display: flex; justify-content: space-between; gap: 1rem; } .tally h3 > :last-child { flex: none; }
.counts { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .2rem 0; padding: 0; font-size: .9rem; }
.counts .sign, .counts b { color: var(--tone); }
.share { display: block; width: 100%; height: .6rem; margin: .25rem 0; background: var(--rest-soft); }
.v-fail { --tone: var(--fail); --tone-soft: var(--fail-soft); } .v-error { --tone: var(--error); --tone-soft: var(--error-soft); }
.v-inconclusive { --tone: var(--open); --tone-soft: var(--open-soft); } .v-pass { --tone: var(--pass); --tone-soft: var(--pass-soft); }
.v-advice { --tone: var(--link); --tone-soft: var(--rest-soft); }
.v-not-applicable, .v-not-covered { --tone: var(--rest); --tone-soft: var(--rest-soft); }
.badge { display: inline-block; white-space: nowrap; padding: .05rem .5rem; border-radius: .25rem; font: 600 .8rem/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--tone); background: var(--tone-soft); }
.level { font-size: .8rem; color: var(--soft); border: 1px solid var(--line); border-radius: .25rem; padding: 0 .4rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { color: var(--soft); font-size: .8rem; font-weight: 600; } tbody th { font-weight: 400; }
.groups { align-self: start; } .groups caption { padding-top: 0; } .groups :is(th, td) { padding-block: .2rem; vertical-align: middle; } .groups .counts { margin: 0; }
.groups td:nth-child(2) { width: 32%; } .groups td:last-child { white-space: nowrap; padding-right: 0; }
.broken { margin: 1rem 0 0; padding-left: 1.4rem; max-width: 60rem; } .broken .more { list-style: none; }
.failure { border: 1px solid var(--line); border-left: .3rem solid var(--tone); border-radius: .3rem; padding: 1rem 1.25rem; margin: 0 0 1.5rem; }
.failure > header h3 { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .7rem; }
.failure h3 .id { font-size: 1rem; } .statement { font-size: 1.1rem; margin: .5rem 0 .1rem; text-wrap: pretty; }
.dispute { display: block; color: var(--open); font-size: .875rem; }
.finding { margin-top: 1rem; } .finding > h4 { margin-top: 0; }
.versus, .sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .75rem; margin: .5rem 0; }
.versus > div, .side { background: var(--panel); border-radius: .25rem; padding: .6rem .8rem; }
.versus .observed { background: var(--tone-soft); }
.chart.small { margin: .75rem 0; } .chart.small > figcaption { font-size: .875rem; }
.timeline { margin: .75rem 0; } .chart { margin: 0 0 2rem; } .chart > figcaption { font-size: 1rem; font-weight: 600; color: var(--text); } .chart > h3 { margin: 1rem 0 .25rem; }
.picture svg { display: block; width: 100%; height: auto; font: 12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow: visible; } .plot-narrow { max-width: 26rem; } .picture .plot-narrow { display: none; }
.inline { display: block; max-width: 100%; }
del, ins { font-weight: 700; text-decoration: underline 2px; text-underline-offset: 3px; } del { color: var(--pass); } ins { color: var(--fail); }
.steps { padding-left: 2.4rem; } .steps > li::marker { color: var(--soft); font-size: .85rem; } .steps ul { list-style: none; padding: 0; margin: 0 0 .4rem; font-size: .9rem; }
.exchange { margin: .75rem 0; } figcaption { font-size: .875rem; color: var(--soft); }
.wire .header { color: var(--soft); } .body { margin-top: .5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
.command { display: grid; grid-template-columns: 6rem minmax(0, 1fr) auto; gap: .25rem .75rem; align-items: start; margin: .4rem 0; }
.command .label { color: var(--soft); font-size: .875rem; } .command code { overflow-wrap: anywhere; padding-top: .1rem; white-space: pre-wrap; }
button { font: inherit; font-size: .825rem; padding: .15rem .7rem; border: 1px solid var(--line); border-radius: .25rem; background: var(--panel); color: var(--text); cursor: pointer; }
button:hover { border-color: var(--link); }
html:not(.js) button, html:not(.js) .filters { display: none; }
details > summary { cursor: pointer; padding: .25rem 0; } .fold > summary, .long > summary { font-size: .9rem; color: var(--link); }
.filters { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1rem 0; }
.filters label { display: grid; font-size: .8rem; color: var(--soft); gap: .15rem; } .filters label:first-child { flex: 1 1 12rem; }
input, select { font: inherit; font-size: .925rem; padding: .3rem .5rem; border: 1px solid var(--line); border-radius: .25rem; background: var(--page); color: var(--text); width: 100%; }
select { max-width: 13rem; } output { font-size: .9rem; color: var(--soft); padding-bottom: .3rem; }
.matrix .group th { padding-top: 1.5rem; font-size: 1rem; font-weight: 600; } .matrix .group .counts { font-weight: 400; }
.matrix { table-layout: fixed; } .matrix th:nth-child(1) { width: 10.5rem; } .matrix th:nth-child(2) { width: 42%; } .matrix th:nth-child(3) { width: 5.5rem; } .matrix th:nth-child(4) { width: 10rem; } .matrix .id { white-space: nowrap; } .matrix .cases { font-size: .85rem; }
.case { border-bottom: 1px solid var(--line); } .case > summary { display: flex; flex-wrap: wrap; gap: .2rem .75rem; align-items: baseline; padding: .45rem 0; }
.case > summary::before { content: "▸"; color: var(--soft); } .case[open] > summary::before { content: "▾"; }
.case > summary .title { flex: 1 1 22rem; } .case > summary .id { flex: 0 1 auto; overflow-wrap: anywhere; } .case > summary .badge { min-width: 7.2rem; }
.case > div { padding: .25rem 0 1.5rem 1.25rem; }
.checks .id { white-space: nowrap; } .checks td:nth-child(3), .checks td:nth-child(4) { width: 26%; font-family: ui-monospace, Consolas, "DejaVu Sans Mono", monospace; font-size: .8rem; }
.r-outside { color: var(--fail); font-weight: 600; } .r-overlaps-a-limit { color: var(--open); font-weight: 600; } .figures td { font-variant-numeric: tabular-nums; }
footer { color: var(--soft); font-size: .85rem; margin: 3rem 0 2rem; }
@media screen and (max-width: 44rem) {
  .picture .plot-wide { display: none; } .picture .plot-narrow { display: block; }
  html { scroll-padding-top: .5rem; } nav { position: static; }
  main, .top { padding: 0 .9rem; } nav ul { padding: .6rem .9rem; gap: .25rem 1rem; } nav li:first-child { flex-basis: 100%; }
  .verdict { padding: 1rem; border-left-width: .4rem; margin: 1rem 0; }
  .versus, .sides { grid-template-columns: minmax(0, 1fr); } .failure { padding: .8rem; }
  .facts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .75rem 1rem; }
  .command { grid-template-columns: minmax(0, 1fr) auto; } .command code { grid-column: 1 / -1; grid-row: 2; } .command button { grid-column: 2; grid-row: 1; }
  .groups td:nth-child(2) { width: 22%; } .groups :is(th, td) { padding-right: .5rem; }
  :is(.matrix, .checks, .measurements, .figures) thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .matrix tr:not([hidden]), :is(.checks, .measurements, .figures) tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0; }
  :is(.matrix, .checks, .measurements, .figures) :is(th, td) { display: block; border: 0; padding: .1rem 0; width: auto !important; }
  .matrix .group th { padding-top: 1rem; } .matrix td:is(:nth-child(3), :nth-child(4)) { display: inline; margin-right: .75rem; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); font-family: system-ui, sans-serif; }
  .case > summary .title { flex-basis: 100%; } .case > summary .badge { min-width: 0; } .case > div { padding-left: 0; }
}
@media print {
  :root { color-scheme: light; --page: #fff; --panel: #f5f6f8; --line: #bbb; --text: #000; --soft: #444; --link: #000;
    --fail: #8f1d16; --fail-soft: #fff; --pass: #14552a; --pass-soft: #fff; --open: #5e3d00; --open-soft: #fff; --error: #4f2480; --error-soft: #fff; --rest: #444; --rest-soft: #eee; --band: #dde9e0; --share-pass: #7fae8f; --share-not-applicable: #bbb; --share-not-covered: #ddd; }
  nav, button, .filters, .skip { display: none !important; } body { font-size: .8rem; } main { max-width: none; padding: 0; }
  h2 { break-after: avoid; } tr, .versus, .verdict, .finding > h4 { break-inside: avoid; } a { text-decoration: none; }
  svg { print-color-adjust: exact; } table { font-size: .7rem; } :is(th, td) { padding-block: .2rem; }
  .matrix th:nth-child(1) { width: 17%; } .matrix :is(th, td):nth-child(2) { width: 38% !important; } .matrix th:nth-child(3) { width: 9%; } .matrix th:nth-child(4) { width: 17%; }
  .matrix :is(.soft, .place, .cases, .id) { font-size: inherit; } .matrix .badge { padding-left: 0; font-size: .68rem; }
  .matrix [data-verdict="not-covered"] .soft { display: none; } .verdict h1 { font-size: 1.4rem; } .failure, .exchange, .chart { break-inside: auto; } .picture { break-inside: avoid; }
  @page { margin: 12mm; }
}
`;

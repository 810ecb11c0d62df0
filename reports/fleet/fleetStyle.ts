/** What the page of a fleet adds to the styles of the report and the trend. */
export const fleetStyle = `
.badge.new { --tone: var(--page); --tone-soft: var(--fail); }
#matrix .filters label { flex: 1 1 9rem; } #matrix .filters label:first-child { flex: 2 1 14rem; }
#grid-place { border: 1px solid var(--line); border-radius: .25rem; max-height: 85vh; overflow: auto; }
.by-night { border-collapse: separate; border-spacing: 0; width: max-content; min-width: 100%; font-size: .8rem; }
.by-night :is(th, td) { padding: 0; border-bottom: 1px solid var(--line); }
.by-night thead th { position: sticky; top: 0; z-index: 1; background: var(--page); font-weight: 400; vertical-align: bottom; }
.by-night thead th span { writing-mode: vertical-rl; padding: .25rem .2rem; font-variant-numeric: tabular-nums; }
.by-night thead th:first-child { z-index: 2; padding: .25rem .6rem; font-weight: 600; }
.by-night :is(tbody th, thead th:first-child) { position: sticky; left: 0; background: var(--page); border-right: 1px solid var(--line); }
.by-night tbody th { width: 24rem; min-width: 24rem; max-width: 24rem; padding: .2rem .6rem; cursor: default; }
.by-night tbody th .line { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.by-night tr[aria-expanded] th { cursor: pointer; } .by-night tr[aria-expanded] th .id::before { content: "▸ "; color: var(--soft); } .by-night tr[aria-expanded="true"] th .id::before { content: "▾ "; }
.by-night tr[aria-level="2"] th { padding-left: 2rem; } .by-night tr[aria-level="3"] th { padding-left: 3.5rem; }
.by-night td { min-width: 1.55rem; height: 1.55rem; text-align: center; vertical-align: middle; font-variant-numeric: tabular-nums; font-weight: 600; border-right: 1px solid var(--line); cursor: pointer; }
.by-night td.none { cursor: default; }
.by-night :is(th, td):focus-visible { outline-offset: -3px; position: relative; } .by-night tbody th:focus-visible { position: sticky; }
.k-fail { color: var(--fail); background: var(--fail-soft); } .k-error, .k-quarantined { color: var(--error); background: var(--error-soft); }
.k-inconclusive, .k-flaky { color: var(--open); background: var(--open-soft); } .k-pass { color: var(--pass); background: var(--pass-soft); font-weight: 400; }
.k-not-applicable, .k-not-concluded { color: var(--rest); background: var(--rest-soft); font-weight: 400; }
#detail { position: sticky; bottom: .5rem; z-index: 3; background: var(--page); border: 1px solid var(--line); border-left: .3rem solid var(--link); border-radius: .3rem; padding: .75rem 1rem; margin: .75rem 0; max-height: 40vh; overflow: auto; } #detail button { float: right; } #detail h3 { margin-bottom: .3rem; } #detail ul { margin: .2rem 0 .6rem; padding-left: 1.2rem; }
#tails { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(28rem, 100%), 1fr)); gap: .75rem; } #tails li { min-width: 0; } #tails pre { margin: .2rem 0 0; min-height: 6.5em; overflow: auto; }
#more-rows { margin-top: .75rem; } #old-page { background: var(--open-soft); color: var(--open); padding: .5rem 1rem; }
@media (max-width: 44rem) { .by-night tbody th { width: 11rem; min-width: 11rem; max-width: 11rem; padding: .2rem .4rem; } }
@media print { #grid-place { max-height: none; overflow: visible; } }
`;

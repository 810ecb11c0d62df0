/** What the trend's page adds to the style of the report. */
export const trendStyle = `
.o-fail, .t-non-conformant { --tone: var(--fail); --tone-soft: var(--fail-soft); } .o-error, .o-quarantined, .t-set-aside { --tone: var(--error); --tone-soft: var(--error-soft); }
.o-inconclusive, .o-flaky, .t-inconclusive { --tone: var(--open); --tone-soft: var(--open-soft); } .o-pass, .t-conformant { --tone: var(--pass); --tone-soft: var(--pass-soft); }
.o-not-applicable, .o-not-concluded, .t-incomplete, .t-waiting { --tone: var(--rest); --tone-soft: var(--rest-soft); }
.changes { list-style: none; padding: 0; margin: 0; } .changes li { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: .25rem 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
.changes .worse { --tone: var(--fail); --tone-soft: var(--fail-soft); } .changes .better { --tone: var(--pass); --tone-soft: var(--pass-soft); } .changes .other { --tone: var(--rest); --tone-soft: var(--rest-soft); }
.changes .badge { align-self: start; justify-self: start; } .changes p { margin: 0; overflow-wrap: anywhere; } .changes details { font-size: .9rem; }
.nights { height: 1.1rem; vertical-align: middle; max-width: 100%; }
.n-pass, .n-conformant { fill: var(--pass); opacity: .55; } .n-fail, .n-non-conformant { fill: var(--fail); } .n-error, .n-set-aside, .n-quarantined { fill: var(--error); }
.n-inconclusive, .n-flaky { fill: var(--open); } .n-not-applicable, .n-not-concluded, .n-incomplete, .n-waiting { fill: var(--rest); opacity: .45; }
.nights .mark { fill: var(--page); } .gateway { margin-top: 2.5rem; } .gateway h3 { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; }
.trend td:nth-child(3) { white-space: nowrap; } .wide { overflow-x: auto; }
@media (max-width: 44rem) { .changes li { grid-template-columns: minmax(0, 1fr); } .trend thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .trend tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0; } .trend :is(th, td) { display: block; border: 0; padding: .1rem 0; white-space: normal !important; }
  .trend td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); } }
`;

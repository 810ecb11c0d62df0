/** What the live view adds to the style of the report. */
export const liveStyle = `
header { padding-top: 1.5rem; } .turns { padding-left: 1.5rem; columns: 24rem; } .turns li { break-inside: avoid; padding: .2rem 0; overflow-wrap: anywhere; }
.s-running, .s-checking { --tone: var(--link); --tone-soft: var(--panel); } .s-waiting, .s-held { --tone: var(--rest); --tone-soft: var(--rest-soft); }
.s-done { --tone: var(--text); --tone-soft: var(--panel); } .s-set-aside { --tone: var(--error); --tone-soft: var(--error-soft); }
.run { border: 1px solid var(--line); border-radius: .3rem; padding: .5rem 1.25rem 1.25rem; margin: 1.5rem 0; } .run h2 { border: 0; margin: .5rem 0; padding: 0; }
progress { width: 100%; height: .8rem; accent-color: var(--link); }
.panes { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); } .panes > div { min-width: 0; }
.panes ul { list-style: none; padding: 0; margin: 0; } .panes li { padding: .15rem 0; overflow-wrap: anywhere; }
.tail { background: var(--panel); padding: .6rem .8rem; height: 16rem; overflow: auto; border-radius: .25rem; }
.chart { width: 100%; height: 6rem; background: var(--panel); border-radius: .25rem; } .chart path { fill: none; stroke: var(--link); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.chart .highest { stroke: var(--open); }
`;

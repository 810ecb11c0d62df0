export const style = `
:root { color-scheme: light dark; --line: #c8ccd2; --soft: #f3f5f7; --ink: #1b1f24; --paper: #fff; --pass: #1a6b32; --fail: #a8141f; --open: #7a5200; --quiet: #57606a; --link: #0b57a8; }
@media (prefers-color-scheme: dark) { :root { --line: #3a424c; --soft: #1c2229; --ink: #e6e9ed; --paper: #12161b; --pass: #5fce82; --fail: #ff8a8f; --open: #e6b450; --quiet: #a3adb8; --link: #7db8f5; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main, header, footer { max-width: 78rem; margin: 0 auto; padding: 1rem; }
a { color: var(--link); }
h1 { font-size: 1.9rem; margin: .5rem 0; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); } h3 { margin: .2rem 0; font-size: 1.05rem; }
.pass { color: var(--pass); } .fail, .error { color: var(--fail); } .inconclusive { color: var(--open); } .not-applicable, .not-covered, .quiet { color: var(--quiet); }
.verdict { font-weight: 700; white-space: nowrap; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { background: var(--soft); } .scroll { overflow-x: auto; }
pre { background: var(--soft); padding: .7rem; overflow-x: auto; max-height: 24rem; margin: .3rem 0; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0; padding: .4rem .8rem; } summary { cursor: pointer; }
.failure { border-left: 4px solid var(--fail); } .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .8rem; } .pair div { min-width: 0; }
.tiles { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; list-style: none; } .tiles li { border: 1px solid var(--line); border-radius: .4rem; padding: .4rem .9rem; } .tiles b { display: block; font-size: 1.4rem; }
form { display: flex; flex-wrap: wrap; gap: .6rem; margin: .8rem 0; } input, select, button { font: inherit; padding: .3rem .5rem; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: .3rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
@media (max-width: 40rem) { .pair { grid-template-columns: 1fr; } h1 { font-size: 1.4rem; } td, th { padding: .3rem; } }
@media print { form, button { display: none; } details { break-inside: avoid; } pre { max-height: none; } }
`;

/** Style of the gate's page: a screen, a phone and paper, light and dark. */
export const gateStyle = `
:root { color-scheme: light dark; --page: #fff; --text: #16181d; --soft: #555b66; --line: #d5d9e0; --pass: #17663a; --fail: #a3231b; --open: #7a4d00; }
@media (prefers-color-scheme: dark) { :root { --page: #14161a; --text: #e8eaee; --soft: #a5acb8; --line: #3a3f49; --pass: #7bd39b; --fail: #ff9a92; --open: #f0c060; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
header { border-left: .5rem solid var(--tone); padding: .25rem 1.25rem; } h1 { color: var(--tone); margin: 0; font-size: 1.8rem; } header p { margin: .25rem 0 0; overflow-wrap: anywhere; }
.release { --tone: var(--pass); } .hold { --tone: var(--fail); } .undecided { --tone: var(--open); }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; } ul { padding-left: 1.25rem; margin: 0; } li { margin: .4rem 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--soft); font-size: .8rem; } .worse td { color: var(--fail); font-weight: 600; } section > p { color: var(--soft); font-size: .875rem; }
@media print { :root { color-scheme: light; --page: #fff; --text: #000; --soft: #444; --pass: #14552a; --fail: #8f1d16; --open: #5e3d00; } tr { break-inside: avoid; } }
`;

/** Style of the pages of a registry; small, because every certificate has a page. */
export const siteStyle = `
:root { color-scheme: light dark; --page: #fff; --line: #d5d9e0; --text: #1a1f27; --soft: #56606e; --link: #0b57b0; --valid: #1b6e37; --expired: #56606e; --revoked: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --page: #14171c; --line: #383f4a; --text: #e7eaef; --soft: #a3adba; --link: #86b8ff; --valid: #7fd69b; --expired: #a3adba; --revoked: #ff9d94; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
main, nav ul { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
nav { border-bottom: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding-block: .6rem; list-style: none; }
a { color: var(--link); } :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.5rem 0 .5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } caption { text-align: left; color: var(--soft); padding: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--soft); font-size: .8rem; font-weight: 600; }
.valid, .expired, .revoked { font-weight: 600; } .valid { color: var(--valid); } .expired { color: var(--expired); } .revoked { color: var(--revoked); }
dl div { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: .5rem; padding: .15rem 0; } dt { color: var(--soft); } dd { margin: 0; }
code { font: .85rem ui-monospace, "DejaVu Sans Mono", monospace; } footer { color: var(--soft); font-size: .85rem; margin: 2.5rem 0 2rem; }
@media (max-width: 44rem) { dl div { grid-template-columns: minmax(0, 1fr); gap: 0; padding: .3rem 0; } table { display: block; overflow-x: auto; } }
`;

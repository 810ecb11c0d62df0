// The live view: a page that shows what it is told over server-sent events. It changes nothing and asks for nothing else.
import { contentPolicy, htmlDocument } from "../markup/document.ts";
import { style } from "../markup/style.ts";
import { html } from "../markup/template.ts";
import { liveScript } from "./liveScript.ts";
import { liveStyle } from "./liveStyle.ts";

const wholeStyle = style + liveStyle;

/** What the page may do, for the answer's header: no page of another origin may frame it either. */
export const livePagePolicy = `${contentPolicy({ style: wholeStyle, script: liveScript, mayConnect: true })}; frame-ancestors 'none'`;

/** The whole page as text; the same for every run. */
export function livePage(): string {
  return htmlDocument({
    title: "rackproof",
    style: wholeStyle,
    script: liveScript,
    mayConnect: true,
    body: html`<main>
        <header>
          <h1 id="title">Waiting for news</h1>
          <p class="soft"><span id="folder"></span> <span id="link">connecting</span></p>
        </header>
        <section id="queue" aria-labelledby="queue-title" hidden>
          <h2 id="queue-title">The rack</h2>
          <ol id="turns" class="turns"></ol>
        </section>
        <div id="runs"></div>
        <noscript><p>This page needs its script: what it shows comes while it is open.</p></noscript>
      </main>
      <div id="announcer" class="hidden-word" role="status" aria-live="polite"></div>`,
  });
}

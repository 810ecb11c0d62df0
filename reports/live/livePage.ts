// The live view: a read-only page that shows the state received as server-sent events.
import { contentPolicy, htmlDocument } from "../markup/document.ts";
import { style } from "../markup/style.ts";
import { html } from "../markup/template.ts";
import { liveScript } from "./liveScript.ts";
import { liveStyle } from "./liveStyle.ts";

const wholeStyle = style + liveStyle;

/** Content security policy for the response header; pages of other origins must not frame the page. */
export const livePagePolicy = `${contentPolicy({ style: wholeStyle, script: liveScript, mayConnect: true })}; frame-ancestors 'none'`;

/** The whole page as text, identical for every run. */
export function livePage(): string {
  return htmlDocument({
    title: "rackproof",
    style: wholeStyle,
    script: liveScript,
    mayConnect: true,
    body: html`<main>
        <header>
          <h1 id="title">Waiting for the first state</h1>
          <p class="soft"><span id="folder"></span> <span id="link">connecting</span></p>
        </header>
        <section id="queue" aria-labelledby="queue-title" hidden>
          <h2 id="queue-title">Rack</h2>
          <ol id="turns" class="turns"></ol>
        </section>
        <div id="runs"></div>
        <noscript><p>This page needs JavaScript: it receives its contents while it is open.</p></noscript>
      </main>
      <div id="announcer" class="hidden-word" role="status" aria-live="polite"></div>`,
  });
}

// The live view: a page that shows what it is told over server-sent events. It changes nothing and asks for nothing else.
import { createHash } from "node:crypto";
import { style } from "../html/style.ts";
import { html, trusted } from "../html/template.ts";
import { liveScript } from "./liveScript.ts";
import { liveStyle } from "./liveStyle.ts";

const wholeStyle = style + liveStyle;

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** What the page may do: its own style and script, and a connection to where it came from. */
export const livePagePolicy = [
  "default-src 'none'",
  `style-src ${hashOf(wholeStyle)}`,
  `script-src ${hashOf(liveScript)}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The whole page as text; the same for every run. */
export function livePage(): string {
  return `${
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>rackproof</title>
          <link rel="icon" href="data:," />
          ${trusted(`<style>${wholeStyle}</style>`)}
        </head>
        <body>
          <main>
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
          <div id="announcer" class="hidden-word" role="status" aria-live="polite"></div>
          ${trusted(`<script>${liveScript}</script>`)}
        </body>
      </html>`.markup
  }\n`;
}

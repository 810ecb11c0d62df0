// The frame of every page: one file without network access, in which only its own style and script are allowed.
import { createHash } from "node:crypto";
import { html, type Html, trusted } from "./template.ts";

/** What a page may run and load. */
export interface PagePowers {
  readonly style: string;
  readonly script?: string;
  /** The page may send requests to its own server. */
  readonly mayConnect?: boolean;
}

export interface PageContent extends PagePowers {
  readonly title: string;
  /** Content of the body before the script. */
  readonly body: Html;
}

/** Content security policy of the page: only its own style and script, whatever text it shows. */
export function contentPolicy({ style, script, mayConnect = false }: PagePowers): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    ...(mayConnect ? ["connect-src 'self'"] : []),
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The whole page as text. */
export function htmlDocument({ title, body, ...powers }: PageContent): string {
  // Style and script are inserted with their tags: white space between tag and text would change the hash.
  return `${
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${contentPolicy(powers)}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <title>${title}</title>
          <link rel="icon" href="data:," />
          ${trusted(`<style>${powers.style}</style>`)}
        </head>
        <body>
          ${body} ${powers.script !== undefined && trusted(`<script>${powers.script}</script>`)}
        </body>
      </html>`.markup
  }\n`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

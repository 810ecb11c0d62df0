// One request and its response.
import type { Exchange } from "../../record/index.ts";
import { duration } from "../text/durations.ts";
import { clip } from "../text/visibleText.ts";
import { html, type Html } from "../markup/template.ts";

// Long bodies are collapsed, very long ones are cut: the exchange file of the case holds them in full.
const foldedFromLines = 24;
const foldedFromCharacters = 1500;
const shownCharacters = 12_000;

/** An exchange, request and response side by side. */
export function exchangeView(exchange: Exchange): Html {
  const { request, answer, noAnswer } = exchange;
  return html`<figure class="exchange">
    <figcaption>
      Exchange ${exchange.number}: ${exchange.operation} as ${exchange.session},
      ${duration(exchange.durationMs)}
    </figcaption>
    <div class="sides">
      <section class="side">
        <p class="part">Request</p>
        <pre class="wire"><b>${request.method} ${request.url}</b>${headerLines(request.headers)}</pre>
        ${bodyView(request.body, request.body?.length)}
      </section>
      <section class="side">
        <p class="part">Response</p>
        ${
          answer === undefined
            ? html`<p class="none">
                No response:
                ${noAnswer === undefined ? "the case ended first" : `${noAnswer.code}, ${noAnswer.message}`}
              </p>`
            : html`<pre class="wire"><b>${answer.status}</b>${headerLines(answer.headers)}</pre>
                ${bodyView(answer.body, answer.bodyBytes)}`
        }
      </section>
    </div>
  </figure>`;
}

/** One line about an exchange, for the title of a collapsed one. */
export function exchangeLine({ request, answer, noAnswer }: Exchange): string {
  const outcome = answer === undefined ? (noAnswer?.code ?? "no response") : String(answer.status);
  return `${request.method} ${clip(pathOf(request.url), 120)} → ${outcome}`;
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/i, "") || url;
}

function headerLines(headers: Readonly<Record<string, string>>): Html[] {
  return Object.entries(headers).map(
    ([name, value]) => html`${"\n"}<span class="header">${name}:</span> ${value}`,
  );
}

function bodyView(body: string | undefined, bytes: number | undefined): Html | undefined {
  if (body === undefined || body === "") return html`<p class="none">No body</p>`;
  const text = pretty(body);
  const view = html`<pre class="body">${clip(text, shownCharacters)}</pre>`;
  const isLong = text.length > foldedFromCharacters || text.split("\n").length > foldedFromLines;
  return isLong
    ? html`<details class="long">
        <summary>Body, ${bytes ?? text.length} bytes</summary>
        ${view}
      </details>`
    : view;
}

/** JSON is indented, other text unchanged. Numbers keep all digits because they are never parsed. */
function pretty(body: string): string {
  if (!/^\s*[[{]/.test(body)) return body;
  try {
    JSON.parse(body);
  } catch {
    return body;
  }
  return indentJson(body);
}

/** Indents valid JSON without parsing its values: `1.0`, long integers and repeated keys are preserved. */
function indentJson(json: string): string {
  let depth = 0;
  const line = (): string => `\n${"  ".repeat(depth)}`;
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  return tokens
    .map((token, index) => {
      const next = tokens[index + 1];
      switch (token) {
        case "{":
        case "[":
          if (next === "}" || next === "]") return token;
          depth += 1;
          return token + line();
        case "}":
        case "]": {
          const before = tokens[index - 1];
          if (before === "{" || before === "[") return token;
          depth -= 1;
          return line() + token;
        }
        case ",":
          return token + line();
        case ":":
          return ": ";
        default:
          return token;
      }
    })
    .join("");
}

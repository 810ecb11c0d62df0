// One request and its answer, as a reader wants to see them.
import type { Exchange } from "../../record/index.ts";
import { duration } from "../text/durations.ts";
import { clip } from "../text/visibleText.ts";
import { html, type Html } from "../markup/template.ts";

// Longer bodies are folded away, much longer ones are cut: the whole is in the case's file.
const foldedFromLines = 24;
const foldedFromCharacters = 1500;
const shownCharacters = 12_000;

/** An exchange, request beside answer. */
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
        <p class="part">Answer</p>
        ${
          answer === undefined
            ? html`<p class="none">
                No answer:
                ${noAnswer === undefined ? "the case ended before one came" : `${noAnswer.code}, ${noAnswer.message}`}
              </p>`
            : html`<pre class="wire"><b>${answer.status}</b>${headerLines(answer.headers)}</pre>
                ${bodyView(answer.body, answer.bodyBytes)}`
        }
      </section>
    </div>
  </figure>`;
}

/** One line that says what an exchange was, for the title of a folded one. */
export function exchangeLine({ request, answer, noAnswer }: Exchange): string {
  const outcome = answer === undefined ? (noAnswer?.code ?? "no answer") : String(answer.status);
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

/** JSON is indented; anything else stays as it came. Numbers keep their digits because text is never read as one. */
function pretty(body: string): string {
  if (!/^\s*[[{]/.test(body)) return body;
  try {
    JSON.parse(body);
  } catch {
    return body;
  }
  return indentJson(body);
}

/** Indents valid JSON without reading its values: `1.0`, long integers and repeated keys stay as they were. */
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

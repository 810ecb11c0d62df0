// Charts of the report, drawn by Observable Plot when the page is written: the page needs no script for them.
import * as Plot from "@observablehq/plot";
import domino from "@mixmark-io/domino";
import { visibleText } from "../../text/visibleText.ts";
import { html, type Html, trusted } from "../../markup/template.ts";

const wideWidthPx = 860;
const narrowWidthPx = 340;

/** Plot options of a chart at a width; `isNarrow` for phones. */
export type Draw = (size: { readonly widthPx: number; readonly isNarrow: boolean }) => Plot.PlotOptions;

export interface Picture {
  /** A short name. */
  readonly title: string;
  /** Text alternative; a table beside the chart holds the values. */
  readonly description: string;
  readonly draw: Draw;
}

/** Draws the charts of one page. */
export class Gallery {
  readonly #document = domino.createDocument();
  #pictures = 0;

  /** A chart for wide screens and paper and one for phones; the style sheet shows one of them. */
  picture(picture: Picture): Html {
    return html`<div class="picture">
      ${this.#svg(picture, wideWidthPx, "wide")}${this.#svg(picture, narrowWidthPx, "narrow")}
    </div>`;
  }

  /** A small chart in a table row that holds its values. */
  inline(widthPx: number, options: Plot.PlotOptions): Html {
    const markup = this.#plot({ className: "inline", ...options, width: widthPx, axis: null, margin: 0 });
    return trusted(markup.replace("<svg ", '<svg aria-hidden="true" preserveAspectRatio="none" '));
  }

  #svg({ title, description, draw }: Picture, widthPx: number, size: "wide" | "narrow"): Html {
    this.#pictures += 1;
    const id = `picture-${this.#pictures}`;
    const isNarrow = size === "narrow";
    const markup = this.#plot({ width: widthPx, className: `plot-${size}`, ...draw({ widthPx, isNarrow }) });
    const head = html`<title id="${id}">${title}</title> <desc id="${id}-words">${description}</desc>`;
    return trusted(
      markup
        .replace("<svg ", `<svg role="img" aria-labelledby="${id}" aria-describedby="${id}-words" `)
        .replace(/^(<svg [^>]*>)/, (opening) => opening + head.markup),
    );
  }

  #plot(options: Plot.PlotOptions): string {
    const drawn: { readonly outerHTML: unknown } = Plot.plot({
      ...options,
      document: this.#document as NonNullable<Plot.PlotOptions["document"]>,
    });
    return tidy(String(drawn.outerHTML));
  }
}

/**
 * Removes what Plot adds: its style (the policy of the page allows only the style of the page), decimals of a pixel,
 * and names of chart parts, since the chart has a name as a whole.
 */
function tidy(markup: string): string {
  return visibleText(markup)
    .replaceAll(/<style>[^]*?<\/style>/g, "")
    .replaceAll(/<[^>]+>/g, (tag) =>
      tag.replaceAll(/(\.\d)\d+/g, "$1").replaceAll(/ (?:font-family|aria-[a-z]+)="[^"]*"/g, ""),
    );
}

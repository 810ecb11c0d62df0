// A row of nights as small squares, oldest first, with a label as the text alternative.
import { html, type Html } from "../markup/template.ts";

const size = 10;
const gap = 2;

export interface StripCell {
  /** Class of the square, after `n-`. */
  readonly kind: string;
  /** Whether the square has a mark besides its colour. */
  readonly isMarked: boolean;
  readonly title: string;
}

export function nightStrip(cells: readonly (StripCell | undefined)[], label: string): Html {
  const width = cells.length * (size + gap);
  return html`<svg
    class="nights"
    viewBox="0 0 ${width} ${size}"
    width="${width}"
    height="${size}"
    role="img"
    aria-label="${label}"
  >
    ${cells.map((cell, index) => cell !== undefined && square(cell, index * (size + gap)))}
  </svg>`;
}

/** A mark in the middle distinguishes nights that did not pass without colour. */
function square({ kind, isMarked, title }: StripCell, x: number): Html {
  return html`<g
    ><title>${title}</title><rect class="n-${kind}" x="${x}" y="0" width="${size}" height="${size}" />${
      isMarked && html`<rect class="mark" x="${x + 4}" y="2" width="2" height="6" />`
    }</g
  >`;
}

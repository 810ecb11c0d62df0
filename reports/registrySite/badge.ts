// The badge of a certificate: an image for the pages of a product, without a script and without a font of its own.
import type { RegisteredCertificate } from "../../record/index.ts";
import { html } from "../markup/template.ts";

const colours = { valid: "#1b6e37", expired: "#56606e", revoked: "#b3261e" } as const;
/** Mean width of a character at 11 px; `textLength` fits the text to it. */
const characterPx = 6.4;
const padPx = 7;
const heightPx = 20;

/** The text of the right half. */
function badgeText({ state, set, validTo }: RegisteredCertificate): string {
  return state === "valid" ? `set ${set}, until ${validTo.slice(0, 10)}` : state;
}

/** The badge as an SVG document. */
export function badge(certificate: RegisteredCertificate): string {
  const [left, right] = [certificate.interface, badgeText(certificate)];
  const widths = [left, right].map((text) => Math.round(text.length * characterPx));
  const [leftPx = 0, rightPx = 0] = widths;
  const split = leftPx + 2 * padPx;
  const width = split + rightPx + 2 * padPx;
  const title = `${certificate.model} ${certificate.firmware}, ${left}: ${right}`;
  return `${
    html`<svg
      xmlns="http://www.w3.org/2000/svg"
      width="${width}"
      height="${heightPx}"
      role="img"
      aria-label="${title}"
    >
      <title>${title}</title>
      <rect width="${split}" height="${heightPx}" fill="#333" />
      <rect x="${split}" width="${width - split}" height="${heightPx}" fill="${colours[certificate.state]}" />
      <g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
        <text x="${padPx}" y="14" textLength="${leftPx}">${left}</text>
        <text x="${split + padPx}" y="14" textLength="${rightPx}">${right}</text>
      </g>
    </svg>`.markup
  }\n`;
}

// Text from a gateway may contain any character. Here it becomes safe for terminals, XML parsers and readers.

const firstControlPicture = 0x2400;
// Marks that reorder the text around them and could make one value look like another.
const reordering = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex -- the expression matches control characters
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g;
const notInXml = /[\u007F-\u009F\uFFFE\uFFFF]/g;

/** The text with control characters and unpaired surrogates made visible; tab and line feed stay, CR LF becomes LF. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "␍")
    .replaceAll(controls, (found) => String.fromCharCode(firstControlPicture + found.charCodeAt(0)))
    .replaceAll(notInXml, codePoint)
    .replaceAll(reordering, codePoint);
}

function codePoint(found: string): string {
  return `⟨U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** The visible text on one line. */
export function oneLine(text: string): string {
  return visibleText(text).replaceAll(/\s+/g, " ").trim();
}

/** At most this many characters, with an ellipsis when text was cut. */
export function clip(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).toWellFormed()}…`;
}

/** `1 case`, `2 cases`. */
export function counted(count: number, noun: string): string {
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count} ${count === 1 ? noun : plural}`;
}

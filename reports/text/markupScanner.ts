// Strict scanners for the markup of the reports; they throw where a parser would have to guess.

export interface ScannedElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text directly inside, entities resolved. */
  text: string;
}

const attribute = /\s+([\w:.-]+)(?:="([^"<]*)")?/y;
const voidElements = new Set(["meta", "link", "input"]);
// oxlint-disable-next-line no-control-regex -- the expression matches characters that XML forbids
const forbiddenInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u;

/** Every element of the document in order. Throws at the first place that is not well-formed XML 1.0. */
export function assertWellFormedXml(xml: string): ScannedElement[] {
  const bad = forbiddenInXml.exec(xml);
  if (bad !== null) throw new Error(`a character that XML forbids at ${bad.index}`);
  const prolog = /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/.exec(xml);
  if (prolog === null) throw new Error("no XML declaration");
  return scan(xml, prolog[0].length, { isVoid: () => false, isRaw: () => false });
}

/** The same for a page that closes all its elements; script and style hold raw text. */
export function assertWellFormedHtml(page: string): ScannedElement[] {
  const prolog = /^<!doctype html>\s*/.exec(page);
  if (prolog === null) throw new Error("no doctype");
  return scan(page, prolog[0].length, {
    isVoid: (name) => voidElements.has(name),
    isRaw: (name) => name === "script" || name === "style",
  });
}

interface Rules {
  readonly isVoid: (name: string) => boolean;
  readonly isRaw: (name: string) => boolean;
}

function scan(markup: string, from: number, rules: Rules): ScannedElement[] {
  const found: ScannedElement[] = [];
  const open: ScannedElement[] = [];
  let at = from;
  const fail = (what: string): never => {
    throw new Error(`${what} at ${at}: ${markup.slice(at, at + 80)}`);
  };
  while (at < markup.length) {
    const parent = open.at(-1);
    const end =
      parent !== undefined && rules.isRaw(parent.name)
        ? markup.indexOf(`</${parent.name}`, at)
        : markup.indexOf("<", at);
    const text = markup.slice(at, end < 0 ? markup.length : end);
    if (parent === undefined && text.trim() !== "") fail("text outside the root");
    if (parent !== undefined) parent.text += rules.isRaw(parent.name) ? text : resolve(text, fail);
    if (end < 0) break;
    at = end;
    const closing = /<\/([\w:.-]+)\s*>/y;
    closing.lastIndex = at;
    const closed = closing.exec(markup);
    if (closed !== null) {
      if (open.pop()?.name !== closed[1]) fail("an end that does not match its start");
      at = closing.lastIndex;
      continue;
    }
    const opening = /<([A-Za-z][\w:.-]*)/y;
    opening.lastIndex = at;
    const name = opening.exec(markup)?.[1] ?? fail("a bare <");
    at = opening.lastIndex;
    const attributes: Record<string, string> = {};
    for (attribute.lastIndex = at; ; at = attribute.lastIndex) {
      const match = attribute.exec(markup);
      if (match?.[1] === undefined) break;
      if (match[1] in attributes) fail("an attribute given twice");
      attributes[match[1]] = resolve(match[2] ?? "", fail);
    }
    const tagEnd = /\s*(\/?)>/y;
    tagEnd.lastIndex = at;
    const ended = tagEnd.exec(markup) ?? fail("a tag that does not end");
    at = tagEnd.lastIndex;
    const element = { name, attributes, text: "" };
    found.push(element);
    if (ended[1] === "" && !rules.isVoid(name)) open.push(element);
  }
  if (open.length > 0) fail(`never closed: ${open.map((element) => element.name).join(", ")}`);
  return found;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

function resolve(text: string, fail: (what: string) => never): string {
  if (text.includes("]]>")) fail("]]> in text");
  return text.replaceAll(
    /&(?:#(\d+);|(\w+);)?/g,
    (_whole, code: string | undefined, name: string | undefined) => {
      if (code !== undefined) return String.fromCodePoint(Number(code));
      return (name === undefined ? undefined : entities[name]) ?? fail("a bare &");
    },
  );
}

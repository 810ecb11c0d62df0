// A textlint rule: words that the term list replaces, in prose, in names and in paths.
import type { TextlintKernelRule } from "@textlint/kernel";
import type { Allowed, Term } from "./terms.ts";

interface Found {
  readonly index: number;
  readonly message: string;
}

export interface WordList {
  /** The forbidden words of one text that is written in sentences. */
  inProse(file: string, text: string): Found[];
  /** The forbidden words in a name or a path, taken apart at capitals, hyphens, points and slashes. */
  inName(file: string, name: string): Found[];
  /** A text that is forbidden as a whole. */
  asWhole(file: string, text: string): Found[];
  /** Exceptions that have excused nothing so far. */
  unused(): Allowed[];
}

export function wordList(terms: readonly Term[], allowed: readonly Allowed[]): WordList {
  const used = new Set<Allowed>();
  const excused = (file: string, text: string, index: number, length: number, read = unchanged): boolean => {
    const exception = allowed.find(
      ({ text: around, in: places }) =>
        (places ?? [""]).some((place) => file.startsWith(place)) &&
        indexesOf(text, read(around)).some((at) => at <= index && index + length <= at + read(around).length),
    );
    if (exception !== undefined) used.add(exception);
    return exception !== undefined;
  };
  const search = (file: string, source: string, rows: readonly Term[], read = unchanged): Found[] => {
    const text = read(source);
    return rows
      .filter(({ only }) => only === undefined || only.some((place) => file.startsWith(place)))
      .flatMap(({ use, insteadOf, because }) =>
        insteadOf.flatMap((words) =>
          [...text.matchAll(patternOf(words))]
            .filter(({ 0: match, index }) => !excused(file, text, index, match.length, read))
            .map(({ index }) => ({ index, message: `"${words}": use ${use} (${because})` })),
        ),
      );
  };
  const inNames = terms.filter((term) => term.in === "names");
  const inProse = terms.filter((term) => term.in !== "whole");
  const wholes = terms.filter((term) => term.in === "whole");
  return {
    inProse: (file, text) => unique(search(file, text, inProse)),
    inName: (file, name) =>
      search(file, name, inNames, wordsOf).map(({ message }) => ({ index: 0, message })),
    asWhole: (file, text) =>
      wholes
        .filter(({ insteadOf }) => insteadOf.includes(text))
        .filter(() => !excused(file, text, 0, text.length))
        .map(({ use, because }) => ({ index: 0, message: `"${text}": use ${use} (${because})` })),
    unused: () => allowed.filter((one) => !used.has(one)),
  };
}

export function termRule(file: string, words: WordList): TextlintKernelRule["rule"] {
  return ({ report, RuleError, locator, getSource }) => {
    const tell = (node: Parameters<typeof report>[0], found: readonly Found[]): void => {
      for (const { index, message } of found)
        report(node, new RuleError(message, { padding: locator.at(index) }));
    };
    const textOf = (node: Parameters<typeof report>[0]): string => {
      const source = getSource(node);
      const value = "value" in node && typeof node.value === "string" ? node.value : source;
      // What a plugin has blanked out is as long as its source; other values have lost their marks.
      return value.length === source.length ? value : source;
    };
    return {
      Document(node) {
        tell(node, words.inName(file, file));
      },
      Str(node) {
        const text = textOf(node);
        if (file.endsWith(".md") || /\s/.test(text)) tell(node, words.inProse(file, text));
        else tell(node, [...words.inName(file, text), ...words.asWhole(file, text)]);
      },
      Comment(node) {
        tell(node, words.inProse(file, textOf(node)));
      },
      CodeBlock(node) {
        tell(node, words.inProse(file, textOf(node)));
      },
      Code(node) {
        tell(node, words.inName(file, textOf(node)));
      },
    };
  };
}

/** Whole words, whatever white space is between them; an id or a path is no prose. */
function patternOf(words: string): RegExp {
  return new RegExp(`(?<![\\w/.-])${words.replaceAll(" ", "\\s+")}(?![\\w/-]|\\.\\w)`, "gi");
}

/** Two rows may name the same words, one of them for a folder only. */
function unique(found: readonly Found[]): Found[] {
  return [...new Map(found.toReversed().map((one) => [one.index, one])).values()].toReversed();
}

function unchanged(text: string): string {
  return text;
}

function wordsOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, " ").replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2");
}

function indexesOf(text: string, part: string): number[] {
  const indexes: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) indexes.push(at);
  return indexes;
}
